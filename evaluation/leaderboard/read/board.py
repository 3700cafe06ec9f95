"""Runs ranked by their values against a snapshot."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from annotation.models import Snapshot
from evaluation.engine.measures import is_quality
from evaluation.leaderboard.read.evaluations import CONFIDENCE, Mean, digits_of, means_at
from evaluation.models import Evaluation, Run

LOWEST = float("-inf")  # where what was not evaluated goes, in any order by value


@dataclass(frozen=True)
class Cell:
    """A mean with the ends of its interval; `is_best` where more is better and no run has a higher one."""

    mean: float
    low: float | None
    high: float | None
    is_best: bool
    digits: int


@dataclass(frozen=True)
class Row:
    """A run with a cell a measure; None where the run was evaluated without that measure."""

    evaluation: Evaluation
    cells: list[Cell | None]


@dataclass(frozen=True)
class Leaderboard:
    snapshot: Snapshot
    measures: list[str]
    rows: list[Row]
    waiting: list[Run]  # runs of the collection not yet evaluated against the snapshot

    def at(self, confidence: float) -> "Leaderboard":
        """The same with intervals of means of this confidence, each by itself."""
        if confidence == CONFIDENCE:
            return self
        rows = [replace(row, cells=_at(row, self.measures, confidence)) for row in self.rows]
        return replace(self, rows=rows)


def leaderboard_of(snapshot: Snapshot, *, averaging: str, sort: str = "") -> Leaderboard:
    """The evaluated runs, ordered by `sort`: "tag" or a measure, descending with a leading "-".

    Any other value stands for the first measure, descending.
    """
    evaluations = list(
        Evaluation.objects.filter(snapshot=snapshot, averaging=averaging).select_related("run").order_by("run__tag")
    )
    measures = list(dict.fromkeys(name for each in evaluations for name in each.measures))
    best = {name: max(_means_of(evaluations, name)) for name in measures if is_quality(name)}
    facts = [(name, best.get(name), digits_of(name)) for name in measures]
    rows = [
        Row(each, [_cell(means.get(name), highest, digits) for name, highest, digits in facts])
        for each in evaluations
        for means in [means_at(each, CONFIDENCE)]
    ]
    others = Run.objects.filter(collection=snapshot.collection_id).exclude(pk__in=[each.run_id for each in evaluations])
    return Leaderboard(snapshot, measures, _sorted(rows, measures, sort), list(others))


def _means_of(evaluations: Sequence[Evaluation], name: str) -> Iterator[float]:
    return (each.means[name]["mean"] for each in evaluations if name in each.means)


def _at(row: Row, measures: Sequence[str], confidence: float) -> list[Cell | None]:
    means = means_at(row.evaluation, confidence)
    cells = zip(measures, row.cells, strict=True)
    return [replace(cell, low=means[name]["low"], high=means[name]["high"]) if cell else None for name, cell in cells]


def _cell(mean: Mean | None, best: float | None, digits: int) -> Cell | None:
    return Cell(**mean, is_best=mean["mean"] == best, digits=digits) if mean else None


def _sorted(rows: list[Row], measures: list[str], sort: str) -> list[Row]:
    key = sort.removeprefix("-")
    if key == "tag":
        return sorted(rows, key=lambda row: row.evaluation.run.tag, reverse=sort.startswith("-"))
    if key not in measures:
        key, sort = (measures or [""])[0], "-"
    if not measures:
        return rows
    index = measures.index(key)

    def mean(row: Row) -> float:
        cell = row.cells[index]
        return LOWEST if cell is None else cell.mean

    return sorted(rows, key=mean, reverse=sort.startswith("-"))
