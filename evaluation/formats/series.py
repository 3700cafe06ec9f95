"""What became of a watched series, in words and as facts."""

from evaluation.engine.drift.watch import Watch, Watched
from evaluation.engine.drift.words import METHODS, words_of_series
from evaluation.formats.log.series import Series
from evaluation.formats.values import aligned

HEADER = ("method", "threshold", "greatest", "alarm", "since", "direction")
FACTS = ("n_history", "n_new", "mean", "deviation", "autocorrelation", "rate", "n_draws", "block")


def series_as_facts(outcome: Watched, series: Series) -> dict[str, object]:
    """Times as the file has them; null where a method has no alarm."""
    return {
        "alarm": outcome.is_alarm,
        **{name: getattr(outcome, name) for name in FACTS},
        "n_missing": series.n_missing,
        "methods": [_method(one, series.time) for one in outcome.watches],
        "words": words_of_series(outcome, series.time, series.n_missing),
    }


def series_as_words(outcome: Watched, series: Series) -> str:
    rows = [
        [METHODS[one.method], f"{one.threshold:.2f}", f"{one.greatest:.2f}", *_cells(one, series.time)]
        for one in outcome.watches
    ]
    words = words_of_series(outcome, series.time, series.n_missing)
    return "\n".join([*words, "", *aligned([list(HEADER), *rows], n_names=1)])


def _method(one: Watch, time: tuple[str, ...]) -> dict[str, object]:
    facts: dict[str, object] = {"method": one.method, "threshold": one.threshold, "greatest": one.greatest}
    alarm = one.alarm
    at, since = (time[alarm.at], time[alarm.begins]) if alarm else (None, None)
    return {**facts, "alarm": at, "since": since, "direction": alarm.direction if alarm else None}


def _cells(one: Watch, time: tuple[str, ...]) -> list[str]:
    facts = _method(one, time)
    return [str(facts[name] or "–") for name in ("alarm", "since", "direction")]
