"""Runs ranked by their values against a snapshot, and these values topic by topic."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from django.conf import settings
from django.db.models import QuerySet

from annotation.formats.problems import Problems
from annotation.formats.qrels import parse_qrels
from annotation.formats.store import path_of
from annotation.kernel.tables import natural_order
from annotation.models import Collection, Snapshot
from evaluation.engine.comparison import Comparison, Design
from evaluation.engine.conclusions import compare_by
from evaluation.engine.many_runs import ManyRuns, compare_many
from evaluation.engine.measures import is_count, is_quality, parse_measure
from evaluation.engine.one_run import RankedDocument, unjudged
from evaluation.engine.qrels import Qrels
from evaluation.engine.scorer import Evaluation as Values
from evaluation.engine.significance.tukey import N_PERMUTATIONS
from evaluation.engine.values import load_values
from evaluation.models import Evaluation, Run
from evaluation.runs.read import stored_run

DECIMALS, WHOLE = 4, -4  # of a value as a page shows it; below 0: only where it is no whole number
MOST_DRAWN = 10**9  # values, runs · topics · permutations: some 15 seconds
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
    measures: list[str]
    rows: list[Row]
    waiting: list[Run]  # runs of the collection not yet evaluated against the snapshot


def has_evaluations(collection: Collection) -> bool:
    return Evaluation.objects.filter(snapshot__collection=collection).exists()


def leaderboard_of(snapshot: Snapshot, *, averaging: str, sort: str = "") -> Leaderboard:
    """The evaluated runs, ordered by `sort`: "tag" or a measure, descending with a leading "-".

    Any other value stands for the first measure, descending.
    """
    evaluations = list(
        Evaluation.objects.filter(snapshot=snapshot, averaging=averaging).select_related("run").order_by("run__tag")
    )
    measures = list(dict.fromkeys(name for each in evaluations for name in each.measures))
    best = {name: max(_means_of(evaluations, name)) for name in measures if is_quality(name)}
    rows = [Row(each, [_cell(each, name, best.get(name)) for name in measures]) for each in evaluations]
    evaluated = {each.run_id for each in evaluations}
    return Leaderboard(
        measures,
        _sorted(rows, measures, sort),
        [run for run in Run.objects.filter(collection=snapshot.collection_id) if run.pk not in evaluated],
    )


def evaluations_of(
    collection: Collection, *, snapshot: Snapshot | None = None, run: Run | None = None, averaging: str = ""
) -> QuerySet[Evaluation]:
    """Against the newest snapshot first, then by tag; those of one snapshot, run or averaging alone, where given."""
    evaluations = Evaluation.objects.filter(run__collection=collection).select_related(
        "run", "snapshot__collection", "snapshot__policy"
    )
    if snapshot is not None:
        evaluations = evaluations.filter(snapshot=snapshot)
    if run is not None:
        evaluations = evaluations.filter(run=run)
    if averaging:
        evaluations = evaluations.filter(averaging=averaging)
    return evaluations.order_by("-snapshot", "run__tag", "averaging")


def digits_of(measure: str) -> int:
    """How many decimals a page shows of a value, as `floatformat` takes it: none where documents are counted."""
    return WHOLE if is_count(measure) else DECIMALS


def values_of(evaluation: Evaluation) -> Values:
    """The per-topic values, read from their file."""
    return load_values(path_of(settings.TOUCHSTONE_FILES, evaluation.sha256))


def deviations_of(values: Values) -> list[float | None]:
    """Of each measure over topics, n − 1, as `evaluate --json` has it; None for one topic and for what is no mean."""
    columns = zip(values.value.T, values.mean.tolist(), strict=True)
    return [
        float(column.std(ddof=1)) if column.size > 1 and math.isclose(float(column.mean()), mean) else None
        for column, mean in columns
    ]


def compared_with(design: Design, evaluations: Sequence[Evaluation], measure: str) -> Comparison:
    """Each evaluated run against the baseline of the design, as `manage.py compare`. Raises `ValueError` as `compare`
    does, and where a run lacks the measure or it is none of which more is better."""
    if not is_quality(measure) or parse_measure(measure).summary == "geometric":
        raise ValueError(f"No differences of {measure} are tested.")
    if lacking := [each.run.tag for each in evaluations if measure not in each.measures]:
        raise ValueError(f"Not evaluated by {measure}: {', '.join(lacking)}.")
    values = [values_of(each) for each in evaluations]
    return compare_by([measure], values, design, rng=np.random.default_rng(0), seed=0)[0]


def many_compared(evaluations: Sequence[Evaluation], measure: str, design: Design, *, seed: int) -> ManyRuns:
    """`compare_many` of what is stored. Raises `ValueError` as it does, and where it would draw for minutes."""
    values = [values_of(each) for each in evaluations]
    n_drawn = (design.n_draws or N_PERMUTATIONS) * sum(len(one.numbers) for one in values)
    if design.test == "tukey" and n_drawn > MOST_DRAWN:
        raise ValueError(f"{n_drawn:,} values would be drawn, and here {MOST_DRAWN:,} at most: take fewer draws")
    return compare_many(values, measure, design, seed=seed)


def load_qrels(snapshot: Snapshot) -> Qrels:
    """The snapshot's qrels as the engine wants them."""
    with path_of(settings.TOUCHSTONE_FILES, snapshot.qrels_sha256).open("rb") as stream:
        return Qrels.of_table(parse_qrels(stream, Problems(snapshot.name)))


def unjudged_of(evaluation: Evaluation, *, depth: int) -> list[RankedDocument]:
    """What the run has within the depth and the snapshot does not judge, rank by rank. Raises `PackedError`."""
    return unjudged(stored_run(evaluation.run), load_qrels(evaluation.snapshot), depth=depth)


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
    values = values_of(evaluation)
    if measure not in values.measures:
        return {}
    column = values.value[:, values.measures.index(measure)]
    return dict(zip(values.numbers, column.tolist(), strict=True))


def _value(value: float | None) -> float:
    return LOWEST if value is None else value


def _means_of(evaluations: Sequence[Evaluation], name: str) -> Iterator[float]:
    return (each.means[name]["mean"] for each in evaluations if name in each.means)


def _cell(evaluation: Evaluation, name: str, best: float | None) -> Cell | None:
    mean = evaluation.means.get(name)
    return Cell(**mean, is_best=mean["mean"] == best, digits=digits_of(name)) if mean else None


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
