"""What judgments say of all people of a choice of batches at once: what the page of each is made of."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from annotation.kernel.judged.reading import read_judgments
from annotation.kernel.results.recipes import BatchChoice, Recipe, all_but, worked_out
from annotation.kernel.results.recipes import Parameters as Asked
from annotation.kernel.visible import visible_batches
from annotation.models import Collection
from annotation.quality.annotators import Profiles
from annotation.quality.apply import apply_policy
from annotation.quality.arrays import Floats
from annotation.quality.inputs import Inputs
from annotation.quality.outcome import People
from annotation.quality.pairs import find
from annotation.quality.policy import Policy as Parameters
from annotation.quality.table import JudgmentTable
from annotation.trust.pages.watch import WatchRow, watch_rows
from annotation.trust.read.judgments import kept_inputs
from annotation.trust.read.policies import default_parameters
from annotation.trust.read.withheld import usual_choices

SECOND = 1_000_000  # microseconds


@dataclass(frozen=True, eq=False)
class Everybody:
    """`people` as a policy sees them, `watch` on each, in the order of the table's annotators."""

    people: People
    watch: Sequence[WatchRow]
    profiles: Profiles

    @property
    def names(self) -> tuple[str, ...]:
        return self.profiles.inputs.table.annotators


def everybody(choice: BatchChoice, parameters: Parameters, saved_at: Floats) -> Everybody:
    """`saved_at`: as of `Profiles`. `ValueError` as of `policy_inputs`."""
    inputs = kept_inputs(choice.collection, choice.batches, choice.criterion)
    people = inputs.once(apply_policy, parameters).people
    return Everybody(people, watch_rows(choice.collection, inputs), Profiles(inputs, saved_at))


def _make(choice: BatchChoice, asked: Asked) -> Everybody:
    inputs = kept_inputs(choice.collection, choice.batches, choice.criterion)
    return everybody(choice, Parameters.from_json(asked["policy"]), _saved_at(choice, inputs))


def _saved_at(choice: BatchChoice, inputs: Inputs) -> Floats:
    """(n,): seconds, of everybody's judgments."""
    batches = visible_batches(choice.collection).filter(criterion=choice.criterion).order_by("pk")
    column = read_judgments(list(batches.values_list("pk", flat=True)), ["saved"], criterion=choice.criterion)
    at, is_there = find(column["id"], inputs.table.sequence)
    seconds = np.full(len(at), np.nan)
    seconds[is_there] = column["saved"][at[is_there]] / SECOND
    return seconds


def _settle(everybody: Everybody) -> None:
    for name in worked_out(Profiles):
        getattr(everybody.profiles, name)


def _usual(collection: Collection) -> list[tuple[BatchChoice, Asked]]:
    asked = {"policy": default_parameters(collection).to_json()}
    return [(choice, asked) for choice in usual_choices(collection)]


EVERYBODY = Recipe(
    "everybody",
    _make,
    _settle,
    {
        Inputs: all_but(Inputs, "scale", "table"),
        JudgmentTable: all_but(JudgmentTable, "annotators"),
        Profiles: frozenset({"saved_at", "places_in_session", "beside"}),
    },
    usual=_usual,
)
