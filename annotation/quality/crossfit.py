"""How right a policy is on gold that it has not seen.

Gold tells a policy whom to believe and what weighs how much, and holds models to the known grades.
Asked how right it is on the same gold, a policy judges itself. So the topics are dealt to folds,
and each fold's gold is hidden while the policy decides its pairs as any others: from reliability,
from weights and from clamping. Where there are too few topics to leave any out, pairs are dealt
instead: that tells of other pairs of these topics, and nothing of other topics.
"""

from collections.abc import Collection
from dataclasses import dataclass, fields
from typing import Literal

import numpy as np

from annotation.quality.apply import apply_policy
from annotation.quality.arrays import Bools, Floats, Ints, distinct
from annotation.quality.consolidation import MODELS
from annotation.quality.filtering import Reason
from annotation.quality.inputs import Inputs
from annotation.quality.outcome import Outcome, Source
from annotation.quality.pairs import find
from annotation.quality.policy import Policy

N_FOLDS = 5
FEWEST_TOPICS = 2  # with judged gold, for folds of topics
Dealt = Literal["topics", "pairs"]


@dataclass(frozen=True, eq=False)
class Folds:
    """`of_gold`: (n_gold,), the fold of each gold pair of the inputs; `by`: what was dealt."""

    of_gold: Ints
    by: Dealt

    @property
    def n(self) -> int:
        """0 without gold."""
        return int(self.of_gold.max(initial=-1)) + 1

    @property
    def numbers(self) -> range:
        """One fold alone leaves nothing to decide by: then there are none."""
        return range(self.n) if self.n > 1 else range(0)

    def within(self, numbers: Collection[int]) -> Bools:
        """(n_gold,): the gold of these folds."""
        return np.isin(self.of_gold, list(numbers))


@dataclass(frozen=True, eq=False)
class CrossFit:
    """Gold pairs that judgments could decide, (n_pairs,) each, by fold and then in the order of the pairs.

    `grade`, `confidence` and `right` mean something only where `kept`: right is a grade in the pair's accepted set.
    """

    topic: Ints
    document: Ints
    fold: Ints
    kept: Bools
    grade: Ints
    confidence: Floats
    reason: Ints
    right: Bools

    def __len__(self) -> int:
        return len(self.kept)

    def of(self, chosen: Bools) -> "CrossFit":
        """The pairs chosen, (n_pairs,)."""
        return CrossFit(**{each.name: getattr(self, each.name)[chosen] for each in fields(self)})

    @property
    def n_kept(self) -> int:
        return int(self.kept.sum())

    @property
    def n_right(self) -> int:
        return int((self.right & self.kept).sum())

    @property
    def accuracy(self) -> float:
        """Share of the kept pairs that are right; NaN where none is kept."""
        return self.n_right / self.n_kept if self.n_kept else float("nan")


def folds_of(inputs: Inputs, *, n_folds: int = N_FOLDS, fewest_topics: int = FEWEST_TOPICS) -> Folds:
    """By topics; by pairs where fewer than `fewest_topics` have gold that somebody judged."""
    judged = find(inputs.table.keys_of(inputs.gold), distinct(inputs.table.pair))[1]
    if len(np.unique(inputs.gold.topic[judged])) < fewest_topics:
        return Folds(_dealt_pairs(inputs, judged, n_folds), "pairs")
    return Folds(_dealt_topics(inputs, n_folds)[inputs.gold.topic], "topics")


def _dealt_pairs(inputs: Inputs, judged: Bools, n_folds: int) -> Ints:
    """(n_gold,): judged gold first, grade by grade, each pair to the next fold, so that folds are about alike."""
    gold = inputs.gold
    fold = np.empty(len(gold.grade), dtype=np.int64)
    fold[np.lexsort((gold.document, gold.topic, gold.grade, ~judged))] = np.arange(len(fold)) % n_folds
    return fold


def _dealt_topics(inputs: Inputs, n_folds: int) -> Ints:
    """(n_topics,): the fold of each topic, −1 without gold. Topics with most gold first, each to the fold with least,
    so that folds are about alike and always the same; as many folds as topics with gold at most."""
    n_gold = np.bincount(inputs.gold.topic, minlength=len(inputs.table.numbers))
    fold = np.full(len(n_gold), -1, dtype=np.int64)
    load = np.zeros(min(n_folds, int((n_gold > 0).sum())), dtype=np.int64)
    for topic in np.argsort(-n_gold, kind="stable")[: int((n_gold > 0).sum())]:
        fold[topic] = load.argmin()
        load[fold[topic]] += n_gold[topic]
    return fold


def cross_fit(inputs: Inputs, policy: Policy, folds: Folds | None = None, *, n_folds: int = N_FOLDS) -> CrossFit:
    """Applies the policy once a fold. A gold pair alone cannot be cross-fitted: then no pair is in it."""
    folds = folds or folds_of(inputs, n_folds=n_folds)
    return joined([found_in(inputs, _outcome_of(inputs, policy, folds, k), folds, k) for k in folds.numbers])


def _outcome_of(inputs: Inputs, policy: Policy, folds: Folds, k: int) -> Outcome:
    """Fold k's gold is not known. A rule that reads nothing off other pairs need not decide on these."""
    if policy.consolidation not in MODELS:
        inputs = inputs.deciding(inputs.table.keys_of(inputs.gold)[folds.of_gold == k])
    return outcome_without(inputs, policy, folds, {k})


def outcome_without(inputs: Inputs, policy: Policy, folds: Folds, hidden: Collection[int]) -> Outcome:
    """The policy applied as if the gold of these folds were not known."""
    return apply_policy(inputs.with_gold(inputs.gold.of(~folds.within(hidden))), policy)


def found_in(inputs: Inputs, outcome: Outcome, folds: Folds, k: int) -> CrossFit:
    """What an outcome made of the gold pairs of fold k: those with a counted judgment, which nobody else decided."""
    table, gold = inputs.table, inputs.gold
    index, is_gold = find(table.keys_of(outcome), table.keys_of(gold))
    own = find(table.keys_of(outcome), table.keys_of(gold)[folds.of_gold == k])[1]
    asked = own & (outcome.n_judgments > 0) & (outcome.reason != Reason.CHECK)
    at = np.flatnonzero(is_gold & asked & (outcome.source == Source.JUDGED))
    accepted = gold.accepted[index[at], inputs.scale.index_of(outcome.grade[at])]
    right = accepted & outcome.kept[at]
    return CrossFit(
        topic=outcome.topic[at],
        document=outcome.document[at],
        fold=np.full(len(at), k),
        kept=outcome.kept[at],
        grade=outcome.grade[at],
        confidence=outcome.confidence[at],
        reason=outcome.reason[at],
        right=right,
    )


def joined(parts: list[CrossFit]) -> CrossFit:
    """The pairs of several folds, one after the other."""
    names = [each.name for each in fields(CrossFit)]
    return CrossFit(**{name: np.concatenate([getattr(part, name) for part in [_NOTHING, *parts]]) for name in names})


_NO_INTS, _NO_BOOLS = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.bool_)
_NOTHING = CrossFit(_NO_INTS, _NO_INTS, _NO_INTS, _NO_BOOLS, _NO_INTS, np.zeros(0), _NO_INTS, _NO_BOOLS)
