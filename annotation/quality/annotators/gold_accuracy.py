"""How often each annotator is right on gold: the very grade, a step away at most, or any accepted grade."""

from dataclasses import dataclass

import numpy as np

from annotation.quality.annotators.answers import OnGold
from annotation.quality.annotators.figure import Figures, figures, shares
from annotation.quality.arrays import Bools, divided, tally

WHAT = "gold pairs judged"


@dataclass(frozen=True, eq=False)
class Right:
    """Shares with Wilson intervals (`wilson.py`). `accepted` is what the policy calls accuracy. `constant`, which has
    none, is what it would be on the same gold for the one grade, given every time, that suits it best."""

    exact: Figures
    within_one: Figures
    accepted: Figures
    constant: Figures


def right_on_gold(gold: OnGold, known: Bools, n_annotators: int) -> Right:
    """`within_one`: at most one step of the scale from the gold grade, whatever else is accepted there.

    `known`: (n_gold, n_grades), the accepted grades of all gold.
    """
    steps = np.abs(gold.step - gold.known)
    exact, near, accepted = (
        shares(gold.who, chosen.astype(np.float64), n_annotators, WHAT)
        for chosen in (steps == 0, steps <= 1, gold.off == 0)
    )
    return Right(exact, near, accepted, _constant(gold, known, n_annotators))


def _constant(gold: OnGold, known: Bools, n_annotators: int) -> Figures:
    n = tally(gold.who, n_annotators)
    right = [np.bincount(gold.who, weights=each[gold.pair], minlength=n_annotators) for each in known.T]
    return figures(divided(np.max(right, axis=0), n), n, WHAT)
