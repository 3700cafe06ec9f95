"""Guardrails: measures that the treatment must not harm by more than a margin (non-inferiority)."""

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias

from evaluation.engine.ab_tests.effects import Effect, Interval

Verdict: TypeAlias = Literal["holds", "broken", "undecided"]


@dataclass(frozen=True)
class Margin:
    """The change that is too much, signed: −0.01 is a fall by that or more, 20 a rise. `relative`: by the control's
    value, as a share. Raises `ValueError` for 0 and what is not finite."""

    measure: str
    value: float
    relative: bool = False

    def __post_init__(self) -> None:
        if not (self.value and math.isfinite(self.value)):
            raise ValueError(
                f"{self.measure}: a margin is the change that is too much, -0.01 for a fall or 20 for a rise, not "
                f"{self.value:g}"
            )


def verdict_of(margin: Margin, effect: Effect) -> Verdict:
    """`holds`: the whole interval is on the safe side of the margin, which tests harm one-sided at half of alpha;
    `broken`: the whole interval is at the margin or beyond; else, and where the relative one is unknown, `undecided`.

    Piaggio et al., Reporting of noninferiority and equivalence randomized trials, JAMA 308, 2012.
    """
    interval = effect.relative_interval if margin.relative else effect.interval
    if interval is None:
        return "undecided"
    sign = 1 if margin.value < 0 else -1
    safe = sorted((sign * interval.low, sign * interval.high))
    return _placed(Interval(*safe), sign * margin.value)


def _placed(interval: Interval, limit: float) -> Verdict:
    """More is better here."""
    if interval.low > limit:
        return "holds"
    return "broken" if interval.high <= limit else "undecided"
