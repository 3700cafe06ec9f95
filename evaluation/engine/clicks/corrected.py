"""How often what is looked at is clicked: click-through rates, with the position allowed for."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from evaluation.engine.arrays import Floats

Estimator: TypeAlias = Literal["ips", "ratio"]
Summed: TypeAlias = Callable[[Floats], Floats]  # a value of each cell, to its sum over what is asked for


@dataclass(frozen=True, eq=False)
class Corrected:
    """Of pairs, or of any sums of cells, (n,). `value` may exceed 1. Its variance at a true rate γ is
    `slope` · γ − `curve` · γ²; where nothing was shown, `value` is NaN."""

    value: Floats
    slope: Floats
    curve: Floats

    def variance(self, rate: Floats) -> Floats:
        return np.maximum(self.slope * rate - self.curve * rate**2, 0.0)

    def interval(self, z: float) -> tuple[Floats, Floats]:
        """The rates γ at which the value is not further off than z standard errors: Wilson's, where every position is
        looked at."""
        lead, middle = 1 + z**2 * self.curve, 2 * self.value + z**2 * self.slope
        spread = z * np.sqrt(
            np.maximum(4 * self.value * (self.slope - self.curve * self.value) + (z * self.slope) ** 2, 0)
        )
        return np.maximum((middle - spread) / (2 * lead), 0.0), (middle + spread) / (2 * lead)


def corrected(clicks: Floats, impressions: Floats, theta: Floats, summed: Summed, estimator: Estimator) -> Corrected:
    """Of cells, (n_cells,), with the propensity `theta` of their positions.

    `ips`: Σ clicks/θ / Σ impressions, inverse propensity weighting; unbiased, and noisy where θ is small. Joachims,
    Swaminathan and Schnabel, WSDM 2017. `ratio`: Σ clicks / Σ θ · impressions, clicks by expected looks; steadier.
    Zhang and Jones, Comparing click logs and editorial labels for training query rewriting, WWW 2007 workshop.
    """
    shown = summed(impressions)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        if estimator == "ips":
            return Corrected(summed(clicks / theta) / shown, summed(impressions / theta) / shown**2, 1 / shown)
        looks = summed(impressions * theta)
        return Corrected(summed(clicks) / looks, 1 / looks, summed(impressions * theta**2) / looks**2)
