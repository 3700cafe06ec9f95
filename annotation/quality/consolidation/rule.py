"""What a rule of consolidation declares of itself."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from annotation.quality.consolidation.consolidated import Consolidated, Known
from annotation.quality.scale import Scale
from annotation.quality.votes import Votes

Consolidator: TypeAlias = Callable[[Votes, Scale, Known], Consolidated]


@dataclass(frozen=True)
class ConsolidationRule:
    """`name` is stored in policies: what a name does never changes. `words`: what the rule does, ties included, as it
    is chosen and shown."""

    name: str
    words: str
    grade: Consolidator
    weighs_errors: bool = False  # itself, everybody's: it learns the more, the more people are believed
    has_posterior: bool = False  # its confidence is the probability of the grade under a model


def without_gold(grade: Callable[[Votes, Scale], Consolidated]) -> Consolidator:
    return lambda votes, scale, _known: grade(votes, scale)
