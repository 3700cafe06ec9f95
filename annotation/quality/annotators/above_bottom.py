"""How often a person gives more than the lowest grade, beside the others on the same pairs.

Leniency as a mean of steps hides it where most documents are worth nothing: a judge with half as
many relevant ones again is a tenth of a step from the others.
"""

from dataclasses import dataclass

import numpy as np

from annotation.quality.annotators.answers import BesideOthers
from annotation.quality.annotators.figure import Figures, figures, shares
from annotation.quality.arrays import divided, tally

LEAST = 20
WHAT = "pairs judged by others too"


@dataclass(frozen=True, eq=False)
class AboveBottom:
    """Shares of answers above the lowest grade on pairs that somebody else judged, too: the person's, with Wilson's
    interval, and the mean over the same pairs of the others' share."""

    own: Figures
    others: Figures


def above_bottom(beside: BesideOthers, n_annotators: int) -> AboveBottom:
    n = tally(beside.who, n_annotators)
    total = np.bincount(beside.who, weights=beside.others_above, minlength=n_annotators)
    return AboveBottom(
        shares(beside.who, (beside.step > 0).astype(float), n_annotators, WHAT, least=LEAST),
        figures(divided(total, n), n, WHAT, least=LEAST),
    )
