"""Evaluating a run: look up the judged pairs, let every measure work on all topics at once, average."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import compress
from typing import Literal, TypeAlias, TypedDict, Unpack

import numpy as np

from annotation.formats.threads import worked_ahead
from evaluation.engine.arrays import Bools, Floats, Ints
from evaluation.engine.backend import Backend, NumpyBackend, backend_for
from evaluation.engine.lookup import Lookup, look_up, pieces, stacked
from evaluation.engine.measures.base import Measure
from evaluation.engine.options import DEFAULT_OPTIONS, Options
from evaluation.engine.qrels import Qrels
from evaluation.engine.rankings import rankings_of
from evaluation.engine.run import PackedRun
from evaluation.engine.ties import is_tied

Averaging: TypeAlias = Literal["complete", "retrieved"]
AT_ONCE = 200_000  # found rows that are scored together: few enough for the cache, enough to outweigh each step's cost
PIECE = 1 << 16  # found rows and topics of one run, scored together in a thread
LEAST = 1e-5  # what a geometric mean takes a smaller value for (trec_eval's MIN_GEO_MEAN)


@dataclass(frozen=True, eq=False)
class MeasureValues:
    """What measures give a run, by topic and on the whole. Topics are in byte order of their numbers."""

    tag: str
    measures: tuple[str, ...]
    averaging: Averaging
    numbers: tuple[str, ...]  # the topics averaged over
    value: Floats = field(repr=False)  # (n_topics, n_measures)
    mean: Floats  # (n_measures,) of some measures the sum or the geometric mean
    missing: tuple[str, ...]  # topics of the qrels that the run lacks: 0 under "complete", left out under "retrieved"
    without_relevant: tuple[str, ...]  # topics averaged over that have no relevant document (grade ≥ 1): 0, but counted
    unknown: tuple[str, ...]  # topics of the run that the qrels lack: ignored
    n_judged_rows: int  # rows of the run that are judged (grade ≥ 0), at any depth
    n_tied_judged_rows: int  # of these, rows that share their score, so that the choice of `ties` decided their place
    top_grade: int  # the top of the scale as measures took it
    without_nonrelevant: tuple[str, ...] = ()  # topics averaged over where bpref has no judged document to count

    def no_interval(self, column: int) -> str:
        """Why the mean of the measure of this column has no interval over topics, in words; empty where it has."""
        return ""


class Scoring(TypedDict, total=False):
    """How runs are scored: the keyword arguments of every function that evaluates.

    `averaging` "complete", the default: over all topics of the qrels, a missing one counting 0 (trec_eval -c);
    "retrieved": over the topics that the run has too. `options` are trec_eval's unless given. `device` None computes
    with numpy, "cpu" or "cuda" with torch; the values are the same bits on the processor; on a graphics card, where the
    order of additions is free, 1e-12 is the aim.
    """

    averaging: Averaging
    options: Options
    device: str | None


def evaluate(run: PackedRun, qrels: Qrels, measures: Sequence[Measure], **scoring: Unpack[Scoring]) -> MeasureValues:
    """Evaluate a run against qrels.

    Raises `ValueError` for no measures, for a measure that the options do not go with, and under "retrieved" where the
    run has none of the topics.
    """
    return evaluate_runs([run], qrels, measures, **scoring)[0]


def evaluate_runs(
    runs: Sequence[PackedRun],
    qrels: Qrels,
    measures: Sequence[Measure],
    *,
    averaging: Averaging = "complete",
    options: Options = DEFAULT_OPTIONS,
    device: str | None = None,
) -> list[MeasureValues]:
    """Evaluate many runs against the same qrels, as many at a time as make `AT_ONCE` rows; see `evaluate`."""
    qrels.ideal_grade  # noqa: B018 (made once, before threads ask for it)
    top_grade = top_grade_of(qrels, options)
    lookups = (one for _, one in worked_ahead(lambda run: look_up(run, qrels, options, top_grade), runs))
    return evaluate_lookups(runs, lookups, qrels, measures, averaging=averaging, options=options, device=device)


def evaluate_lookups(
    runs: Sequence[PackedRun],
    lookups: Iterable[Lookup],
    qrels: Qrels,
    measures: Sequence[Measure],
    *,
    averaging: Averaging = "complete",
    options: Options = DEFAULT_OPTIONS,
    device: str | None = None,
) -> list[MeasureValues]:
    """As `evaluate_runs`, from what was looked up in each run; of `runs` and `qrels` no docno is asked for."""
    check_request(measures, averaging)
    if options.ties == "averaged":
        refused = [str(measure) for measure in measures if not measure.averages_ties]
        if refused:
            raise ValueError(f"no values averaged over ties for {', '.join(refused)}: name other measures")
    backend, top_grade = backend_for(device), top_grade_of(qrels, options)
    evaluations = list[MeasureValues]()

    def work(stack: list[Lookup]) -> Floats:
        return _values(stack, measures, options, top_grade, backend)

    stacks = _stacks(lookups)
    in_threads = isinstance(backend, NumpyBackend)
    for stack, values in worked_ahead(work, stacks) if in_threads else ((each, work(each)) for each in stacks):
        for one, value in zip(stack, values.reshape(len(stack), -1, len(measures)), strict=True):
            evaluations.append(
                evaluation_of(
                    runs[len(evaluations)],
                    qrels,
                    value,
                    measures,
                    in_run=one.in_run,
                    judged_row=one.judged_row,
                    averaging=averaging,
                    options=options,
                    top_grade=top_grade,
                )
            )
    return evaluations


def check_request(measures: Sequence[Measure], averaging: Averaging) -> None:
    """Raise `ValueError` for no measures, and for averaging that there is not."""
    if not measures:
        raise ValueError("no measures to evaluate")
    if averaging not in ("complete", "retrieved"):
        raise ValueError(f"averaging is 'complete' or 'retrieved', not {averaging!r}")


def top_grade_of(qrels: Qrels, options: Options) -> int:
    """The top grade: that of the options, else the highest that occurs. Raises `ValueError` for a grade above it."""
    highest = int(qrels.grade.max())
    if options.max_grade is not None and options.max_grade < highest:
        raise ValueError(f"the qrels have grade {highest}, above the top grade {options.max_grade}")
    return options.max_grade or max(highest, 1)


def _stacks(lookups: Iterable[Lookup]) -> Iterator[list[Lookup]]:
    """As many runs at a time as make `AT_ONCE` rows."""
    some, n_rows = list[Lookup](), 0
    for one in lookups:
        some.append(one)
        n_rows += one.topic.size + one.in_run.size
        if n_rows >= AT_ONCE:
            yield some
            some, n_rows = [], 0
    if some:
        yield some


def _values(
    stack: list[Lookup], measures: Sequence[Measure], options: Options, top_grade: int, backend: Backend
) -> Floats:
    """The values of all topics, run after run: (n_runs × n_topics, n_measures). In numpy one run in threads."""

    def work(piece: Lookup) -> Floats:
        rankings = rankings_of(piece, options, top_grade, backend)
        return np.stack([backend.get(measure.per_topic(rankings)) for measure in measures], axis=1)

    alone = len(stack) == 1 and isinstance(backend, NumpyBackend)
    some = pieces(stack[0], PIECE) if alone else [stacked(stack)]
    return np.concatenate([values for _, values in worked_ahead(work, some)])


def evaluation_of(
    run: PackedRun,
    qrels: Qrels,
    value: Floats,
    measures: Sequence[Measure],
    *,
    in_run: Bools,
    judged_row: Ints,
    averaging: Averaging,
    options: Options,
    top_grade: int,
    source: str = "qrels",
) -> MeasureValues:
    """The values of all topics, (n_topics, n_measures), averaged, and with what there is to know beside them.

    `in_run` (n_topics,) says which topics the run has, `judged_row` which of its rows are judged. Raises `ValueError`
    under "retrieved" where the run has none of the topics.
    """
    counted = topics_averaged(in_run, averaging)
    if not counted.any():
        raise ValueError(f"run {run.tag!r} has none of the {qrels.n_topics} topics of the {source}")
    value = value[counted]
    return MeasureValues(
        tag=run.tag,
        measures=tuple(map(str, measures)),
        averaging=averaging,
        numbers=_chosen(qrels.numbers, counted),
        value=value,
        mean=summarized(value, measures),
        missing=_chosen(qrels.numbers, ~in_run),
        without_relevant=_chosen(qrels.numbers, counted & ~qrels.has_relevant),
        unknown=tuple(sorted(set(run.numbers) - set(qrels.numbers), key=str.encode)),
        n_judged_rows=int(judged_row.size),
        n_tied_judged_rows=int(np.count_nonzero(is_tied(run, judged_row, options))),
        top_grade=top_grade,
        without_nonrelevant=_chosen(qrels.numbers, counted & qrels.lacks_nonrelevant()),
    )


def topics_averaged(in_run: Bools, averaging: Averaging) -> Bools:
    """Which topics means are taken over. (n_topics,)"""
    return np.ones_like(in_run) if averaging == "complete" else in_run


def summarized(value: Floats, measures: Sequence[Measure]) -> Floats:
    """The summary over topics that each measure has, (n_measures,)."""
    summary: Floats = np.add.accumulate(value)[-1]  # as `sequential_sum`, all columns at once
    for column, measure in enumerate(measures):
        if measure.summary == "geometric":
            logs = [math.log(max(x, LEAST)) for x in value[:, column].tolist()]
            summary[column] = math.exp(sequential_sum(np.array(logs)) / len(value))
        elif measure.summary != "sum":
            summary[column] /= len(value)
    return summary


def sequential_sum(value: Floats) -> float:
    """Added one after the other, as trec_eval does: numpy's own sum adds in pairs."""
    return float(np.add.accumulate(value)[-1])


def _chosen(numbers: tuple[str, ...], chosen: Bools) -> tuple[str, ...]:
    return tuple(compress(numbers, chosen.tolist()))
