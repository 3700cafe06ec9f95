"""Gold that may be wrong: how far judgments speak against each pair, and what people gave.

Of large batches it is kept for all processes, with the judgments on gold and the gold itself.
"""

from dataclasses import dataclass
from functools import cached_property

from annotation.gold.read.judged import JudgedGold, judged_gold
from annotation.kernel.results.recipes import BatchChoice, Recipe
from annotation.kernel.results.recipes import Parameters as Asked
from annotation.models import Collection, ScaleVersion
from annotation.quality.gold_pairs.suspects import Suspicion, suspicion_of
from annotation.quality.purpose import CRITERION
from annotation.trust.read.policies import default_parameters
from annotation.trust.read.results import result_of
from annotation.trust.read.withheld import judged_batches


@dataclass(frozen=True)
class GradeCount:
    """How many people gave a grade to the pair, and how many of them are good on the other gold."""

    grade: int
    name: str
    n: int
    n_good: int
    is_accepted: bool


@dataclass(frozen=True, eq=False)
class Suspects:
    """All gold under suspicion; `ranked`: indexes into the arrays, the most suspicious first."""

    collection: Collection
    judged: JudgedGold
    suspicion: Suspicion
    min_gold: int
    threshold: float

    @cached_property
    def ranked(self) -> list[int]:
        return [int(index) for index in self.suspicion.ranked()]

    @property
    def n_weighed(self) -> int:
        """Gold pairs that anybody has judged."""
        return int((self.suspicion.n_judged > 0).sum())


def suspects_of(collection: Collection) -> Suspects:
    """Half a dozen queries, however many judgments, where nothing is kept."""
    return result_of(SUSPECTS, gold_choice(collection), _asked(collection))


def gold_choice(collection: Collection) -> BatchChoice:
    """All that is judged."""
    return BatchChoice(collection, judged_batches(collection), CRITERION)


def _asked(collection: Collection) -> Asked:
    policy = default_parameters(collection)
    return {"min_gold": policy.min_gold, "threshold": policy.accuracy_threshold}


def _make(choice: BatchChoice, asked: Asked) -> Suspects:
    judged = judged_gold(choice.collection, choice.criterion)
    return Suspects(choice.collection, judged, suspicion_of(judged.inputs, **asked), **asked)


SUSPECTS = Recipe(
    "suspects",
    _make,
    mark=lambda choice, _asked: choice.collection.scale_id,
    usual=lambda collection: [(gold_choice(collection), _asked(collection))],
)


def grade_counts_of(suspects: Suspects, index: int, scale: ScaleVersion) -> list[GradeCount]:
    """What people gave to the gold pair at an index of the arrays, grade by grade."""
    suspicion, accepted = suspects.suspicion, suspects.judged.inputs.gold.accepted[index]
    return [
        GradeCount(
            each["grade"],
            each["name"],
            int(suspicion.given[index, g]),
            int(suspicion.good_given[index, g]),
            bool(accepted[g]),
        )
        for g, each in enumerate(scale.grades)
    ]
