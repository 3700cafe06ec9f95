"""A share of draws, and what all of them have: ties count half, and where nothing varies the sign decides.

Calibrated: for runs that are equal where draws come from, P(share ≤ p) ≈ p. So a share is no
probability that a new study finds the same order: of .95 that is about .88, which is Φ(Φ⁻¹(.95) /
√2).
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from evaluation.engine.arrays import Floats
from evaluation.engine.order_changes import SAME

Anew: TypeAlias = Literal["topics", "judgments", "both"]
LEAST = 0.001  # that is written as a figure


@dataclass(frozen=True)
class Share:
    """The share of draws in which the first run beats the second, 0 to 1; None where nothing can be drawn.

    `error` is the standard error of the difference under that drawing; `n_draws` 0: the limit of ever more draws, by
    its formula. `refusal` says why there is no share.
    """

    anew: Anew
    share: float | None
    error: float | None = None
    n_draws: int = 0
    refusal: str = ""

    @property
    def text(self) -> str:
        """With three digits; never 0 or 1 unless it is."""
        if self.share is None:
            return "–"
        if 0 < self.share < LEAST:
            return f"below {LEAST}"
        return f"above {1 - LEAST}" if 1 - LEAST < self.share < 1 else f"{self.share:.3f}"


def share_above(draws: Floats) -> float:
    """The share of draws, (n_draws,), above 0; those within rounding of 0 count half."""
    tied = np.abs(draws) <= SAME
    return float(((draws > 0) & ~tied).mean() + tied.mean() / 2)


def share_of_t(difference: float, error: float, freedom: float) -> float:
    """P(difference + error · t > 0), for t of so many degrees of freedom: the share of ever more draws."""
    from scipy.special import stdtr  # scipy.stats takes six times as long to import

    if error <= SAME:
        return share_above(np.array([difference]))
    return float(stdtr(freedom, difference / error))
