"""Policies side by side on the same judgments: what each keeps, how right it is on gold, what it drops and why."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from annotation.kernel.results.recipes import BatchChoice, Recipe, all_but, worked_out
from annotation.kernel.results.recipes import Parameters as Asked
from annotation.models import Batch, Collection
from annotation.quality.apply import apply_policy
from annotation.quality.arrays import Ints
from annotation.quality.consolidation import RULE_WORDS
from annotation.quality.coverage import Coverage, coverage_of
from annotation.quality.crossfit import CrossFit, Dealt, cross_fit, folds_of
from annotation.quality.inputs import Inputs
from annotation.quality.outcome import Outcome, Source
from annotation.quality.pairs import find
from annotation.quality.policy import Policy as Parameters
from annotation.quality.purpose import CRITERION
from annotation.quality.wilson import Share
from annotation.trust.read.dropped import ReasonCount, dropped_by_reason
from annotation.trust.read.judgments import kept_inputs
from annotation.trust.read.results import result_of

# What a rule is tried with: all are believed and nothing is filtered, so that the rule alone decides.
TRIAL = Parameters(accuracy_threshold=0, count_unproven=True, min_judgments=1, max_range=None)

ON_TRIAL = "trial: "


@dataclass(frozen=True, eq=False)
class ComparedPolicy:
    """A policy and what it makes of the judgments; `first` is the outcome of the first one compared."""

    name: str
    outcome: Outcome
    first: Outcome
    gold: CrossFit

    @property
    def on_trial(self) -> bool:
        return self.name.startswith(ON_TRIAL)

    @property
    def rule(self) -> str:
        return RULE_WORDS[self.outcome.policy.consolidation]

    @cached_property
    def coverage(self) -> Coverage:
        return coverage_of(self.outcome)

    @cached_property
    def reasons(self) -> list[ReasonCount]:
        return [reason for reason in dropped_by_reason(self.outcome) if reason.n]

    @property
    def n_dropped(self) -> int:
        return sum(reason.n for reason in self.reasons)

    @cached_property
    def on_gold(self) -> Share:
        """The gold pairs that are right, of those kept."""
        return Share(self.gold.n_right, self.gold.n_kept)

    @property
    def accuracy(self) -> float | None:
        return self.on_gold.value

    @property
    def confidence(self) -> float | None:
        """How sure the policy says it is, on average, of the gold pairs that it keeps."""
        return float(self.gold.confidence[self.gold.kept].mean()) if self.gold.n_kept else None

    @cached_property
    def same(self) -> Share:
        """Pairs with the same grade as under the first policy, of those that judgments decided and both keep.

        A policy that counts machine judges may have pairs that the other has not.
        """
        (mine, grade), (theirs, other) = _judged(self.outcome), _judged(self.first)
        both, here, there = np.intersect1d(mine, theirs, assume_unique=True, return_indices=True)
        return Share(int((grade[here] == other[there]).sum()), len(both))


def _judged(outcome: Outcome) -> tuple[Ints, Ints]:
    """Keys of the kept pairs that judgments decided, and their grades."""
    judged = outcome.kept & (outcome.source == Source.JUDGED)
    return outcome.table.pair_key(outcome.topic[judged], outcome.document[judged]), outcome.grade[judged]


@dataclass(frozen=True)
class Comparison:
    """The policies in the order in which they were named; the gold pairs that judgments could decide; and the grade
    that is right on most of them, the lowest of several, with how many those are."""

    rows: list[ComparedPolicy]
    n_gold: int
    constant: int
    n_constant: int
    dealt: Dealt  # to the folds of gold

    @property
    def constant_share(self) -> float:
        return self.n_constant / max(self.n_gold, 1)


def trials(rules: Iterable[str]) -> dict[str, Parameters]:
    """Each rule on its own, named by what it does."""
    return {f"{ON_TRIAL}{rule}": replace(TRIAL, consolidation=rule) for rule in rules}


def compare_policies(
    collection: Collection, batches: Sequence[Batch], named: Mapping[str, Parameters], criterion: str = CRITERION
) -> Comparison:
    """As `compare_on`, on the judgments as they stand; `ValueError` as `policy_inputs` raises it."""

    policies = [[name, parameters.to_json()] for name, parameters in named.items()]
    return result_of(COMPARISON, BatchChoice(collection, batches, criterion), {"policies": policies})


def _make(choice: BatchChoice, parameters: Asked) -> Comparison:
    named = {name: Parameters.from_json(text) for name, text in parameters["policies"]}
    return compare_on(kept_inputs(choice.collection, choice.batches, choice.criterion), named)


def _settle(comparison: Comparison) -> None:
    for row in comparison.rows:
        for name in worked_out(ComparedPolicy):
            getattr(row, name)


COMPARISON = Recipe("policies", _make, _settle, {Outcome: all_but(Outcome, "policy")})


def compare_on(inputs: Inputs, named: Mapping[str, Parameters]) -> Comparison:
    """Applies each policy six times, once as it is and once a fold. Needs one policy at least."""
    outcomes = {name: apply_policy(inputs, parameters) for name, parameters in named.items()}
    first, folds = next(iter(outcomes.values())), folds_of(inputs)
    rows = [
        ComparedPolicy(name, outcome, first, cross_fit(inputs, outcome.policy, folds))
        for name, outcome in outcomes.items()
    ]
    return Comparison(rows, len(rows[0].gold), *_constant(inputs, rows[0].gold), folds.by)


def _constant(inputs: Inputs, decided: CrossFit) -> tuple[int, int]:
    """The grade that is right on most of the gold pairs, and on how many."""
    row, _ = find(inputs.table.keys_of(decided), inputs.table.keys_of(inputs.gold))
    right = inputs.gold.accepted[row].sum(axis=0)
    best = int(right.argmax())
    return inputs.scale.grades[best], int(right[best])
