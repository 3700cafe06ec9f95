"""Several judgments → one grade.

A consolidator takes votes, a scale and what gold tells; a new one is a sibling file and a line here. The name stands in
stored policies: what a name does never changes.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from annotation.quality.consolidation.consolidated import Consolidated, Known, nothing_known
from annotation.quality.consolidation.dawid_skene import dawid_skene_grade
from annotation.quality.consolidation.mace import mace_grade
from annotation.quality.consolidation.majority import majority_grade, plurality_grade, strict_majority_grade
from annotation.quality.consolidation.mean import mean_grade
from annotation.quality.consolidation.median import median_grade
from annotation.quality.consolidation.ordinal import ordinal_grade
from annotation.quality.consolidation.weighted import weighted_grade
from annotation.quality.scale import Scale
from annotation.quality.votes import Votes

Consolidator = Callable[[Votes, Scale, Known], Consolidated]


def _without_gold(rule: Callable[[Votes, Scale], Consolidated]) -> Consolidator:
    return lambda votes, scale, _known: rule(votes, scale)


CONSOLIDATORS: Mapping[str, Consolidator] = MappingProxyType(
    {
        "median": _without_gold(median_grade),
        "majority": _without_gold(majority_grade),
        "plurality": _without_gold(plurality_grade),
        "strict_majority": _without_gold(strict_majority_grade),
        "mean": _without_gold(mean_grade),
        "accuracy_weighted": weighted_grade,
        "dawid_skene": dawid_skene_grade,
        "ordinal": ordinal_grade,
        "mace": mace_grade,
    }
)

# These weigh everybody's errors themselves, and have the more to learn from the more is believed.
MODELS = ("accuracy_weighted", "dawid_skene", "ordinal", "mace")

# What each rule does, ties said, as it is chosen and shown.
RULE_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "median": "the median; halves go down",
        "majority": "the most frequent grade; ties go to the lowest",
        "plurality": "the most frequent grade; ties have none",
        "strict_majority": "the grade with more than half; else none",
        "mean": "the mean, rounded; halves go down",
        "accuracy_weighted": "a vote weighted by accuracy on gold; ties go to the lowest",
        "dawid_skene": "Dawid–Skene: everybody’s own confusion of grades",
        "ordinal": "ordinal model: everybody’s leniency and sharpness",
        "mace": "MACE: who looks and who does not",
    }
)

__all__ = [
    "CONSOLIDATORS",
    "MODELS",
    "RULE_WORDS",
    "Consolidated",
    "Consolidator",
    "Known",
    "dawid_skene_grade",
    "mace_grade",
    "majority_grade",
    "mean_grade",
    "median_grade",
    "nothing_known",
    "ordinal_grade",
    "plurality_grade",
    "strict_majority_grade",
    "weighted_grade",
]
