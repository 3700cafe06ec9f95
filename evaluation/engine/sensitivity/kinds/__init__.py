"""The kinds of change that the order of runs may not survive. A new one is a `Kind` in a sibling and a line here."""

from collections.abc import Mapping
from types import MappingProxyType

from evaluation.engine.sensitivity.kinds.contributions import GROUPS, RUNS
from evaluation.engine.sensitivity.kinds.judges import JUDGES
from evaluation.engine.sensitivity.kinds.kind import Kind
from evaluation.engine.sensitivity.kinds.people import ANNOTATORS, ONE_ANNOTATOR, UNION_INTERSECTION
from evaluation.engine.sensitivity.kinds.policies import CONSOLIDATION, FILTERS, POLICIES
from evaluation.engine.sensitivity.kinds.topics import TOPICS
from evaluation.engine.sensitivity.kinds.unjudged import TREATMENTS

KINDS: tuple[Kind, ...] = (
    ANNOTATORS,
    ONE_ANNOTATOR,
    UNION_INTERSECTION,
    JUDGES,
    POLICIES,
    FILTERS,
    CONSOLIDATION,
    TOPICS,
    RUNS,
    GROUPS,
    TREATMENTS,
)
KIND_WORDS: Mapping[str, str] = MappingProxyType({kind.name: kind.words for kind in KINDS})

__all__ = ["KINDS", "KIND_WORDS", "Kind"]
