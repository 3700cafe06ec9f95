"""The exact test of two groups of impressions: whether one is clicked less, or more, than the other."""

import math
from dataclasses import dataclass

import numpy as np

MOST_DEVIATION = 100.0  # of the clicks: above, the normal's tail is theirs
REACH = 50  # standard deviations either side: beyond, nothing is left


@dataclass(frozen=True)
class Shown:
    """`looks` are impressions times the propensity of their positions."""

    clicks: float
    impressions: float
    looks: float


def exact_tails(own: Shown, others: Shown) -> tuple[float, float] | None:
    """The chances of at most, and of at least, as many clicks of `own`, given those of both, where both attract alike:
    Fisher's noncentral hypergeometric distribution, its odds those of being clicked at the positions of each. Of one
    propensity it is Fisher's exact test; propensities within a group are taken as their mean, which leaves p too large.
    None where the normal is as good, or no tail is left.

    Fisher, The logic of inductive inference, Journal of the Royal Statistical Society 98, 1935.
    """
    from scipy.special import betaln

    both = own.clicks + others.clicks
    rate = both / (own.looks + others.looks)
    p = [min(rate * each.looks / each.impressions, 1 - 1e-9) for each in (own, others)]
    variance = [each.impressions * one * (1 - one) for each, one in zip((own, others), p, strict=True)]
    if not min(variance) > 0:
        return None
    deviation = math.sqrt(variance[0] * variance[1] / sum(variance))
    centre, reach = both * own.looks / (own.looks + others.looks), REACH * deviation + REACH
    low = max(0.0, both - others.impressions, math.floor(centre - reach))
    high = min(own.impressions, both, math.ceil(centre + reach))
    if deviation > MOST_DEVIATION or not low <= own.clicks <= high:
        return None
    x = np.arange(low, high + 1)
    odds = math.log(p[0] / (1 - p[0])) - math.log(p[1] / (1 - p[1]))
    rest = both - x
    log = x * odds - betaln(x + 1, own.impressions - x + 1) - betaln(rest + 1, others.impressions - rest + 1)
    chance = np.exp(log - log.max())
    chance /= chance.sum()
    return float(chance[x <= own.clicks].sum()), float(chance[x >= own.clicks].sum())
