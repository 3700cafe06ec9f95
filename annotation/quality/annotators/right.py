"""How often each annotator is right on gold: the very grade, a step away at most, or any accepted grade."""

from dataclasses import dataclass

import numpy as np

from annotation.quality.annotators.answers import OnGold
from annotation.quality.annotators.figure import Figures, shares

WHAT = "gold pairs judged"


@dataclass(frozen=True, eq=False)
class Right:
    """Shares with Wilson intervals (`wilson.py`). `accepted` is what the policy calls accuracy."""

    exact: Figures
    within_one: Figures
    accepted: Figures


def right_on_gold(gold: OnGold, n_annotators: int) -> Right:
    """`within_one`: at most one step of the scale from the gold grade, whatever else is accepted there."""
    steps = np.abs(gold.step - gold.known)
    exact, near, accepted = (
        shares(gold.who, chosen.astype(np.float64), n_annotators, WHAT)
        for chosen in (steps == 0, steps <= 1, gold.off == 0)
    )
    return Right(exact, near, accepted)
