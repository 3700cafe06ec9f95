"""Drawing a stratified sample: simple random sampling without replacement in each stratum."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluation.engine.arrays import Floats, Ints


@dataclass(frozen=True, eq=False)
class Sample:
    """Sampled units in ascending order, all (n,): where each stands, its stratum, its inclusion probability."""

    unit: Ints
    stratum: Ints
    probability: Floats


def draw(stratum: NDArray[np.integer], n: Sequence[int], *, seed: int) -> Sample:
    """`n[h]` units of stratum h, each subset of a stratum as likely as another.

    `stratum` is (n_units,), numbers from 0 below len(n). Each stratum has a stream of random numbers of its own, made
    from the seed and its number, so that more units of one do not change which of another are drawn. Raises
    `ValueError` for more units than a stratum has and for a negative number.
    """
    units, strata, chances = list[Ints](), list[Ints](), list[Floats]()
    for h, wanted in enumerate(n):
        here = np.flatnonzero(stratum == h)
        if not 0 <= wanted <= here.size:
            raise ValueError(f"{wanted} units of stratum {h} are wanted, which has {here.size}")
        rng = np.random.default_rng([seed, h])
        units.append(here[rng.choice(here.size, wanted, replace=False, shuffle=False)])
        strata.append(np.full(wanted, h))
        chances.append(np.full(wanted, wanted / max(here.size, 1)))
    unit = np.concatenate(units)
    order = np.argsort(unit, kind="stable")
    return Sample(unit[order], np.concatenate(strata)[order], np.concatenate(chances)[order])
