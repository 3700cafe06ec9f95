"""Whether somebody was right on less and less of the gold: of few pairs, where a straight line has no interval.

A permutation test (R. A. Fisher, The Design of Experiments, 1935): how often the same answers in
another order fall as far. Answers change places among gold of one grade only, so that other gold
late in the work is not taken for a fall.
"""

from dataclasses import dataclass

import numpy as np

from annotation.quality.arrays import Bools, Floats, Ints

N_DRAWS, SEED = 4000, 1
LEAST = 6  # gold pairs: fewer cannot fall beyond chance
PARTS = 3
SURE = 0.025
_ROUNDING = 1e-9


@dataclass(frozen=True)
class Falling:
    """`shares`: right on gold in the first, the second and the last part of it, in the order of judging. `by_chance`:
    how likely a fall as large is, at most; `of_any_gold`: the same where gold of all grades is taken for alike."""

    n: int
    shares: tuple[float, ...]
    by_chance: float
    of_any_gold: float

    @property
    def is_sure(self) -> bool:
        return self.by_chance <= SURE

    @property
    def may_be_the_gold(self) -> bool:
        """A fall that other gold late in the work may explain."""
        return not self.is_sure and self.of_any_gold <= SURE


def falling_of(ordinal: Floats | Ints, right: Bools, known: Ints) -> Falling | None:
    """(n,) each: when a gold pair was judged, whether rightly, and its gold grade. None under `LEAST` pairs."""
    if len(ordinal) < LEAST:
        return None
    order = np.argsort(ordinal, kind="stable")
    at, hit, level = np.asarray(ordinal)[order].astype(np.float64), right[order].astype(np.float64), known[order]
    parts = np.array_split(hit, PARTS)
    alike = np.zeros(len(level), dtype=np.int64)
    chances = [_chance(at, hit, each) for each in (level, alike)]
    return Falling(len(at), tuple(float(part.mean()) for part in parts), *chances)


def _chance(at: Floats, hit: Floats, level: Ints) -> float:
    """(n,) each: the share of orders, within levels, in which the right answers come as early."""
    rng = np.random.default_rng(SEED)
    drawn = np.zeros(N_DRAWS)
    for each in np.unique(level):
        own = np.flatnonzero(level == each)
        orders = rng.permuted(np.broadcast_to(hit[own], (N_DRAWS, len(own))), axis=1)  # (n_draws, n_own)
        drawn += orders @ at[own]
    n_as_early = int((drawn <= at @ hit + _ROUNDING).sum())
    return (n_as_early + 1) / (N_DRAWS + 1)
