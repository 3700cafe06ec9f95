"""Errors on gold: which grade instead of which, and how far off. A near miss says less than one far off."""

from dataclasses import dataclass

from annotation.quality.annotators.answers import OnGold
from annotation.quality.annotators.figure import Figures, shares
from annotation.quality.annotators.means import means
from annotation.quality.arrays import Ints, crosstab


@dataclass(frozen=True, eq=False)
class Severity:
    """`distances`: (n_annotators, n_grades), gold judgments by steps from the nearest accepted grade, 0 first."""

    distances: Ints
    critical: Figures  # share of critical errors, as the watch on them counts them
    of_errors: Figures  # mean steps of what is wrong; 1 is a near miss


def severity_of(gold: OnGold, n_annotators: int, n_grades: int) -> Severity:
    wrong = gold.off > 0
    return Severity(
        crosstab(gold.who, gold.off, n_annotators, n_grades),
        shares(gold.who, gold.critical.astype(float), n_annotators, "gold pairs judged"),
        means(gold.who[wrong], gold.off[wrong].astype(float), n_annotators, "errors on gold", least=1),
    )


def confusion_matrices(gold: OnGold, n_annotators: int, n_grades: int) -> Ints:
    """(n_annotators, n_grades, n_grades), counts: rows are gold grades, columns the grades given."""
    of_person = crosstab(gold.who * n_grades + gold.known, gold.step, n_annotators * n_grades, n_grades)
    return of_person.reshape(n_annotators, n_grades, n_grades)
