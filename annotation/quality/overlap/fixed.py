"""What the same judgments would have come to at a fixed number a pair: what dynamic overlap is measured against."""

from dataclasses import dataclass, replace

import numpy as np

from annotation.quality.crossfit import N_FOLDS, CrossFit, cross_fit
from annotation.quality.inputs import Inputs
from annotation.quality.overlap.paths import Paths
from annotation.quality.overlap.turns import cut_off, numbers_of, turns_of
from annotation.quality.pairs import find
from annotation.quality.policy import Policy


@dataclass(frozen=True, eq=False)
class AtNumber:
    """`per_pair`: judgments a pair, mean; `on_gold`: the gold pairs, graded as if their gold were not known."""

    per_pair: float
    on_gold: CrossFit

    @property
    def share(self) -> float:
        """Of all gold pairs asked about, the share with a right grade; one without a grade is not right."""
        return self.on_gold.n_right / len(self.on_gold) if len(self.on_gold) else float("nan")


def at_fixed(inputs: Inputs, policy: Policy, n: int, *, n_folds: int = N_FOLDS) -> AtNumber:
    """Every pair cut off after its first n judgments."""
    turn = turns_of(inputs.table)
    key, n_turns = numbers_of(inputs.table, turn)
    cut = cut_off(inputs, turn, key, np.full(len(key), n))
    return AtNumber(float(np.minimum(n_turns, n).mean()), cross_fit(cut, policy, n_folds=n_folds))


def at_paths(paths: Paths) -> AtNumber:
    """Every pair cut off where the rule stopped."""
    return AtNumber(float(paths.n_used.mean()), paths.on_gold)


def with_at_least(inputs: Inputs, n: int) -> Inputs:
    """Only the pairs that n people had a turn at, so that all numbers up to n are compared on the same pairs."""
    turn = turns_of(inputs.table)
    key, n_turns = numbers_of(inputs.table, turn)
    index, has_turn = find(inputs.table.pair, key)
    return replace(inputs, table=inputs.table.of(has_turn & (n_turns[index] >= n)))
