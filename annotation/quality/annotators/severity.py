"""How far errors on gold go: a near miss says less against a person than the other end of the scale."""

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
