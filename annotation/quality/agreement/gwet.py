"""Gwet's AC1 and AC2: K. L. Gwet, Computing inter-rater reliability and its variance in the
presence of high agreement, British Journal of Mathematical and Statistical Psychology 61 (2008);
Handbook of Inter-Rater Reliability (2014).

Agreement beyond chance where chance is only what hard items, graded at random, would give. It stays
high where nearly all judgments have one grade, where kappa and alpha fall although people agree.
AC2 is AC1 with weights.
"""

import numpy as np

from annotation.quality.agreement.counts import GradeCounts
from annotation.quality.agreement.percent import chance_corrected, pairwise_values
from annotation.quality.agreement.result import Agreement
from annotation.quality.agreement.sums import Sums
from annotation.quality.agreement.weights import Weights, agreement_weights, beyond_chance
from annotation.quality.arrays import Floats, divided


def gwet_ac1(table: GradeCounts) -> Agreement:
    """Defined wherever two judgments can be compared; 1 where all gave one grade."""
    return gwet_ac2(table, weights=Weights.UNWEIGHTED)


def gwet_ac2(table: GradeCounts, *, weights: Weights = Weights.QUADRATIC) -> Agreement:
    """Weighted; all grades of the scale count, also those nobody gave."""
    return chance_corrected(table, _expected, weights)


def gwet_values(sums: Sums, *, weights: Weights = Weights.UNWEIGHTED) -> Floats:
    """(…): AC1 or AC2 of each resample, NaN where no item is shared."""
    return beyond_chance(pairwise_values(sums, weights=weights), _expected(sums, weights))


def _expected(sums: Sums, weights: Weights) -> Floats:
    q = len(sums.values)
    share = divided(sums.share, sums.n_rated[..., None])  # (…, n_grades), of all judged items
    all_weights = agreement_weights(sums.values, weights).sum()
    return np.asarray(all_weights / (q * (q - 1)) * (share * (1 - share)).sum(axis=-1))
