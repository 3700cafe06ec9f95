"""Segments: the difference in each part of the units, and whether parts differ at all."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from evaluation.engine.experiments.effects import Effect, UnitMeasure
from evaluation.engine.experiments.moments import Moments
from evaluation.engine.significance.corrections import Correction, adjusted

Groups: TypeAlias = Mapping[str, Moments]  # by variant
EffectIn: TypeAlias = Callable[[Groups, UnitMeasure, str], Effect]

LEAST = 30  # units of a variant in a segment: of fewer no difference is shown


@dataclass(frozen=True)
class Segment:
    """A measure of one treatment in one segment, `n_control` and `n_treatment` units. `effect` is None, and `reason`
    says why, where it cannot be told. `p_adjusted` by the correction over all segments, measures and treatments."""

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
    parts: Mapping[str, Mapping[str, Groups]],
    asked: Sequence[tuple[UnitMeasure, str]],
    control: str,
    effect_in: EffectIn,
    correction: Correction,
) -> tuple[tuple[Segment, ...], tuple[Interaction, ...]]:
    """`parts`: moments by column, segment and variant; `asked`: measures and treatments; `effect_in` finds a
    difference in some units, and raises `ValueError` where it cannot."""
    raw, tests = list[Segment](), list[Interaction]()
    for column, by_segment in parts.items():
        for measure, variant in asked:
            rows = [
                Segment(column, name, measure.name, variant, *_measured(groups, measure, (control, variant), effect_in))
                for name, groups in sorted(by_segment.items())
            ]
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


def _measured(
    groups: Groups, measure: UnitMeasure, pair: tuple[str, str], effect_in: EffectIn
) -> tuple[int, int, Effect | None, None, str]:
    """Units of both, the difference, no adjusted p yet, and the reason where there is no difference."""
    n_control, n_treatment = (groups[one].n if one in groups else 0 for one in pair)
    if min(n_control, n_treatment) < LEAST:
        return n_control, n_treatment, None, None, f"fewer than {LEAST} units in a variant"
    try:
        return n_control, n_treatment, effect_in(groups, measure, pair[1]), None, ""
    except ValueError as fault:
        return n_control, n_treatment, None, None, str(fault)


def _interaction(column: str, measure: str, variant: str, effects: Sequence[Effect]) -> Interaction:
    statistic, p = cochran_q([one.difference for one in effects], [one.error for one in effects])
    return Interaction(column, measure, variant, statistic, len(effects) - 1, p, p)


def _corrected(rows: Sequence[Segment], correction: Correction) -> tuple[Segment, ...]:
    p = iter(adjusted([row.effect.p for row in rows if row.effect], correction).tolist())
    return tuple(replace(row, p_adjusted=next(p)) if row.effect else row for row in rows)
