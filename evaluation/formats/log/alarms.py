"""Scores of an anomaly detector: a row a moment or case, with what it truly was."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from annotation.formats.fields import shown
from annotation.formats.mapping import Meaning, find_columns
from annotation.formats.problems import Problems
from evaluation.engine.arrays import Bools, Floats, Ints
from evaluation.formats.log.columns import Column
from evaluation.formats.log.reading import open_log

SCORE = Meaning("score", ("score", "anomaly_score", "probability", "prediction", "y_score"))
POSITIVE = Meaning("positive", ("positive", "anomaly", "is_anomaly", "fraud", "is_fraud", "y", "y_true"))
TIME = Meaning("time", ("time", "seconds", "timestamp", "t"), needed=False)
EVENT = Meaning("event", ("event", "event_id", "incident", "incident_id"), needed=False)
MEANINGS = (SCORE, POSITIVE, TIME, EVENT)


@dataclass(frozen=True, eq=False)
class AlarmTable:
    """All columns (n,). `time` and `event` (−1: none) are None where the file has not both."""

    score: Floats
    positive: Bools
    time: Floats | None
    event: Ints | None


def read_alarms(path: Path, problems: Problems, chosen: dict[str, str] | None = None) -> AlarmTable:
    """`positive` is 0 or 1; `time` a number in any unit; `event` a name, empty for none.

    `chosen`: columns by meaning, where they go by other names. Raises `FormatError` for what is malformed, `OSError` as
    `open` does.
    """
    log = open_log(path, problems)
    for name in (chosen or {}).values():
        if name not in log.names:
            raise problems.stop(1, f"there is no column {shown(name)}; there are {', '.join(log.names[:20])}")
    mapping = find_columns(log.names, MEANINGS, chosen or {})
    if missing := mapping.missing(MEANINGS):
        there = ", ".join(log.names[:20])
        raise problems.stop(1, f"no column is called {missing[0].name}, nor {missing[0].names[1]} …; there are {there}")
    column = dict(mapping.column)
    if len({"time", "event"} & column.keys()) < 2:
        column = {name: column[name] for name in ("score", "positive")}
    kinds = {
        "score": Column("decimal"),
        "positive": Column("whole", least=0, most=1),
        "time": Column("decimal"),
        "event": Column("text", may_lack=True),
    }
    parts: dict[str, list[np.ndarray]] = {name: [] for name in column}
    names: dict[str, int] = {}
    for block in log.blocks({column[name]: kinds[name] for name in column}, problems):
        for name, part in parts.items():
            values = block.frame[column[name]]
            part.append(_codes(values.to_list(), names) if name == "event" else values.to_numpy())
    if not parts["score"]:
        raise problems.stop(0, "there is no row in this file")
    whole = {name: np.concatenate(pieces) for name, pieces in parts.items()}
    return AlarmTable(whole["score"], whole["positive"] == 1, whole.get("time"), whole.get("event"))


def _codes(values: list[str | None], names: dict[str, int]) -> Ints:
    return np.array([-1 if one is None else names.setdefault(one, len(names)) for one in values], np.int64)
