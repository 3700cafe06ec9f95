"""Every kind of change, one after the other, and the shares of draws of pairs of runs: all of it by one measure."""

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from annotation.text.watch import Watch, say_nothing
from evaluation.engine.arrays import Floats
from evaluation.engine.sensitivity.context import StudyContext
from evaluation.engine.sensitivity.evidence import Evidence, JudgmentsAnew, Question
from evaluation.engine.sensitivity.judge_orders import JudgeOrder, judge_orders, ranks_of
from evaluation.engine.sensitivity.kinds import KINDS, Kind
from evaluation.engine.sensitivity.kinds.contributions import groups_of
from evaluation.engine.sensitivity.kinds.judges import JUDGES
from evaluation.engine.sensitivity.kinds.kind import Cases
from evaluation.engine.sensitivity.orders import OrderUnder, order_under
from evaluation.engine.sensitivity.shares.crossed import crossed_shares
from evaluation.engine.sensitivity.shares.posterior import drawn_means, share_by_grades
from evaluation.engine.sensitivity.shares.share import Share
from evaluation.engine.sensitivity.shares.topics import share_by_topics

N_RESAMPLES = 9_999  # of topics


@dataclass(frozen=True)
class PairShares:
    """Two runs: the difference of their means, first minus second, and the shares of draws in which the first wins."""

    first: str
    second: str
    difference: float
    topics: Share
    judgments: Share
    both: Share

    @property
    def turned(self) -> "PairShares":
        """Of the second before the first."""
        of_first = (self.topics, self.judgments, self.both)
        topics, judgments, both = (one if one.share is None else replace(one, share=1 - one.share) for one in of_first)
        return PairShares(self.second, self.first, -self.difference, topics, judgments, both)


@dataclass(frozen=True)
class Sensitivity:
    """`tags` by their means, the best first, equal ones by tag. `policy` is that of the judgments, as JSON; empty where
    qrels come without judgments."""

    measure: str
    tags: tuple[str, ...]
    mean: tuple[float, ...]
    n_topics: int
    n_judged: int
    pool_depth: int
    judgments_anew: JudgmentsAnew
    n_draws: int
    seed: int
    policy: str
    changes: tuple[OrderUnder, ...]
    shares: tuple[PairShares, ...]
    judges: tuple[JudgeOrder, ...] = ()  # each that the kind `judges` has a case of

    @property
    def rank(self) -> tuple[int, ...]:
        """Of each tag; equal means share the best."""
        return tuple(ranks_of(np.array(self.mean)).tolist())

    @property
    def n_pairs(self) -> int:
        return len(self.tags) * (len(self.tags) - 1) // 2


def study(evidence: Evidence, question: Question, watch: Watch = say_nothing) -> Sensitivity:
    """Each kind with its distribution of τ and its swaps, or why it cannot be had here.

    Means are over all topics of the pairs, a missing one counting 0. The same evidence, question and seed give the same
    numbers. `watch` is told of each kind, and of each annotator left out. Raises `ValueError` as `StudyContext` and
    `runs_of_pairs` do, and for groups that `groups_of` refuses.
    """
    context = StudyContext(evidence, question, watch)
    groups_of(context.tags, question.groups)
    base, cases = context.base, dict[str, Cases | str]()
    for n, kind in enumerate(KINDS):
        watch(n, len(KINDS) + 1, kind.words)
        cases[kind.name] = _cases(context, kind)
    watch(len(KINDS), len(KINDS) + 1, "drawing anew")
    judgments = evidence.judgments
    return Sensitivity(
        measure=str(question.measure),
        tags=tuple(context.tags[run] for run in context.order),
        mean=tuple(float(base[run]) for run in context.order),
        n_topics=evidence.pairs.n_topics,
        n_judged=int((evidence.pairs.grade >= 0).sum()),
        pool_depth=question.pool_depth,
        judgments_anew=question.judgments_anew,
        n_draws=question.n_draws,
        seed=question.seed,
        policy=judgments.policy.to_json() if judgments else "",
        changes=tuple(_changed(context, name, of_kind) for name, of_kind in cases.items()),
        shares=_shares(context),
        judges=_judges(context, cases[JUDGES.name]),
    )


def pair_shares(evidence: Evidence, question: Question) -> tuple[PairShares, ...]:
    """The shares alone: of the pairs that are named, else of neighbours in the order. Raises as `study` does."""
    return _shares(StudyContext(evidence, question))


def _cases(context: StudyContext, kind: Kind) -> Cases | str:
    """Those of a kind, or why there are none."""
    try:
        return kind.cases(context)
    except ValueError as reason:
        return str(reason)


def _changed(context: StudyContext, kind: str, cases: Cases | str) -> OrderUnder:
    if isinstance(cases, str):
        return OrderUnder(kind, refusal=cases)
    names, means = cases
    return order_under(kind, context.tags, context.base, means, cases=names)


def _judges(context: StudyContext, cases: Cases | str) -> tuple[JudgeOrder, ...]:
    if isinstance(cases, str):
        return ()
    (names, means), order = cases, context.order
    return judge_orders([context.tags[run] for run in order], context.base[order], names, means[:, order])


def _shares(context: StudyContext) -> tuple[PairShares, ...]:
    tags = [context.tags[run] for run in context.order]
    grades = _by_grades(context) if context.question.judgments_anew == "posterior" else None
    pairs = context.question.named or pairwise(tags)
    return tuple(_of_pair(context, first, second, grades) for first, second in pairs)


def _of_pair(context: StudyContext, first: str, second: str, grades: Floats | str | None) -> PairShares:
    a, b = context.tags.index(first), context.tags.index(second)
    difference = context.value[a] - context.value[b]
    topics = share_by_topics(difference, n_draws=N_RESAMPLES, rng=context.rng())
    judgments, both = _crossed(context, a, b, difference)
    if isinstance(grades, str):
        judgments = Share("judgments", None, refusal=grades)
    elif grades is not None:
        judgments = share_by_grades(grades[:, a] - grades[:, b])
    return PairShares(first, second, float(context.base[a] - context.base[b]), topics, judgments, both)


def _crossed(context: StudyContext, a: int, b: int, difference: Floats) -> tuple[Share, Share]:
    try:
        values = context.without
    except ValueError as reason:
        return Share("judgments", None, refusal=str(reason)), Share("both", None, refusal=str(reason))
    return crossed_shares(difference, values[:, a] - values[:, b], context.judgments.n_judged)


def _by_grades(context: StudyContext) -> Floats | str:
    """The means under grades drawn from their probabilities, (n_draws, n_runs), or why there are none."""
    n_draws = context.question.n_draws
    try:
        return drawn_means(context.judgments, context.ready_runs, n_draws=n_draws, rng=context.rng())
    except ValueError as reason:
        return str(reason)
