"""Agreement as plain shares: easy to understand, not corrected for chance.

Pairwise agreement is the observed agreement of K. L. Gwet, Handbook of Inter-Rater Reliability
(2014): the mean over items with at least two judgments of the share of its judgment pairs that are
equal.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from annotation.quality.agreement.counts import GradeCounts
from annotation.quality.agreement.result import Agreement
from annotation.quality.agreement.sums import Sums
from annotation.quality.agreement.weights import Weights, agreement_weights, beyond_chance
from annotation.quality.arrays import Floats, Ints, divided, tally

ExpectedBy: TypeAlias = Callable[[Sums, Weights], Floats]  # agreement expected by chance, (…)


@dataclass(frozen=True, eq=False)
class TopicAgreement:
    """Shares in 0..1 topic by topic, (n_topics,) each; NaN where no pair of the topic has two judgments."""

    n_pairs: Ints  # pairs with at least two judgments
    exact: Floats  # share of them on which everybody gave the same grade
    pairwise: Floats  # chance that two people drawn on such a pair agree, averaged over pairs


def exact_agreement(table: GradeCounts) -> Agreement:
    """Share of items with two judgments or more on which everybody gave the same grade."""
    n = table.n[table.shared]
    alike = table.counts[table.shared].max(axis=1, initial=0) == n
    return table.agreement(float(alike.mean()) if len(n) else np.nan)


def pairwise_agreement(table: GradeCounts, *, weights: Weights = Weights.UNWEIGHTED) -> Agreement:
    """Chance that two people drawn on an item agree, averaged over items; weighted: how far they agree on average."""
    return table.agreement(float(pairwise_values(Sums.of(table), weights=weights)))


def pairwise_values(sums: Sums, *, weights: Weights = Weights.UNWEIGHTED) -> Floats:
    """(…): the same of each resample, NaN where no item is shared."""
    same = (sums.matched * agreement_weights(sums.values, weights)).sum(axis=(-2, -1))
    return divided(same, sums.n_shared)


def chance_corrected(table: GradeCounts, expected_by: ExpectedBy, weights: Weights) -> Agreement:
    """Pairwise agreement beyond what chance would give, which is where coefficients differ."""
    sums = Sums.of(table)
    observed, expected = pairwise_values(sums, weights=weights), expected_by(sums, weights)
    value = beyond_chance(observed, expected)
    return table.agreement(float(value), observed=float(observed), expected=float(expected))


def agreement_by_topic(table: GradeCounts, n_topics: int) -> TopicAgreement:
    """For a table with topics, codes below `n_topics`."""
    assert table.topic is not None
    counts, topic, n = table.counts[table.shared], table.topic[table.shared], table.n[table.shared]
    same = (counts * (counts - 1)).sum(axis=1) / (n * (n - 1))  # (n_pairs,)
    n_pairs = tally(topic, n_topics)
    alike = tally(topic[counts.max(axis=1, initial=0) == n], n_topics)
    return TopicAgreement(
        n_pairs,
        divided(alike, n_pairs),
        divided(np.bincount(topic, weights=same, minlength=n_topics), n_pairs),
    )
