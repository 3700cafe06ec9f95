"""Gold that may be wrong: how far judgments speak against each pair, and what people gave."""

from dataclasses import dataclass
from functools import cached_property

from annotation.gold.read.judged import JudgedGold, judged_gold
from annotation.models import Collection, ScaleVersion
from annotation.quality.gold_pairs.suspects import Suspicion, suspicion_of
from annotation.trust.read.policies import default_parameters


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


def suspects_of(collection: Collection, judged: JudgedGold | None = None) -> Suspects:
    """Half a dozen queries, however many judgments."""
    judged, policy = judged or judged_gold(collection), default_parameters(collection)
    suspicion = suspicion_of(judged.inputs, threshold=policy.accuracy_threshold, min_gold=policy.min_gold)
    return Suspects(collection, judged, suspicion, policy.min_gold, policy.accuracy_threshold)


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
