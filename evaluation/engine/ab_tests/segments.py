"""Segments: the difference in each part of the units, and whether parts differ at all."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from evaluation.engine.ab_tests.effects import Effect, UnitMeasure
from evaluation.engine.significance.corrections import Correction, adjusted

Sizes: TypeAlias = Mapping[str, Mapping[str, Mapping[str, int]]]  # by column, segment and variant
EffectIn: TypeAlias = Callable[[str, str, UnitMeasure, str], Effect]  # of column, segment, measure, treatment

LEAST = 30  # units, or clusters, of a variant in a segment: of fewer no difference is shown


@dataclass(frozen=True)
class Segment:
    """A measure of one treatment in one segment, `n_control` and `n_treatment` units, or clusters where chance assigned
    these. `effect` is None, and `reason` says why, where it cannot be told. `p_adjusted` by the correction over all
    segments, measures and treatments."""

    column: str
    segment: str
    measure: str
    variant: str
    n_control: int
    n_treatment: int
    effect: Effect | None
    p_adjusted: float | None
    reason: str = ""


@dataclass(frozen=True)
class Interaction:
    """Whether the difference is another in other segments: Cochran's Q over `df` + 1 of them. `p_adjusted` over all
    columns of segments, measures and treatments."""

    column: str
    measure: str
    variant: str
    statistic: float
    df: int
    p: float
    p_adjusted: float


def segments_of(
    sizes: Sizes,
    asked: Sequence[tuple[UnitMeasure, str]],
    control: str,
    effect_in: EffectIn,
    correction: Correction,
    *,
    noun: str = "units",
) -> tuple[tuple[Segment, ...], tuple[Interaction, ...]]:
    """`sizes`: how many units or clusters (`noun`) there are; `asked`: measures and treatments; `effect_in` finds a
    difference in a segment, and raises `ValueError` where it cannot. What is counted is in one segment of a column."""
    raw, tests = list[Segment](), list[Interaction]()
    for column, by_segment in sizes.items():
        for measure, variant in asked:
            rows = list[Segment]()
            for name, size in sorted(by_segment.items()):
                n = size.get(control, 0), size.get(variant, 0)
                effect, reason = _effect((column, name, measure, variant), n, effect_in, noun)
                rows.append(Segment(column, name, measure.name, variant, *n, effect, None, reason))
            raw += rows
            effects = [row.effect for row in rows if row.effect]
            if len(effects) > 1:
                tests.append(_interaction(column, measure.name, variant, effects))
    p = adjusted([test.p for test in tests], correction).tolist()
    interactions = tuple(replace(test, p_adjusted=each) for test, each in zip(tests, p, strict=True))
    return _corrected(raw, correction), interactions


def cochran_q(difference: ArrayLike, error: ArrayLike) -> tuple[float, float]:
    """`(statistic, p)`: Σ wᵢ (dᵢ − d̄)² with wᵢ = 1 / errorᵢ² and d̄ the mean by them; χ² with n − 1 degrees of freedom
    where all differences are the same. Both (n,), n at least 2, errors above 0.

    Cochran, The combination of estimates from different experiments, Biometrics 10, 1954.
    """
    from scipy.special import chdtrc

    d, weight = np.asarray(difference, np.float64), 1 / np.asarray(error, np.float64) ** 2
    statistic = float(weight @ (d - weight @ d / weight.sum()) ** 2)
    return statistic, float(chdtrc(d.size - 1, statistic))


def _effect(
    where: tuple[str, str, UnitMeasure, str], n: tuple[int, int], effect_in: EffectIn, noun: str
) -> tuple[Effect | None, str]:
    """The difference, or the reason why there is none."""
    if min(n) < LEAST:
        return None, f"fewer than {LEAST} {noun} in a variant"
    try:
        return effect_in(*where), ""
    except ValueError as fault:
        return None, str(fault)


def _interaction(column: str, measure: str, variant: str, effects: Sequence[Effect]) -> Interaction:
    statistic, p = cochran_q([one.difference for one in effects], [one.error for one in effects])
    return Interaction(column, measure, variant, statistic, len(effects) - 1, p, p)


def _corrected(rows: Sequence[Segment], correction: Correction) -> tuple[Segment, ...]:
    p = iter(adjusted([row.effect.p for row in rows if row.effect], correction).tolist())
    return tuple(replace(row, p_adjusted=next(p)) if row.effect else row for row in rows)
