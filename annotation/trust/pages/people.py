"""Annotators as a policy sees them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from django.db.models import Count, Q

from annotation.judging.read import current_exclusions
from annotation.models import Annotator, Batch, Collection, ExclusionEvent, Judgment
from annotation.quality.annotators import Profiles
from annotation.quality.annotators.checks import checks_passed
from annotation.quality.annotators.medians import medians
from annotation.quality.annotators.repeats import self_consistency
from annotation.quality.arrays import Floats, Ints
from annotation.quality.counted import first_judgments
from annotation.quality.inputs import Inputs
from annotation.quality.outcome import Outcome
from annotation.quality.standing import STANDINGS, Standing
from annotation.quality.table import JudgmentTable
from annotation.trust.pages.annotator_summary import Telling, telling_of
from annotation.trust.pages.grade_shares import GradeShare, shares_of
from annotation.trust.read.watch import WatchRow, watch_rows

NOTHING = (0, None)  # judged by somebody who has not begun


@dataclass(frozen=True)
class PersonRow:
    """An annotator as the policy sees them. Times in seconds; None where nothing is known."""

    pseudonym: str
    simulated: bool
    n_judged: int
    n_gold: int
    accuracy: float | None
    low: float
    high: float
    active_s: float | None
    wall_s: float | None
    early: float | None  # share of first judgments before the minimum time
    n_checks: int
    n_passed: int
    n_repeats: int
    n_same: int  # of the repeats: the same grade again
    n_near: int  # the same or a neighbouring one
    standing: str
    exclusion: ExclusionEvent | None
    is_paused: bool  # gets no cards for now, and is not excluded
    has_account: bool
    believed: bool
    not_blind: bool
    grades: list[GradeShare]
    watch: WatchRow
    telling: Telling

    @property
    def n_answers(self) -> int:
        return sum(share.n for share in self.grades)

    @property
    def early_percent(self) -> int | None:
        return None if self.early is None else round(100 * self.early)


def person_rows(collection: Collection, batches: Sequence[Batch], inputs: Inputs, outcome: Outcome) -> list[PersonRow]:
    table, people = inputs.table, outcome.people
    accuracy, profiles = people.accuracy, Profiles(inputs)
    active_s, wall_s = _median_seconds(table, table.active_ms), _median_seconds(table, table.wall_ms)
    checks, repeats = checks_passed(table, inputs.scale), self_consistency(table, inputs.scale)
    excluded, done = current_exclusions(collection), _done(batches)
    watched, told = watch_rows(collection, inputs), telling_of(profiles)
    simulated, held, with_account = _marked(collection)
    not_blind = set(np.unique(table.annotator[~table.blind]).tolist())
    return [
        PersonRow(
            pseudonym=name,
            simulated=name in simulated,
            n_judged=done.get(name, NOTHING)[0],
            n_gold=int(accuracy.n_gold[i]),
            accuracy=known(accuracy.share, i),
            low=float(accuracy.low[i]),
            high=float(accuracy.high[i]),
            active_s=known(active_s, i),
            wall_s=known(wall_s, i),
            early=done.get(name, NOTHING)[1],
            n_checks=int(checks.n[i]),
            n_passed=int(checks.n_passed[i]),
            n_repeats=int(repeats.n[i]),
            n_same=int(repeats.n_same[i]),
            n_near=int(repeats.n_near[i]),
            standing=STANDINGS[Standing(int(people.standing[i]))],
            exclusion=excluded.get(name),
            is_paused=name in held and name not in excluded,
            has_account=name in with_account,
            believed=bool(people.believed[i]),
            not_blind=i in not_blind,
            grades=shares_of(inputs.scale.grades, profiles.given[i]),
            watch=watched[i],
            telling=told[i],
        )
        for i, name in enumerate(table.annotators)
    ]


def _marked(collection: Collection) -> tuple[set[str], set[str], set[str]]:
    """Who is simulated, who gets no cards, and who has an account and so might get some. One query."""
    marked = Q(simulated=True) | Q(gets_cards=False) | Q(user__isnull=False)
    found = Annotator.objects.filter(marked, collection=collection)
    rows = list(found.values_list("pseudonym", "simulated", "gets_cards", "user"))
    simulated = {name for name, is_simulated, _, _ in rows if is_simulated}
    held = {name for name, _, gets_cards, _ in rows if not gets_cards}
    return simulated, held, {name for name, _, _, user in rows if user is not None}


def _median_seconds(table: JudgmentTable, ms: Ints) -> Floats:
    """(n_annotators,): of first judgments whose time was recorded; a correction takes a second."""
    timed = first_judgments(table) & (ms >= 0)
    return medians(table.annotator, ms, timed, len(table.annotators)) / 1000


def _done(batches: Sequence[Batch]) -> dict[str, tuple[int, float]]:
    """How many items each person has judged, and the share of first revisions before the batch's minimum time."""
    first = Judgment.objects.filter(batch__in=batches, revision=1).values_list("annotator__pseudonym")
    rows = first.annotate(n=Count("pk"), early=Count("pk", filter=Q(early=True)))
    return {name: (n, early / n) for name, n, early in rows}


def known(values: Floats, i: int) -> float | None:
    return None if np.isnan(values[i]) else float(values[i])


_ORDERS: dict[str, Callable[[PersonRow], tuple[float, float]]] = {
    "judged": lambda person: (0, person.n_judged),
    "gold": lambda person: (0, person.n_gold),
    "accuracy": lambda person: _last_if_none(person.accuracy),
    "doubt": lambda person: _last_if_none(person.high if person.n_gold else None),  # surely low first
    "active": lambda person: _last_if_none(person.active_s),
    "wall": lambda person: _last_if_none(person.wall_s),
    "early": lambda person: _last_if_none(person.early),
    "near": lambda person: _last_if_none(person.telling.within_one.value),
    "leniency": lambda person: _last_if_none(person.telling.leniency.value),
    "others": lambda person: _last_if_none(person.telling.with_others.value),
    "commonest": lambda person: _last_if_none(person.telling.commonest.value),
    "alike": lambda person: (0, person.telling.n_alike),
    "watch": lambda person: (not person.watch.reason, -person.watch.n_critical),
}


def sorted_people(people: Sequence[PersonRow], sort: str) -> list[PersonRow]:
    """By a column, descending with `-` in front; by pseudonym among equals and for columns that are none."""
    by_name = sorted(people, key=lambda person: person.pseudonym, reverse=sort == "-name")
    order = _ORDERS.get(sort.removeprefix("-"))
    return sorted(by_name, key=order, reverse=sort.startswith("-")) if order else by_name


def _last_if_none(value: float | None) -> tuple[float, float]:
    return (1, 0) if value is None else (0, value)
