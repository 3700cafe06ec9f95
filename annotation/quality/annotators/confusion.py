"""Which grade each annotator gives where gold has which: the confusion matrix of each person, as counts."""

from annotation.quality.annotators.answers import OnGold
from annotation.quality.arrays import Ints, crosstab


def confusion_matrices(gold: OnGold, n_annotators: int, n_grades: int) -> Ints:
    """(n_annotators, n_grades, n_grades): rows are gold grades, columns the grades given."""
    of_person = crosstab(gold.who * n_grades + gold.known, gold.step, n_annotators * n_grades, n_grades)
    return of_person.reshape(n_annotators, n_grades, n_grades)
