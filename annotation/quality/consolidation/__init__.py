"""Several judgments → one grade.

A rule takes votes, a scale and what gold tells. A new one is a sibling file that declares it and a
line in `RULES`.
"""

from collections.abc import Mapping
from types import MappingProxyType

from annotation.quality.consolidation.consolidated import Known, nothing_known
from annotation.quality.consolidation.dawid_skene import DAWID_SKENE
from annotation.quality.consolidation.mace import MACE
from annotation.quality.consolidation.majority import MAJORITY, PLURALITY, STRICT_MAJORITY
from annotation.quality.consolidation.mean import MEAN
from annotation.quality.consolidation.median import MEDIAN
from annotation.quality.consolidation.ordinal import ORDINAL
from annotation.quality.consolidation.rule import Consolidator
from annotation.quality.consolidation.weighted import ACCURACY_WEIGHTED

RULES = (
    MEDIAN,
    MAJORITY,
    PLURALITY,
    STRICT_MAJORITY,
    MEAN,
    ACCURACY_WEIGHTED,
    DAWID_SKENE,
    ORDINAL,
    MACE,
)

CONSOLIDATORS: Mapping[str, Consolidator] = MappingProxyType({rule.name: rule.grade for rule in RULES})
RULE_WORDS: Mapping[str, str] = MappingProxyType({rule.name: rule.words for rule in RULES})
MODELS = tuple(rule.name for rule in RULES if rule.weighs_errors)
POSTERIOR = tuple(rule.name for rule in RULES if rule.has_posterior)

__all__ = [
    "CONSOLIDATORS",
    "MODELS",
    "POSTERIOR",
    "RULES",
    "RULE_WORDS",
    "Known",
    "nothing_known",
]
