"""The numbers of a report: the scorer's and the comparisons', as the commands print them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from annotation.text.counted import counted
from annotation.text.watch import Watch
from evaluation.engine.comparison import Comparison, check_comparable
from evaluation.engine.conclusions import compare_by
from evaluation.engine.many_runs import OF_MEANS, ManyRuns, compare_many
from evaluation.engine.measures import Measure, parse_measure
from evaluation.engine.qrels import Qrels
from evaluation.engine.run import PackedRun
from evaluation.engine.scorer import MeasureValues, evaluate_runs
from evaluation.engine.two_runs import TwoRuns, beside_others
from evaluation.formats.notes import notes_on
from evaluation.formats.report.question import Question

JUDGED = "Judged@10"
TOGETHER = 50  # runs evaluated between two words of progress


@dataclass(frozen=True)
class Contents:
    """`many`: in an evaluation the ranks by the first measure, in a comparison of three runs or more one a measure;
    `pairs` and `two` are of a comparison of two runs, `pairs` alone of one against a baseline. `by_cutoff`: by what a
    measure is called without its cutoff, one evaluation a run with a column a cutoff."""

    evaluations: Sequence[MeasureValues]
    judged: Sequence[float]  # mean Judged@10 of each run
    notes: Sequence[str]
    by_cutoff: Mapping[str, tuple[Sequence[Measure], Sequence[MeasureValues]]]
    many: Sequence[ManyRuns] = ()
    pairs: Sequence[Comparison] = ()
    two: Sequence[TwoRuns] = ()


def contents_of(
    question: Question, qrels: Qrels, runs: Sequence[PackedRun], *, watch: Watch, device: str | None = None
) -> Contents:
    """Raises `ValueError` as the scorer and the comparisons do."""

    def evaluated(measures: Sequence[Measure]) -> list[MeasureValues]:
        values: list[MeasureValues] = []
        for first in range(0, len(runs), TOGETHER):
            watch(
                first, len(runs), f"evaluating {counted(len(runs), 'run')} by {measures[0]}{' …' * (len(measures) > 1)}"
            )
            some, how = runs[first : first + TOGETHER], question.options
            values += evaluate_runs(some, qrels, measures, averaging=question.averaging, options=how, device=device)
        return values

    if question.kind == "comparison":
        check_comparable(question.measures)
    evaluations = evaluated(question.measures)
    families = with_cutoff(question.measures)
    at = {name: [replace(family, cutoff=k) for k in question.cutoffs] for name, family in families.items()}
    contents = Contents(
        evaluations,
        [float(one.mean[0]) for one in evaluated([parse_measure(JUDGED)])],
        list(notes_on(evaluations, qrels, question.measures, question.options)),
        {name: (some, evaluated(some)) for name, some in at.items()},
    )
    return (_ranked if question.kind == "evaluation" else _compared)(contents, question, watch)


def with_cutoff(measures: Sequence[Measure]) -> dict[str, Measure]:
    """Measures that take a rank as their cutoff, by their names without it."""
    shallow = (replace(one, cutoff=1) for one in measures if one.cut != "no" and one.cut_is == "rank")
    return {str(measure).removesuffix("@1"): measure for measure in shallow}


def _ranked(contents: Contents, question: Question, watch: Watch) -> Contents:
    """With the ranks that tests leave each run, where there are runs and topics to test."""
    first, evaluations = question.measures[0], contents.evaluations
    shared = set.intersection(*(set(one.numbers) for one in evaluations))
    can_be_tested = first.is_quality and first.summary == "mean" and len(shared) > 1 < len(evaluations)
    if not can_be_tested:
        return contents
    return replace(contents, many=[_many(evaluations, str(first), question, watch)])


def _compared(contents: Contents, question: Question, watch: Watch) -> Contents:
    evaluations, design, seed = contents.evaluations, question.design, question.seed
    names = [str(one) for one in question.measures]
    if len(evaluations) > 2 and design.baseline is None and design.test in OF_MEANS:
        return replace(contents, many=[_many(evaluations, name, question, watch) for name in names])
    pairs = compare_by(names, evaluations, design, rng=np.random.default_rng(seed), seed=seed, watch=watch)
    two = [beside_others(one, evaluations, seed=seed) for one in pairs] if len(evaluations) == 2 else []
    return replace(contents, pairs=pairs, two=two)


def _many(evaluations: Sequence[MeasureValues], measure: str, question: Question, watch: Watch) -> ManyRuns:
    def progress(done: int, total: int) -> None:
        watch(done, total, f"comparing by {measure}")

    return compare_many(evaluations, measure, question.design, seed=question.seed, watch=progress)
