"""How far each annotator agrees with all others who judged the same pairs."""

from dataclasses import dataclass

import numpy as np

from annotation.quality.annotators.answers import BesideOthers
from annotation.quality.annotators.figure import Figures, figures, shares
from annotation.quality.arrays import Floats

LEAST = 5
WHAT = "pairs judged by others too"


@dataclass(frozen=True, eq=False)
class WithOthers:
    """`same`: share of the others with the same grade, averaged over the person's pairs. `near`: share of pairs with at
    most a step to the others' median. `among`: how often every two others agree on those of the same pairs that two of
    them judged, which is what `same` is to be measured by: hard pairs are hard for all."""

    same: Figures
    near: Figures
    among: Figures


def with_others(beside: BesideOthers, n_annotators: int) -> WithOthers:
    two = ~np.isnan(beside.among)
    among = shares(beside.who[two], beside.among[two], n_annotators, "pairs judged by two others", least=LEAST)
    return WithOthers(
        shares(beside.who, beside.n_same / beside.n_others, n_annotators, WHAT, least=LEAST),
        shares(beside.who, _near(beside), n_annotators, WHAT, least=LEAST),
        figures(among.value, among.n, among.what, least=LEAST),  # the same pairs, not a sample: no interval
    )


def _near(beside: BesideOthers) -> Floats:
    return np.asarray(np.abs(beside.step - beside.middle) <= 1, dtype=np.float64)
