"""Following the rule: which pairs are sure enough, and which need one judgment more.

The same code steers a campaign, simulates one, and replays one that was judged at a fixed number.
"""

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from annotation.quality.arrays import Bools, Floats, Ints
from annotation.quality.crossfit import N_FOLDS, CrossFit, found_in, joined
from annotation.quality.inputs import Inputs
from annotation.quality.overlap.curves import PathCurve, learn_curve
from annotation.quality.overlap.rule import OverlapRule
from annotation.quality.overlap.state import End, State
from annotation.quality.pairs import find
from annotation.quality.policy import Policy

_STOPPED = (End.SURE, End.MAXIMUM)
_NONE = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Paths:
    """(n_pairs,) each, pairs sorted by topic and document code.

    `n_used`: the judgments that the rule asked for. `probability`: that the grade is right,
    where the pair stands; NaN where nobody can tell. `on_gold`: the gold pairs that stopped, graded by what the rule
    had asked for.
    """

    topic: Ints
    document: Ints
    n_used: Ints
    end: Ints  # an `End`
    probability: Floats
    gold: Bools
    curves: tuple[PathCurve, ...]
    on_gold: CrossFit
    rule: OverlapRule

    def __len__(self) -> int:
        return len(self.end)

    @property
    def wanting(self) -> Bools:
        """Pairs that need one judgment more."""
        return np.asarray(self.end == End.WANTS)

    @property
    def stopped(self) -> Bools:
        return np.isin(self.end, _STOPPED)


@dataclass(frozen=True, eq=False)
class _Walk:
    """One pass from the first number to the last."""

    state: State
    curves: tuple[PathCurve, ...]

    @classmethod
    def of(cls, state: State) -> Self:
        going, curves = state.begun, []
        for n in state.rule.numbers:
            here = going & (state.limit == n)
            curves.append(learn_curve(state, n, here))
            going = going & ~_ended(state, n, here, curves[-1])
        return cls(state, tuple(curves))


def follow(inputs: Inputs, policy: Policy, rule: OverlapRule, *, n_folds: int = N_FOLDS, whole: bool = False) -> Paths:
    """Number after number from `rule.first` on: every pair that has come so far is weighed, and stops or goes on.

    Each fold of gold is followed in a pass of its own, in which nobody knows its gold: not the policy, not the curves,
    not which other pairs went on. `whole`: a campaign that is going on. A pair without gold stands where its judgments
    are, and all of them count; gold pairs take the path that they would take if their grade were not known. Otherwise a
    campaign is replayed from its beginning, and nothing counts before the rule has asked for it.
    """
    first = _Walk.of(State(inputs, policy, rule, n_folds, whole, _NONE))
    state = first.state
    cross_fit = joined([_followed(state, fold) for fold in state.folds.numbers])
    return Paths(
        *inputs.table.split_key(state.key),
        n_used=state.limit,
        end=state.end,
        probability=state.probability,
        gold=state.gold,
        curves=first.curves,
        on_gold=cross_fit,
        rule=rule,
    )


def _followed(state: State, fold: int) -> CrossFit:
    """A pass without the gold of this fold; writes down where its pairs came to."""
    gold = state.inputs.gold
    own = state.folds.of_gold == fold
    key = state.inputs.table.pair_key(gold.topic[own], gold.document[own])
    inputs = replace(state.inputs, gold=gold.of(~own))
    there = _Walk.of(State(inputs, state.policy, state.rule, state.n_folds, state.whole, key)).state
    at = find(state.key, key)[1]
    for column in ("limit", "end", "probability"):
        getattr(state, column)[at] = getattr(there, column)[at]
    cross_fit = found_in(state.inputs, there.outcome(), state.folds, fold)
    stopped = find(state.inputs.table.keys_of(cross_fit), state.key[np.isin(state.end, _STOPPED)])[1]
    return cross_fit.of(stopped)


def _ended(state: State, n: int, here: Bools, curve: PathCurve) -> Bools:
    """Which pairs end with their n-th judgment; the others' next judgment counts from now on."""
    rule = state.rule
    sure = here & (state.probability >= rule.target)  # not where nobody can tell
    last = here & ~sure & (n == rule.maximum)
    unknown = here & ~sure & ~last & (n == rule.first) & (curve.calibrator is None)
    wants = here & ~sure & ~last & ~unknown & (state.n_turns <= n)
    for mask, end in ((sure, End.SURE), (last, End.MAXIMUM), (unknown, End.UNKNOWN), (wants, End.WANTS)):
        state.end[mask] = end
    ended = sure | last | unknown | wants
    state.limit[here & ~ended] = n + 1
    return np.asarray(ended)
