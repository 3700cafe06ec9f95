"""What a reader of figures should know beside them, in a sentence each: topics left out, ties, levels, bounds."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from evaluation.engine.measures import BinaryMeasure, Measure
from evaluation.engine.measures.bpref import Bpref
from evaluation.engine.options import Options, Ties
from evaluation.engine.qrels import Qrels
from evaluation.engine.scorer import MeasureValues

NAMED = 10  # topics a note names before it says "and so on"
DECIDES: Mapping[Ties, str] = {
    "docno": "their docnos decide",
    "docno ascending": "their docnos decide, ascending",
    "file": "the order of their lines decides",
    "averaged": "values are averaged over their orders",
}


def notes_on(
    evaluations: Sequence[MeasureValues], reference: object, measures: Sequence[Measure], options: Options
) -> Iterator[str]:
    """Notes on each run, then on the judgments where these are plain qrels."""
    for evaluation in evaluations:
        for note in _notes(evaluation, measures, options):
            yield f"{evaluation.tag}: {note}"
    yield from _level_notes(reference, measures)
    yield from bpref_notes(reference, measures)


def _notes(evaluation: MeasureValues, measures: Sequence[Measure], options: Options) -> Iterator[str]:
    treated = "counted as 0" if evaluation.averaging == "complete" else "left out"
    if evaluation.missing:
        yield f"{_topics(evaluation.missing)} of the qrels missing from the run, {treated}"
    if evaluation.without_relevant:
        yield f"{_topics(evaluation.without_relevant)} without a relevant document, counted as 0"
    if evaluation.unknown:
        yield f"{_topics(evaluation.unknown)} of the run not in the qrels, ignored"
    if evaluation.n_tied_judged_rows:
        tied = f"{evaluation.n_tied_judged_rows} of {evaluation.n_judged_rows} judged rows share their score"
        yield f"{tied}: {DECIDES[options.ties]}"
    graded = [str(measure) for measure in measures if measure.uses_top_grade]
    if graded:
        yield f"max_grade {evaluation.top_grade} in {', '.join(graded)}"
    yield from filter(None, map(evaluation.no_interval, range(len(evaluation.measures))))


def case_notes(measures: Sequence[Measure], top_grade: int) -> Iterator[str]:
    """Which of the values beside a run's own are bounds."""
    bounded = [str(measure) for measure in measures if measure.is_bounded(top_grade)]
    others = [str(measure) for measure in measures if not measure.is_bounded(top_grade)]
    if bounded:
        yield f"unjudged as top: an upper bound for {', '.join(bounded)}"
    if others:
        yield f"unjudged as top: a scenario for {', '.join(others)}, whose values may lie outside the two"


def _level_notes(qrels: object, measures: Sequence[Measure]) -> Iterator[str]:
    """Which topics have nothing that is relevant at the levels above 1 that measures ask for."""
    if not isinstance(qrels, Qrels):
        return
    levels = sorted({one.rel for one in measures if isinstance(one, BinaryMeasure) and one.rel > 1})
    for level in levels:
        has = set(qrels.topic[qrels.grade >= level].tolist())
        without = tuple(number for topic, number in enumerate(qrels.numbers) if topic not in has)
        if without:
            yield f"{_topics(without)} of the qrels without a grade of at least {level}, of value 0 with rel={level}"


def bpref_notes(qrels: object, measures: Sequence[Measure]) -> Iterator[str]:
    """Where bpref has no judged document to count against a run, so that it is another measure."""
    if not isinstance(qrels, Qrels):
        return
    for one in (measure for measure in measures if isinstance(measure, Bpref)):
        lacking = np.flatnonzero(qrels.lacks_nonrelevant(one.rel)).tolist()
        if lacking:
            topics = _topics(tuple(qrels.numbers[topic] for topic in lacking))
            yield f"{topics} of the qrels without a judged document below grade {one.rel}: {one} is recall there"


def _topics(numbers: tuple[str, ...]) -> str:
    named = " ".join(numbers[:NAMED]) + (" …" if len(numbers) > NAMED else "")
    return f"{len(numbers)} topic{'s' if len(numbers) > 1 else ''} ({named})"
