"""Randolph's kappa: J. J. Randolph, Free-marginal multirater kappa (2005); for two people R. L.
Brennan and D. J. Prediger, Coefficient kappa, Educational and Psychological Measurement 41 (1981).

Agreement beyond what people would reach who draw each grade of the scale with the same chance.
"""

import numpy as np

from annotation.quality.agreement.counts import GradeCounts
from annotation.quality.agreement.percent import chance_corrected, pairwise_values
from annotation.quality.agreement.result import Agreement
from annotation.quality.agreement.sums import Sums
from annotation.quality.agreement.weights import Weights, agreement_weights, beyond_chance
from annotation.quality.arrays import Floats


def randolph_kappa(table: GradeCounts, *, weights: Weights = Weights.UNWEIGHTED) -> Agreement:
    """Defined wherever two judgments can be compared; 1 where all gave one grade. Grades of the scale that nobody gave
    count too: chance is 1 / n_grades."""
    return chance_corrected(table, _expected, weights)


def randolph_values(sums: Sums, *, weights: Weights = Weights.UNWEIGHTED) -> Floats:
    """(…): kappa of each resample, NaN where no item is shared."""
    return beyond_chance(pairwise_values(sums, weights=weights), _expected(sums, weights))


def _expected(sums: Sums, weights: Weights) -> Floats:
    return np.asarray(agreement_weights(sums.values, weights).mean())
