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


def words_of_drift(found: Drift) -> list[str]:
    """The conclusion first, then what it rests on."""
    lines = [_conclusion(found)]
    if found.is_sample:
        lines.append(
            f"A seeded sample was compared: {found.n_reference:,} of {found.rows_reference:,} rows of the reference, "
            f"{found.n_window:,} of {found.rows_window:,} of the window."
        )
    if (least := min(found.n_reference, found.n_window)) < FEW_ROWS:
        lines.append(f"Note: with {counted(least, 'row')} of a side only large drift is found.")
    return lines


def _conclusion(found: Drift) -> str:
    level = f"at {found.alpha:g}, after Holm's correction for {len(found.adjusted)} tests"
    if not found.found:
        return f"No test tells the window from the reference {level}. {NOT_EQUAL}"
    names = ", ".join(f"{TESTS[name]} p {tabled_p(found.adjusted[name], 2)}" for name in found.found)
    tell = "tells" if len(found.found) == 1 else "tell"
    of = counted(len(found.adjusted), "test")
    return f"{len(found.found)} of {of} {tell} the window from the reference {level}: {names}. {NOT_WORTH}"


def words_of_series(found: Watched, time: tuple[str, ...], n_missing: int = 0) -> list[str]:
    """`time` of each point, as the file has it."""
    lines = [_alarm(one, time) for one in found.watches if one.alarm]
    if not lines:
        lines = [
            f"No alarm in {counted(found.n_new, 'point')} after the history. That does not show that nothing changed."
        ]
    lines.append(_grounds(found))
    if n_missing:
        lines.append(f"{counted(n_missing, 'time')} without a value: left out, not filled in.")
    return lines + [f"Note: {note}." for note in _notes(found)]


def _alarm(found: Watch, time: tuple[str, ...]) -> str:
    assert found.alarm
    side = "above" if found.alarm.direction == "up" else "below"
    return (
        f"{METHODS[found.method]} alarms at {time[found.alarm.at]}: the series runs {side} its history, by this "
        f"path since {time[found.alarm.begins]}, which is an estimate. It does not say why."
    )


def _grounds(found: Watched) -> str:
    blocks = f"in blocks of {found.block} points" if found.block > 1 else "one by one"
    return (
        f"Thresholds are from {counted(found.n_draws, 'draw')} of the {found.n_history:,} points of history, {blocks}: "
        f"a series like it without a change would have a false alarm among {counted(found.n_new, 'new point')} "
        f"with a chance of at most about {100 * found.rate:g} %."
    )


def _notes(found: Watched) -> list[str]:
    notes = []
    if found.n_history < FEW_HISTORY:
        notes.append(
            f"{found.n_history} points of history are few: the rate of false alarms is rough below {FEW_HISTORY}"
        )
    if found.connected:
        more = (
            "false alarms are more than stated; draw them in blocks"
            if found.block == 1
            else "also in blocks false alarms may be twice as many as stated"
        )
        notes.append(
            "points of the history follow each other (correlation "
            f"{found.autocorrelation:.2f} with the one before): {more}"
        )
    return notes
