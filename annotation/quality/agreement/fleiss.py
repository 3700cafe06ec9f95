"""Fleiss' kappa: J. L. Fleiss, Measuring nominal scale agreement among many raters, Psychological Bulletin 76 (1971).

Agreement beyond what people would reach who give each grade as often as everybody together did, at
random. For items with unequal numbers of judgments: K. L. Gwet, Handbook of Inter-Rater Reliability
(2014), chapter 2 (observed over items with two judgments or more; shares of grades over all judged
items, each item counting once). With two judgments an item this is Scott's pi.
"""

from annotation.quality.agreement.counts import GradeCounts
from annotation.quality.agreement.percent import chance_corrected, pairwise_values
from annotation.quality.agreement.result import Agreement
from annotation.quality.agreement.sums import Sums
from annotation.quality.agreement.weights import Weights, agreement_weights, beyond_chance
from annotation.quality.arrays import Floats, divided


def fleiss_kappa(table: GradeCounts, *, weights: Weights = Weights.UNWEIGHTED) -> Agreement:
    """Undefined where only one grade was given."""
    return chance_corrected(table, _expected, weights)


def fleiss_values(sums: Sums, *, weights: Weights = Weights.UNWEIGHTED) -> Floats:
    """(…): kappa of each resample, NaN where undefined."""
    return beyond_chance(pairwise_values(sums, weights=weights), _expected(sums, weights))


def _expected(sums: Sums, weights: Weights) -> Floats:
    share = divided(sums.share, sums.n_rated[..., None])  # (…, n_grades)
    by_chance: Floats = ((share @ agreement_weights(sums.values, weights)) * share).sum(axis=-1)
    return by_chance
