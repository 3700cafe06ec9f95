"""What drift and a watched series may conclude, in sentences that say what the numbers say and no more."""

from annotation.text.counted import counted
from annotation.text.p_values import tabled_p
from evaluation.engine.drift.description import Drift
from evaluation.engine.drift.watch import FEW_HISTORY, Watch, Watched

TESTS = {"mmd": "MMD", "energy": "energy distance", "classifier": "classifier", "ks": "Kolmogorov–Smirnov"}
METHODS = {"cusum": "CUSUM", "page-hinkley": "Page–Hinkley"}
NOT_EQUAL = "That does not show that nothing has drifted: drift too small for so many rows goes unseen."
NOT_WORTH = "That says that they differ, not that it matters: with many rows small differences are found, too."
FEW_ROWS = 100


def words_of_drift(drift: Drift) -> list[str]:
    """The conclusion first, then what it rests on."""
    lines = [_conclusion(drift)]
    if drift.is_sample:
        lines.append(
            f"A seeded sample was compared: {drift.n_reference:,} of {drift.rows_reference:,} rows of the reference, "
            f"{drift.n_window:,} of {drift.rows_window:,} of the window."
        )
    if (least := min(drift.n_reference, drift.n_window)) < FEW_ROWS:
        lines.append(f"Note: with {counted(least, 'row')} of a side only large drift is found.")
    return lines


def _conclusion(drift: Drift) -> str:
    level = f"at {drift.alpha:g}, after Holm's correction for {len(drift.adjusted)} tests"
    if not drift.found:
        return f"No test tells the window from the reference {level}. {NOT_EQUAL}"
    names = ", ".join(f"{TESTS[name]} p {tabled_p(drift.adjusted[name], 2)}" for name in drift.found)
    tell = "tells" if len(drift.found) == 1 else "tell"
    of = counted(len(drift.adjusted), "test")
    return f"{len(drift.found)} of {of} {tell} the window from the reference {level}: {names}. {NOT_WORTH}"


def words_of_series(series: Watched, time: tuple[str, ...], n_missing: int = 0) -> list[str]:
    """`time` of each point, as the file has it."""
    lines = [_alarm(one, time) for one in series.watches if one.alarm]
    if not lines:
        lines = [
            f"No alarm in {counted(series.n_new, 'point')} after the history. That does not show that nothing changed."
        ]
    lines.append(_grounds(series))
    if n_missing:
        lines.append(f"{counted(n_missing, 'time')} without a value: left out, not filled in.")
    return lines + [f"Note: {note}." for note in _notes(series)]


def _alarm(watch: Watch, time: tuple[str, ...]) -> str:
    assert watch.alarm
    side = "above" if watch.alarm.direction == "up" else "below"
    return (
        f"{METHODS[watch.method]} alarms at {time[watch.alarm.at]}: the series runs {side} its history, by this "
        f"path since {time[watch.alarm.begins]}, which is an estimate. It does not say why."
    )


def _grounds(series: Watched) -> str:
    blocks = f"in blocks of {series.block} points" if series.block > 1 else "one by one"
    return (
        f"Thresholds are from {counted(series.n_draws, 'draw')} of the {series.n_history:,} points of history, "
        f"{blocks}: a series like it without a change would have a false alarm among "
        f"{counted(series.n_new, 'new point')} with a chance of at most about {100 * series.rate:g} %."
    )


def _notes(series: Watched) -> list[str]:
    notes = []
    if series.n_history < FEW_HISTORY:
        notes.append(
            f"{series.n_history} points of history are few: the rate of false alarms is rough below {FEW_HISTORY}"
        )
    if series.connected:
        more = (
            "false alarms are more than stated; draw them in blocks"
            if series.block == 1
            else "also in blocks false alarms may be twice as many as stated"
        )
        notes.append(
            "points of the history follow each other (correlation "
            f"{series.autocorrelation:.2f} with the one before): {more}"
        )
    return notes
