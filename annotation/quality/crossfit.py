"""How right a policy is on gold that it has not seen.

Gold tells a policy whom to believe and what weighs how much, and holds models to the known grades. Asked how right it
is on the same gold, a policy judges itself. So the topics are dealt to folds, and each fold's gold is hidden while the
policy decides its pairs as any others: from reliability, from weights and from clamping.
"""

from collections.abc import Collection
from dataclasses import dataclass, fields, replace

import numpy as np

from annotation.quality.apply import apply_policy
from annotation.quality.arrays import Bools, Floats, Ints
from annotation.quality.filtering import Reason
from annotation.quality.inputs import Inputs
from annotation.quality.outcome import Outcome, Source
from annotation.quality.pairs import find
from annotation.quality.policy import Policy

N_FOLDS = 5


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


def folds_of(inputs: Inputs, *, n_folds: int = N_FOLDS) -> Ints:
    """(n_topics,): the fold of each topic, −1 without gold. Topics with most gold first, each to the fold with least,
    so that folds are about alike and always the same; as many folds as topics with gold at most."""
    n_gold = np.bincount(inputs.gold.topic, minlength=len(inputs.table.numbers))
    fold = np.full(len(n_gold), -1, dtype=np.int64)
    load = np.zeros(min(n_folds, int((n_gold > 0).sum())), dtype=np.int64)
    for topic in np.argsort(-n_gold, kind="stable")[: int((n_gold > 0).sum())]:
        fold[topic] = load.argmin()
        load[fold[topic]] += n_gold[topic]
    return fold


def cross_fit(inputs: Inputs, policy: Policy, *, n_folds: int = N_FOLDS) -> CrossFit:
    """Applies the policy once a fold. Gold of one topic alone cannot be cross-fitted: then no pair is in it."""
    fold = folds_of(inputs, n_folds=n_folds)
    n = int(fold.max(initial=-1)) + 1
    return joined([found_in(inputs, outcome_without(inputs, policy, fold, {k}), fold, k) for k in range(n) if n > 1])


def outcome_without(inputs: Inputs, policy: Policy, fold: Ints, hidden: Collection[int]) -> Outcome:
    """The policy applied as if the gold of these folds were not known."""
    seen = ~np.isin(fold[inputs.gold.topic], list(hidden))
    return apply_policy(replace(inputs, gold=inputs.gold.of(seen)), policy)


def found_in(inputs: Inputs, outcome: Outcome, fold: Ints, k: int) -> CrossFit:
    """What an outcome made of the gold pairs of fold k: those with a counted judgment, which nobody else decided."""
    table, gold = inputs.table, inputs.gold
    place, known = find(table.keys_of(outcome), table.keys_of(gold))
    asked = (fold[outcome.topic] == k) & (outcome.n_judgments > 0) & (outcome.reason != Reason.CHECK)
    at = np.flatnonzero(known & asked & (outcome.source == Source.JUDGED))
    accepted = gold.accepted[place[at], inputs.scale.index_of(outcome.grade[at])]
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
