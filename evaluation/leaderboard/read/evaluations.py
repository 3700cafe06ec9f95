"""What runs were evaluated to, as it is stored, and what they were evaluated against."""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TypedDict

from django.db.models import Exists, OuterRef, QuerySet

from annotation.formats.problems import Problems
from annotation.formats.qrels import parse_qrels
from annotation.kernel.store import path_of
from annotation.models import Collection, Snapshot
from evaluation.engine.measures import is_count, parse_measure
from evaluation.engine.one_run import RankedDocument, unjudged
from evaluation.engine.qrels import Qrels
from evaluation.engine.scorer import MeasureValues
from evaluation.engine.value_range import interval_of_mean
from evaluation.engine.values import load_values
from evaluation.leaderboard.read.kept import kept
from evaluation.models import Evaluation, Run
from evaluation.runs.read import stored_run

CONFIDENCE = 0.95  # of the intervals of means that are stored
MEANS_FORM = 3  # of means as they are stored: ends of another (1: Student's intervals) are worked out anew
MOST_CELLS = 1_000_000  # of columns that are kept: some 80 MB a process
MOST_MEANS = 200_000
DECIMALS, WHOLE = 4, -4  # of a value as a page shows it; below 0: only where it is no whole number


class Mean(TypedDict):
    """As it is stored; without ends where it has no interval."""

    mean: float
    low: float | None
    high: float | None


def has_evaluations(collection: Collection) -> bool:
    return Evaluation.objects.filter(snapshot__collection=collection).exists()


def evaluated_snapshots(collection: Collection) -> QuerySet[Snapshot]:
    """The newest first."""
    evaluated = Evaluation.objects.filter(snapshot=OuterRef("pk"))
    return Snapshot.objects.filter(Exists(evaluated), collection=collection).order_by("-id")


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


def values_of(evaluation: Evaluation) -> MeasureValues:
    """The per-topic values, read from their file."""
    return load_values(path_of(evaluation.sha256))


def column_of(evaluation: Evaluation, measure: str) -> MeasureValues:
    """The per-topic values of one measure alone. Raises `ValueError` where the run was not evaluated by it."""
    return column_in(evaluation.sha256, measure)


def _cells_of(column: MeasureValues) -> int:
    return int(column.value.size) + len(column.missing) + len(column.unknown)


@kept(most=MOST_CELLS, cells=_cells_of)  # as below
def column_in(sha256: str, measure: str) -> MeasureValues:
    """The same of a file of values."""
    values = load_values(path_of(sha256))
    at = values.measures.index(measure)
    value = values.value[:, at : at + 1].copy()  # the other columns are given back
    mean = values.mean[at : at + 1].copy()
    for array in (value, mean):
        array.setflags(write=False)  # all who ask are given the same
    return replace(values, measures=(measure,), value=value, mean=mean)


def deviations_of(values: MeasureValues) -> list[float | None]:
    """Of each measure over topics, n − 1, as `evaluate --json` has it; None for one topic and for what is no mean."""
    columns = zip(values.measures, values.value.T, strict=True)
    return [
        float(column.std(ddof=1)) if column.size > 1 and parse_measure(name).summary == "mean" else None
        for name, column in columns
    ]


def means_at(evaluation: Evaluation, confidence: float) -> Mapping[str, Mean]:
    """The means with intervals of this confidence: those that are stored, or from the values."""
    if confidence == CONFIDENCE and evaluation.means_form == MEANS_FORM:
        stored: dict[str, Mean] = evaluation.means
        return stored
    return _means_in(evaluation.sha256, confidence)


def _n_means(means: Mapping[str, Mean]) -> int:
    return len(means)


@kept(most=MOST_MEANS, cells=_n_means)  # a file never changes: what follows from it is computed once a process
def _means_in(sha256: str, confidence: float) -> Mapping[str, Mean]:
    return MappingProxyType(means_of(load_values(path_of(sha256)), confidence))


def means_of(values: MeasureValues, confidence: float) -> dict[str, Mean]:
    """By measure: the summary over topics; for a mean of several topics the ends of its interval, too."""
    means: dict[str, Mean] = {}
    for column, name in enumerate(values.measures):
        has_interval = len(values.numbers) > 1 and parse_measure(name).summary == "mean"
        ends = interval_of_mean(values.value[:, column], name, confidence=confidence) if has_interval else None
        means[name] = {
            "mean": float(values.mean[column]),
            "low": ends.low if ends else None,
            "high": ends.high if ends else None,
        }
    return means


def load_qrels(snapshot: Snapshot) -> Qrels:
    """The snapshot's qrels as the engine wants them."""
    with path_of(snapshot.qrels_sha256).open("rb") as stream:
        return Qrels.of_table(parse_qrels(stream, Problems(snapshot.name)))


def unjudged_of(evaluation: Evaluation, *, depth: int) -> list[RankedDocument]:
    """What the run has within the depth and the snapshot does not judge, rank by rank. Raises `PackedError`."""
    return unjudged(stored_run(evaluation.run), load_qrels(evaluation.snapshot), depth=depth)
