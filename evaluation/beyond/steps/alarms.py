"""Alarms from a file of scores, a run or vectors, as `evaluate_alarms` has them."""

from functools import partial
from typing import Any

from evaluation.beyond.steps.asking import Asked
from evaluation.beyond.steps.reading import run_in, table_in, vectors_in
from evaluation.engine.beyond.alarm_description import AlarmDescription, describe_alarms
from evaluation.engine.beyond.curves import Path, at_threshold, trade
from evaluation.engine.beyond.detectors import NEIGHBOURS
from evaluation.formats.beyond import alarms_as_facts, scored_items
from evaluation.formats.log.alarms import AlarmTable, read_alarms
from evaluation.formats.log.catalogue import read_anomalies

LEVELS = ("false_rate", "threshold", "false_alarm", "miss")


def described_alarms(asked: Asked) -> tuple[dict[str, Any], dict[str, Any]]:
    """`(figures, drawing)`. Raises `FormatError`, `PackedError`, and `ValueError` as the figures."""
    table, options = _table(asked), asked.options
    levels = {name: options[name] for name in LEVELS if name in options}
    description = describe_alarms(table.score, table.positive, time=table.time, event=table.event, **levels)
    return alarms_as_facts(description), _drawing(table, description, options)


def _table(asked: Asked) -> AlarmTable:
    part, options = asked.sources, asked.options
    scores = table_in(part.get("scores"), partial(read_alarms, chosen=options.get("columns")))
    if scores is not None:
        return scores
    positive = table_in(part["anomalies"], read_anomalies) or {}
    run = run_in(part["run"]) if "run" in part else None
    return scored_items(run, vectors_in(part.get("vectors")), positive, neighbour=options.get("neighbour", NEIGHBOURS))


def _drawing(table: AlarmTable, description: AlarmDescription, options: Any) -> dict[str, Any]:
    costs = (options["false_alarm"], options["miss"]) if description.cost else None
    curves = trade(table.score, table.positive, costs=costs)
    threshold = description.detection.threshold if description.threshold is None else description.threshold
    false_rate, detected, right = at_threshold(table.score, table.positive, threshold)
    return {
        "roc": _points(curves.roc),
        "precision": _points(curves.precision),
        "cost": _points(curves.cost) if curves.cost else None,
        "at": {"threshold": threshold, "false_rate": false_rate, "detected": detected, "right": right},
    }


def _points(path: Path) -> dict[str, list[float]]:
    return {"x": path.x.tolist(), "y": path.y.tolist()}
