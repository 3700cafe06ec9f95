"""Depth-k: the first document of every run, then the second of every run, and so on."""

import numpy as np

from evaluation.engine.adaptive.candidates import Candidates, Choice, is_open, noise
from evaluation.engine.arrays import Ints


def next_by_depth(candidates: Candidates, grade: Ints, n: int, choice: Choice) -> Ints:
    """Up to `n` open pairs by their best rank in any run; equal ones at random, over all topics.

    Spärck Jones and van Rijsbergen, Report on the need for and provision of an ideal test collection, 1975.
    """
    left = np.flatnonzero(is_open(candidates, grade))
    return left[np.lexsort((noise(candidates, choice)[left], candidates.best_rank[left]))[:n]]
