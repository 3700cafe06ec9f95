"""How far people agree, one coefficient a file. Each gives a value, or the reason why there is none (`result.py`).

Most read a table of counts (`counts.py`), those of two people a table of two (`couples.py` makes
all of them at once), a few ask that everybody judged every item (`complete.py`).
"""

from annotation.quality.agreement.alpha import Level, krippendorff_alpha
from annotation.quality.agreement.bootstrap import BootstrapInterval, bootstrap_intervals
from annotation.quality.agreement.counts import GradeCounts, counts_of_votes
from annotation.quality.agreement.percent import (
    agreement_by_topic,
    exact_agreement,
    pairwise_agreement,
)
from annotation.quality.agreement.result import Agreement
from annotation.quality.agreement.rows import agreement_rows, agreement_votes
from annotation.quality.agreement.weights import Weights

__all__ = [
    "Agreement",
    "BootstrapInterval",
    "GradeCounts",
    "Level",
    "Weights",
    "agreement_by_topic",
    "agreement_rows",
    "agreement_votes",
    "bootstrap_intervals",
    "counts_of_votes",
    "exact_agreement",
    "krippendorff_alpha",
    "pairwise_agreement",
]
