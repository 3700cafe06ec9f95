"""Which grade each annotator gives where gold has which: the confusion matrix of each person, as counts."""

import numpy as np

from annotation.quality.annotators.answers import OnGold
from annotation.quality.arrays import Ints


def confusion_matrices(gold: OnGold, n_annotators: int, n_grades: int) -> Ints:
    """(n_annotators, n_grades, n_grades): rows are gold grades, columns the grades given."""
    cell = (gold.who * n_grades + gold.known) * n_grades + gold.step
    counts = np.bincount(cell, minlength=n_annotators * n_grades * n_grades)
    return counts.reshape(n_annotators, n_grades, n_grades).astype(np.int64)
