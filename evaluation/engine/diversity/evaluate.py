"""Evaluating a run by diversity measures."""

from collections.abc import Callable, Sequence
from typing import TypeVar, Unpack

import numpy as np

from evaluation.engine.arrays import Floats
from evaluation.engine.backend import backend_for
from evaluation.engine.diversity.measures import DiversityMeasure
from evaluation.engine.diversity.qrels import DiversityQrels
from evaluation.engine.diversity.view import Intents, view
from evaluation.engine.lookup import look_up
from evaluation.engine.measures.base import Measure
from evaluation.engine.options import DEFAULT_OPTIONS, Options
from evaluation.engine.run import PackedRun
from evaluation.engine.scorer import Averaging, MeasureValues, Scoring, check_request, evaluation_of, top_grade_of

Kind = TypeVar("Kind", bound=Measure)


def evaluate_diversity(
    run: PackedRun, qrels: DiversityQrels, measures: Sequence[DiversityMeasure], **scoring: Unpack[Scoring]
) -> MeasureValues:
    """Evaluate a run against diversity qrels.

    Under `judged_only` a document stays if it is judged for any subtopic. Raises `ValueError` for no or other measures,
    for averaged ties and for unjudged documents as the top grade, which no diversity measure has, and under "retrieved"
    where the run has none of the topics.
    """
    check_kind(measures, DiversityMeasure, source="diversity qrels")
    return evaluate_subtopics(run, qrels, measures, lambda measure, intents: measure.over_intents(intents), **scoring)


def evaluate_subtopics(
    run: PackedRun,
    qrels: DiversityQrels,
    measures: Sequence[Kind],
    value_of: Callable[[Kind, Intents], Floats],
    *,
    by_intent: bool = False,
    averaging: Averaging = "complete",
    options: Options = DEFAULT_OPTIONS,
    device: str | None = None,
) -> MeasureValues:
    """`value_of` a measure is its value for each topic; `by_intent` as in `diversity.view`."""
    check_options(measures, averaging, options)
    backend, top_grade = backend_for(device), top_grade_of(qrels.documents, options)
    lookup = look_up(run, qrels.coded, options, top_grade)
    intents = view(qrels, lookup, options, top_grade, backend, by_intent=by_intent)
    return evaluation_of(
        run,
        qrels.documents,
        np.stack([backend.get(value_of(measure, intents)) for measure in measures], axis=1),
        measures,
        in_run=lookup.in_run,
        judged_row=lookup.judged_row,
        averaging=averaging,
        options=options,
        top_grade=top_grade,
    )


def check_kind(measures: Sequence[Measure], kind: type, *, source: str) -> None:
    """Raise `ValueError` for measures of another kind."""
    others = [str(measure) for measure in measures if not isinstance(measure, kind)]
    if others:
        raise ValueError(f"{', '.join(others)} cannot be computed from {source}")


def check_options(measures: Sequence[Measure], averaging: Averaging, options: Options) -> None:
    """Raise `ValueError` for what no measure of diversity, preferences or groups can be asked for."""
    check_request(measures, averaging)
    if options.ties == "averaged":
        raise ValueError(f"no values averaged over ties for {', '.join(map(str, measures))}")
    if options.unjudged == "top":
        raise ValueError(f"unjudged documents cannot count as the top grade for {', '.join(map(str, measures))}")
