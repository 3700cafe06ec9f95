"""Values topic by topic: of one run beside the others, and of many."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from annotation.kernel.tables import natural_order
from annotation.models import Snapshot
from evaluation.engine.measures import parse_measure
from evaluation.engine.options import Options
from evaluation.engine.side_by_side import SideBySide, side_by_side
from evaluation.leaderboard.read.board import LOWEST
from evaluation.leaderboard.read.evaluations import column_of, load_qrels
from evaluation.models import Evaluation, Run
from evaluation.runs.read import stored_run


@dataclass(frozen=True)
class TopicAgainst:
    """A run's value of a topic beside those of all runs evaluated alike, itself among them."""

    number: str
    value: float
    median: float
    best: float
    best_tag: str

    @property
    def difference(self) -> float:
        """From the median run."""
        return self.value - self.median


def topics_against(evaluation: Evaluation, measure: str) -> list[TopicAgainst]:
    """Of the topics that the run was averaged over: hardest first, by the median run; equal ones in their order."""
    others = Evaluation.objects.filter(snapshot=evaluation.snapshot_id, averaging=evaluation.averaging)
    columns = {each.run.tag: _column(each, measure) for each in others.select_related("run").order_by("run__tag")}
    rows = []
    for number, value in sorted(_column(evaluation, measure).items(), key=lambda one: natural_order(one[0])):
        values = {tag: column[number] for tag, column in columns.items() if number in column}
        tag = max(values, key=values.__getitem__)
        rows.append(TopicAgainst(number, value, float(np.median(list(values.values()))), values[tag], tag))
    return sorted(rows, key=lambda row: row.median)


@dataclass(frozen=True)
class TopicRow:
    """A topic with the value of each evaluation, None where the topic was not averaged over."""

    number: str
    values: list[float | None]


def two_runs_beside(snapshot: Snapshot, runs: tuple[Run, Run], number: str, measure: str) -> SideBySide:
    """On one topic, by the grades of the snapshot; the values are those of an evaluation.

    Raises `ValueError` for an unknown measure and as `side_by_side` does; `PackedError` for a run of an older form.
    """
    qrels, (first, second) = load_qrels(snapshot), runs
    options = Options(max_grade=max(snapshot.scale.top if snapshot.scale else 1, int(qrels.grade.max())))
    packed = stored_run(first), stored_run(second)
    return side_by_side(packed, qrels, number, parse_measure(measure), options)


def topic_rows(evaluations: Sequence[Evaluation], measure: str, *, sort: str = "") -> list[TopicRow]:
    """One row a topic, one column an evaluation. `sort`: "topic" or a tag, descending with a leading "-"."""
    columns = [_column(each, measure) for each in evaluations]
    numbers = sorted({number for column in columns for number in column}, key=natural_order)
    rows = [TopicRow(number, [column.get(number) for column in columns]) for number in numbers]
    tags = [each.run.tag for each in evaluations]
    key = sort.removeprefix("-")
    if key in tags:
        index = tags.index(key)
        rows.sort(key=lambda row: _value(row.values[index]), reverse=sort.startswith("-"))
    elif sort == "-topic":
        rows.reverse()
    return rows


def _column(evaluation: Evaluation, measure: str) -> dict[str, float]:
    if measure not in evaluation.measures:
        return {}
    column = column_of(evaluation, measure)
    return dict(zip(column.numbers, column.value[:, 0].tolist(), strict=True))


def _value(value: float | None) -> float:
    return LOWEST if value is None else value
