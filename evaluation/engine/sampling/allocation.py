"""How many units of each stratum a sample takes.

Strata are named by the keys of `size`, in their order. A stratum first gets the minimum (all of
itself where it is smaller); what is left of the total is shared out by a weight: its size
(proportional), 1 (equal), or its size times its standard deviation (Neyman, the least variance of a
mean). No stratum gets more than it has: what it cannot take goes to the others by the same weights.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import numpy as np

from evaluation.engine.arrays import Floats, Ints

Rule: TypeAlias = Literal["proportional", "equal", "neyman"]
Rounding: TypeAlias = Literal["largest_remainder", "floor"]


@dataclass(frozen=True)
class Stratum:
    """`probability` is that of each of its units to be in the sample: n / size, 0 for an empty stratum."""

    name: str
    size: int
    n: int

    @property
    def probability(self) -> float:
        return self.n / self.size if self.size else 0.0


@dataclass(frozen=True)
class Allocation:
    """`total` is what was asked for, `n` what the strata get together; `notes` say where the two differ, and what a
    reader of estimates must know."""

    strata: tuple[Stratum, ...]
    total: int
    rule: Rule
    rounding: Rounding
    notes: tuple[str, ...]

    @property
    def n(self) -> int:
        return sum(stratum.n for stratum in self.strata)

    def of(self, name: str) -> int:
        return next(stratum.n for stratum in self.strata if stratum.name == name)


def allocate(
    size: Mapping[str, int],
    total: int,
    *,
    rule: Rule = "proportional",
    minimum: int = 0,
    deviation: Mapping[str, float] | None = None,
    oversample: Mapping[str, float] | None = None,
    rounding: Rounding = "largest_remainder",
) -> Allocation:
    """Share `total` units out over the strata.

    `deviation`, for Neyman: the standard deviation of the value to be estimated, by stratum, in any unit. `oversample`:
    strata that get so many times their share afterwards; the sum may then be more than the total, which a note says.
    `rounding`: `largest_remainder` (Hamilton) gives whole shares and then one each to the largest fractions, equal ones
    in the order of the strata, so that the sum is the total; `floor` cuts fractions off, as many tutorials do, and
    falls short by up to one a stratum.

    Raises `ValueError` for no strata, sizes below 0, a total below 1 or above all units, minima that together exceed
    the total, deviations that are missing, negative or all 0, factors that are not positive or of unknown strata.

    Neyman, On the two different aspects of the representative method, JRSS 97, 1934; Cochran, Sampling Techniques, 3rd
    edition, 1977, chapter 5.
    """
    _check(size, total, minimum, rule, rounding)
    names, units = list(size), np.array(list(size.values()), np.int64)
    least = np.minimum(units, minimum)
    taken = int(least.sum())
    if taken > total:
        raise ValueError(f"a minimum of {minimum:,} in each stratum takes {taken:,}, more than the total {total:,}")
    weight = _weights(names, units, rule, deviation)
    share = _shares(total - taken, weight, units - least)
    n = least + (_largest_remainder(share, units - least) if rounding == "largest_remainder" else _whole(share))
    n = _oversampled(names, n, units, oversample or {})
    strata = tuple(Stratum(*each) for each in zip(names, units.tolist(), n.tolist(), strict=True))
    return Allocation(strata, total, rule, rounding, _notes(strata, total))


def _weights(names: list[str], units: Ints, rule: Rule, deviation: Mapping[str, float] | None) -> Floats:
    if rule == "equal":
        return (units > 0).astype(np.float64)
    if rule == "proportional":
        return units.astype(np.float64)
    missing = [name for name in names if name not in (deviation or {})]
    if deviation is None or missing:
        raise ValueError(
            f"Neyman's rule needs the standard deviation of each stratum: {', '.join(missing)} without one"
        )
    spread = np.array([deviation[name] for name in names], np.float64)
    if not (np.isfinite(spread).all() and (spread >= 0).all() and spread[units > 0].any()):
        raise ValueError("standard deviations of strata are at least 0, finite, and not all 0")
    weight: Floats = units * (spread / spread.max())
    return weight


def _shares(rest: int, weight: Floats, room: Ints) -> Floats:
    """`rest` shared by weight, no share above its room; strata of no weight get what nobody else can take."""
    share = np.zeros(weight.size)
    for each in (weight, (weight == 0) * room.astype(np.float64)):
        is_open = (each > 0) & (room > 0)
        while is_open.any() and (left := rest - share.sum()) > 1e-9:
            wanted = share + np.where(is_open, each, 0) / each[is_open].sum() * left
            is_full = is_open & (wanted >= room)
            share = np.minimum(wanted, np.where(is_open, room, share))
            if not is_full.any():
                break
            is_open &= ~is_full
    return share


def _whole(share: Floats) -> Ints:
    """Without fractions; what is a whole number but for rounding counts as one."""
    whole: Ints = np.floor(share + 1e-9 * np.maximum(share, 1)).astype(np.int64)
    return whole


def _largest_remainder(share: Floats, room: Ints) -> Ints:
    whole = _whole(share)
    left = round(float(share.sum())) - int(whole.sum())
    fraction = np.where(whole < room, np.round(share - whole, 9), -1.0)
    whole[np.argsort(-fraction, kind="stable")[:left]] += 1
    return whole


def _oversampled(names: list[str], n: Ints, units: Ints, factor: Mapping[str, float]) -> Ints:
    if unknown := set(factor) - set(names):
        raise ValueError(f"there is no stratum {min(unknown)!r}; there are {', '.join(names)}")
    times = np.array([factor.get(name, 1.0) for name in names])
    if not (np.isfinite(times).all() and (times > 0).all()):
        raise ValueError("a stratum is oversampled by a positive, finite factor")
    with np.errstate(over="ignore"):
        wanted = np.ceil(np.round(n * times, 9))
    return np.where(wanted < units, wanted, units).astype(np.int64)


def _notes(strata: tuple[Stratum, ...], total: int) -> tuple[str, ...]:
    n = sum(stratum.n for stratum in strata)
    notes = []
    if n != total:
        direction = "more" if n > total else "less"
        notes.append(f"{n:,} in all, which is {direction} than the total of {total:,}")
    for stratum in strata:
        if stratum.size and not stratum.n:
            notes.append(f"{stratum.name} gets none: estimates say nothing about its {stratum.size:,} units")
        elif stratum.n == 1 < stratum.size:
            notes.append(f"{stratum.name} gets one: its variance cannot be estimated, take at least two")
    return tuple(notes)


def _check(size: Mapping[str, int], total: int, minimum: int, rule: str, rounding: str) -> None:
    if rule not in get_args(Rule):
        raise ValueError(f"a rule is one of {', '.join(get_args(Rule))}, not {rule!r}")
    if rounding not in get_args(Rounding):
        raise ValueError(f"rounding is one of {', '.join(get_args(Rounding))}, not {rounding!r}")
    if not size or min(size.values()) < 0:
        raise ValueError("a sample needs strata of at least 0 units each")
    if not 1 <= total <= sum(size.values()):
        raise ValueError(f"the total lies between 1 and the {sum(size.values()):,} units that there are, not {total:,}")
    if minimum < 0:
        raise ValueError(f"the minimum of a stratum is at least 0, not {minimum}")
