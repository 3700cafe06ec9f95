"""Leniency: how much higher or lower a person grades than gold, and than the others on the same pairs.

The simplest of the rater effects of F. E. Saal, R. G. Downey and M. A. Lahey, Rating the ratings,
Psychological Bulletin 88 (1980): the mean difference, in steps of the scale.
"""

from dataclasses import dataclass

from annotation.quality.annotators.answers import BesideOthers, OnGold
from annotation.quality.annotators.figure import Figures
from annotation.quality.annotators.means import means


@dataclass(frozen=True, eq=False)
class Leniency:
    """Mean shifts in steps, above 0 lenient, below 0 strict, with Student's intervals.

    At the ends of the scale there is only one side to err to, so careless people shift towards its middle.
    """

    from_gold: Figures
    from_others: Figures  # from the others' median on ordinary pairs


def leniency_of(gold: OnGold, beside: BesideOthers, n_annotators: int) -> Leniency:
    return Leniency(
        means(gold.who, (gold.step - gold.known).astype(float), n_annotators, "gold pairs judged"),
        means(beside.who, beside.step - beside.middle, n_annotators, "pairs judged by others too"),
    )
