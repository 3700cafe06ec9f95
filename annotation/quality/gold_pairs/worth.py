"""What single judgments are worth on gold, beside giving one and the same grade to everything."""

from dataclasses import dataclass

import numpy as np

from annotation.quality.arrays import Ints, tally
from annotation.quality.counted import excluded_mask, judged_here
from annotation.quality.inputs import Inputs
from annotation.quality.purpose import Purpose

DRAWS, SEED = 2000, 1
FEWEST_TOPICS = 5  # fewer tell nothing of other topics


@dataclass(frozen=True)
class Worth:
    """Shares of `n` judgments on gold, `n_here` of them in the chosen batches, the others of the same people elsewhere.
    `constant`: of the grade that would be right on most of them, the lowest of
    several. `low`, `high`: 95 % of `DRAWS` resamples of topics; None below `FEWEST_TOPICS`."""

    n: int
    right: float
    grade: int
    constant: float
    low: float | None
    high: float | None
    gap_low: float | None  # of `right` − `constant`, from the same resamples
    gap_high: float | None
    n_here: int


def worth_of(inputs: Inputs) -> Worth | None:
    """Of the judgments that accuracy is of and whose people judged in the chosen batches, without those of excluded
    people; None where there are none."""
    table, gold, scored = inputs.table, inputs.gold, inputs.scored
    counted = (judged_here(table) & ~excluded_mask(table, inputs.excluded))[table.annotator[scored.row]]
    if not counted.any():
        return None
    right, pair = scored.right[counted].astype(np.int64), scored.pair[counted]
    accepted = gold.accepted[pair].sum(axis=0)
    best = int(accepted.argmax())
    _, topic = np.unique(gold.topic[pair], return_inverse=True)
    sums = np.stack(
        [tally(topic, int(topic.max()) + 1), *(_by(topic, each) for each in (right, gold.accepted[pair, best]))]
    )
    ends = _ends(sums)
    n = len(right)
    n_here = int((table.purpose[scored.row[counted]] != Purpose.ELSEWHERE).sum())
    return Worth(n, right.sum() / n, inputs.scale.grades[best], accepted[best] / n, *ends, n_here)


def _by(topic: Ints, value: Ints) -> Ints:
    return np.bincount(topic, weights=value).astype(np.int64)


def _ends(sums: Ints) -> tuple[float | None, float | None, float | None, float | None]:
    """`sums`: (3, n_topics), judgments, right ones, those that the constant grade is right on."""
    n_topics = sums.shape[1]
    if n_topics < FEWEST_TOPICS:
        return None, None, None, None
    times = np.random.default_rng(SEED).multinomial(n_topics, np.full(n_topics, 1 / n_topics), size=DRAWS)
    n, right, constant = (times @ sums.T).T  # (DRAWS,) each
    low, high = np.quantile(right / n, [0.025, 0.975])
    gap_low, gap_high = np.quantile((right - constant) / n, [0.025, 0.975])
    return float(low), float(high), float(gap_low), float(gap_high)
