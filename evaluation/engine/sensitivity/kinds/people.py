"""Changes of who judged: an annotator left out, and one complete annotator a topic as Voorhees had it."""

import numpy as np

from annotation.quality.outcome import Source
from evaluation.engine.arrays import Bools, Ints
from evaluation.engine.sensitivity.cases import UNJUDGED, means_of
from evaluation.engine.sensitivity.context import StudyContext
from evaluation.engine.sensitivity.judgments import Judgments
from evaluation.engine.sensitivity.kinds.kind import Cases, Kind
from evaluation.engine.significance.inputs import Rng, generator

UNION, INTERSECTION = "union", "intersection"
FEWEST = 2  # complete annotators of a topic, for one of them to be drawn


def complete_grades(judgments: Judgments) -> tuple[Ints, Bools]:
    """`(grade, complete)`: what each annotator gave each pair, (n_annotators, n_pairs), −1 where nothing; and who
    judged all pairs of a topic that anybody judged, (n_annotators, n_topics).

    Pairs that an expert or an adjudicator decided keep that grade, and nobody needs to have judged them.

    Raises `ValueError`, in words, unless every topic has two complete annotators: where overlap is partial, a draw
    would mix persons within a topic, and agree the more the less they overlap.
    """
    pairs, grade = judgments.pairs, _grades_by_person(judgments)
    decided = _decided(judgments)
    is_undecided = (grade >= 0).any(axis=0) & (decided < 0)  # somebody judged it, and nobody decided
    n_undecided = np.bincount(pairs.topic[is_undecided], minlength=pairs.n_topics)
    judged = [np.bincount(pairs.topic[is_undecided & (row >= 0)], minlength=pairs.n_topics) for row in grade]
    complete = np.array(judged).reshape(-1, pairs.n_topics) == n_undecided
    n_with = int((complete.sum(axis=0) >= FEWEST).sum())
    if n_with < pairs.n_topics:
        raise ValueError(
            f"overlap is partial: {n_with} of {pairs.n_topics} topics have two annotators who judged all of its pairs, "
            "and the experiment needs two of every topic"
        )
    return np.where(decided >= 0, decided, np.where(is_undecided, grade, UNJUDGED)), complete


def one_annotator_a_topic(grade: Ints, complete: Bools, topic: Ints, *, n_draws: int, rng: Rng) -> Ints:
    """Qrels of one complete annotator a topic, drawn topic by topic: (n_draws, n_pairs).

    Voorhees, Variations in relevance judgments and the measurement of retrieval effectiveness, IPM 36, 2000.
    """
    draw = generator(rng).random((n_draws, *complete.shape)) * complete  # (n_draws, n_annotators, n_topics)
    drawn = draw.argmax(axis=1)  # (n_draws, n_topics)
    grades: Ints = grade[drawn[:, topic], np.arange(topic.size)]
    return grades


def union_and_intersection(grade: Ints, complete: Bools, topic: Ints) -> tuple[list[str], Ints]:
    """The highest and the lowest grade of the topic's complete annotators, (2, n_pairs): of two grades, union and
    intersection of what is relevant."""
    counted = complete[:, topic]
    high = np.where(counted, grade, UNJUDGED).max(axis=0)
    low = np.where(counted, grade, grade.max(initial=0)).min(axis=0)
    return [UNION, INTERSECTION], np.stack([high, low])


def _grades_by_person(judgments: Judgments) -> Ints:
    """(n_annotators, n_pairs): the grade that counts of each believed annotator."""
    inputs, table = judgments.inputs, judgments.inputs.table
    row = inputs.counted(count_not_blind=judgments.policy.count_not_blind)
    index, is_here = judgments.find(table.pair[row])
    line = np.full(len(table.annotators), -1)
    line[judgments.annotators] = np.arange(len(judgments.annotators))
    of = line[table.annotator[row]]
    chosen = is_here & (of >= 0)
    grade = np.full((len(judgments.annotators), judgments.key.size), UNJUDGED)
    grade[of[chosen], index[chosen]] = table.grade[row[chosen]]
    return grade


def _decided(judgments: Judgments) -> Ints:
    """(n_pairs,): the grade where somebody had the last word, −1 elsewhere."""
    outcome = judgments.outcome
    index, is_here = judgments.find(outcome.table.keys_of(outcome))
    taken = is_here & outcome.kept & (outcome.source != Source.JUDGED)
    decided = np.full(judgments.key.size, UNJUDGED)
    decided[index[taken]] = outcome.grade[taken]
    return decided


def _without_each(context: StudyContext) -> Cases:
    return context.judgments.names, means_of(context.without)


def _one_annotator(context: StudyContext) -> Cases:
    grade, complete = complete_grades(context.judgments)
    topic, n_draws = context.pairs.topic, context.question.n_draws
    drawn = one_annotator_a_topic(grade, complete, topic, n_draws=n_draws, rng=context.rng())
    return (), context.ready_runs.means(drawn)


def _both_ways(context: StudyContext) -> Cases:
    names, grade = union_and_intersection(*complete_grades(context.judgments), context.pairs.topic)
    return names, context.ready_runs.means(grade)


ANNOTATORS = Kind("annotators", "one annotator left out", _without_each)
ONE_ANNOTATOR = Kind("one_annotator", "one complete annotator a topic, drawn", _one_annotator)
UNION_INTERSECTION = Kind("union_intersection", "union and intersection of complete annotators", _both_ways)
