"""Straight-lining: the longest run of one and the same grade, and how easily chance makes one as long.

J. A. Krosnick, Response strategies for coping with the cognitive demands of attitude measures in
surveys, Applied Cognitive Psychology 5 (1991); the longest run as an index: J. A. Johnson, Journal
of Research in Personality 39 (2005).
"""

from dataclasses import dataclass

import numpy as np

from annotation.quality.annotators.figure import Figures, figures
from annotation.quality.arrays import Floats, Ints

LEAST = 20
WHAT = "answers with a grade"


@dataclass(frozen=True, eq=False)
class StraightLining:
    """`by_chance`: the chance that the same answers in random order hold so long a run, at most. Topics come in blocks,
    and a topic with hardly a relevant document makes long runs of honest answers."""

    longest: Figures
    by_chance: Figures


def straight_lining(who: Ints, step: Ints, counts: Ints) -> StraightLining:
    """`who` and `step`: (n,), answers person by person in their order; `counts`: (n_annotators, n_grades)."""
    n = counts.sum(axis=1)
    longest = _longest(who, step, len(counts))
    alike = (counts > 0).sum(axis=1) <= 1
    chance = np.where(alike, np.nan, _chance(longest, counts, n))
    return StraightLining(
        figures(longest.astype(np.float64), n, WHAT, least=LEAST),
        figures(chance, n, WHAT, least=LEAST, otherwise="All answers have one grade: one run is all there can be."),
    )


def _longest(who: Ints, step: Ints, n_annotators: int) -> Ints:
    longest = np.zeros(n_annotators, dtype=np.int64)
    if len(who):
        begins = np.flatnonzero(np.append(True, (np.diff(who) != 0) | (np.diff(step) != 0)))
        length = np.diff(np.append(begins, len(who)))
        np.maximum.at(longest, who[begins], length)
    return longest


def _chance(longest: Ints, counts: Ints, n: Ints) -> Floats:
    """Σ over grades of the expected number of runs so long, every order of the same n answers being as likely. Of a
    grade given k times, L places in a row hold it with the chance k!/(k − L)! · (n − L)!/n!; a run begins at the first
    answer or after one of the n − k others. The number expected is never less than the chance of one."""
    log_factorial = np.append(0.0, np.cumsum(np.log(np.arange(1, n.max(initial=0) + 1))))
    left = counts - longest[:, None]
    rest = (log_factorial[n - longest] - log_factorial[n])[:, None]
    alike = np.exp(log_factorial[counts] - log_factorial[np.maximum(left, 0)] + rest)
    expected = np.where(left >= 0, alike * (n[:, None] - counts + 1), 0.0).sum(axis=1)
    return np.asarray(np.minimum(expected, 1.0))
