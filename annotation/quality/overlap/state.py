"""Where every pair stands while the rule is followed."""

from collections.abc import Collection
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property

import numpy as np

from annotation.quality.arrays import Bools, Floats, Ints
from annotation.quality.crossfit import CrossFit, Folds, folds_of, found_in, outcome_without
from annotation.quality.inputs import Inputs
from annotation.quality.outcome import Outcome
from annotation.quality.overlap.rule import OverlapRule
from annotation.quality.overlap.turns import cut_off, numbers_of, turns_of
from annotation.quality.pairs import find
from annotation.quality.policy import Policy

EVERY = 1 << 30


class End(IntEnum):
    """Why a pair has as many judgments as it has."""

    SHORT = 0  # fewer than every pair is to get
    SURE = 1  # the target is reached
    MAXIMUM = 2  # it is not, but there are no more
    WANTS = 3  # it is not: one more is to be asked for
    UNKNOWN = 4  # too little gold to tell what a confidence is worth


@dataclass(eq=False)
class State:
    """(n_pairs,) each, pairs by ascending key.

    `limit`: the judgments that the rule has asked for so far. `whole`: what is bought is bought, and all judgments of a
    pair count, but for `followed` pairs, and for gold while it is hidden: these count as far as the rule has come.
    """

    inputs: Inputs
    policy: Policy
    rule: OverlapRule
    n_folds: int
    whole: bool
    followed: Ints  # keys of pairs; any that are no pairs here do no harm
    key: Ints = field(init=False)
    n_turns: Ints = field(init=False)
    limit: Ints = field(init=False)
    end: Ints = field(init=False)
    probability: Floats = field(init=False)

    def __post_init__(self) -> None:
        self.key, self.n_turns = numbers_of(self.inputs.table, self.turn)
        from_first = self.gold | self._is_followed if self.whole else np.ones(len(self.key), dtype=np.bool_)
        ahead = np.minimum(self.n_turns, self.rule.maximum)
        self.limit = np.where(self.begun & from_first, self.rule.first, ahead)
        self.end = np.full(len(self.key), End.SHORT, dtype=np.int64)
        self.probability = np.full(len(self.key), np.nan)

    @cached_property
    def begun(self) -> Bools:
        return np.asarray(self.n_turns >= self.rule.first)

    @cached_property
    def turn(self) -> Ints:
        return turns_of(self.inputs.table)

    @cached_property
    def folds(self) -> Folds:
        return folds_of(self.inputs, n_folds=self.n_folds)

    @cached_property
    def gold(self) -> Bools:
        gold_keys = self.inputs.table.keys_of(self.inputs.gold)
        return find(self.key, gold_keys)[1]

    @cached_property
    def _is_followed(self) -> Bools:
        return find(self.key, np.sort(self.followed))[1]

    def outcome(self, hidden: Collection[int] = ()) -> Outcome:
        """The policy applied to what counts so far, as if the gold of these folds were not known."""
        limit = self.limit
        if self.whole:
            unknown = self.inputs.table.keys_of(self.inputs.gold)[self.folds.within(hidden)]
            so_far = self._is_followed | find(self.key, unknown)[1]
            limit = np.where(so_far, limit, EVERY)
        return outcome_without(cut_off(self.inputs, self.turn, self.key, limit), self.policy, self.folds, hidden)

    def on_gold(self, fold: int, among: Bools) -> CrossFit:
        """What the policy makes of the gold pairs of a fold, hidden, that are `among` these."""
        cross_fit = found_in(self.inputs, self.outcome({fold}), self.folds, fold)
        chosen = find(self.inputs.table.keys_of(cross_fit), self.key[among])[1]
        return cross_fit.of(chosen)
