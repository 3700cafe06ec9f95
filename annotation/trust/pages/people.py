"""Annotators as a policy sees them, a row each."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

import numpy as np

from annotation.judging.read.pauses import current_exclusions
from annotation.models import Batch, Collection, ExclusionEvent, Participation
from annotation.quality.annotators import Figure, Profiles
from annotation.quality.annotators.checks import checks_passed
from annotation.quality.annotators.medians import medians
from annotation.quality.annotators.repeats import self_consistency
from annotation.quality.arrays import Floats, Ints, or_none
from annotation.quality.counted import first_judgments, judged_here
from annotation.quality.inputs import Inputs
from annotation.quality.outcome import Outcome
from annotation.quality.table import JudgmentTable
from annotation.trust.pages.grade_shares import GradeShare, shares_of
from annotation.trust.pages.standing import Measured, Verdict, verdict_on
from annotation.trust.pages.watch import WatchRow, watch_rows
from annotation.trust.read.annotators import accounts_of, judged_and_early

NOT_BEGUN = (0, None)


@dataclass(frozen=True)
class PersonFigures:
    """The figures of a person that tell most; docs/quality.md says what each is."""

    one_grade: Figure  # right on gold with one grade for all
    within_one: Figure
    leniency: Figure
    with_others: Figure
    among_others: Figure  # how far the others agree on the same pairs
    commonest: Figure  # share of the commonest grade
    commonest_grade: int
    longest: Figure  # run of one grade
    n_alike: int | None  # near-copies; None: nobody shares pairs enough with them


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
    figures: PersonFigures
    verdict: Verdict

    @property
    def watch_words(self) -> str:
        """Who is not stopped has no mark of the watch beside the verdict: it sees no wrong grade that is near."""
        return self.watch.words if self.watch.reason else ""

    @property
    def n_answers(self) -> int:
        return sum(share.n for share in self.grades)


def person_rows(collection: Collection, batches: Sequence[Batch], inputs: Inputs, outcome: Outcome) -> list[PersonRow]:
    """Of those who take part in the batches. Accuracy on gold is over all of the collection."""
    table, people = inputs.table, outcome.people
    accuracy, profiles = people.accuracy, Profiles(inputs)
    active_s, wall_s = _median_seconds(table, table.active_ms), _median_seconds(table, table.wall_ms)
    checks, repeats = checks_passed(table, inputs.scale), self_consistency(table, inputs.scale)
    exclusions, judged = current_exclusions(collection), judged_and_early(batches)
    watch, figures = watch_rows(collection, inputs), _person_figures(profiles)
    accounts = accounts_of(collection)
    not_blind = set(np.unique(table.annotator[~table.blind]).tolist())
    here = _people_here(batches, table)
    return [
        PersonRow(
            pseudonym=name,
            simulated=name in accounts.simulated,
            n_judged=judged.get(name, NOT_BEGUN)[0],
            n_gold=int(accuracy.n_gold[i]),
            accuracy=or_none(accuracy.share[i]),
            low=float(accuracy.low[i]),
            high=float(accuracy.high[i]),
            active_s=or_none(active_s[i]),
            wall_s=or_none(wall_s[i]),
            early=judged.get(name, NOT_BEGUN)[1],
            n_checks=int(checks.n[i]),
            n_passed=int(checks.n_passed[i]),
            n_repeats=int(repeats.n[i]),
            n_same=int(repeats.n_same[i]),
            n_near=int(repeats.n_near[i]),
            standing=people.standing_name(i),
            exclusion=exclusions.get(name),
            is_paused=name in accounts.without_cards and name not in exclusions,
            has_account=name in accounts.with_account,
            believed=bool(people.believed[i]),
            not_blind=i in not_blind,
            grades=shares_of(inputs.scale.grades, profiles.grade_counts[i]),
            watch=watch[i],
            figures=figures[i],
            verdict=verdict_on(
                Measured(
                    int(accuracy.n_gold[i]), or_none(accuracy.share[i]), float(accuracy.low[i]), float(accuracy.high[i])
                ),
                standing=people.standing_name(i),
                believed=bool(people.believed[i]),
                excluded_for=exclusions[name].reason if name in exclusions else None,
                watch=watch[i],
                policy=outcome.policy,
            ),
        )
        for i, name in enumerate(table.annotators)
        if name in here
    ]


def _people_here(batches: Sequence[Batch], table: JudgmentTable) -> AbstractSet[str]:
    """Who takes part in the batches or judged in them; others are in the table for their gold alone."""
    judged = judged_here(table)
    taking_part = Participation.objects.filter(batch__in=batches).values_list("annotator__pseudonym", flat=True)
    return {*(name for i, name in enumerate(table.annotators) if judged[i]), *taking_part}


def _median_seconds(table: JudgmentTable, ms: Ints) -> Floats:
    """(n_annotators,): of first judgments whose time was recorded; a correction takes a second."""
    timed = first_judgments(table) & (ms >= 0)
    return medians(table.annotator, ms, timed, len(table.annotators)) / 1000


def _person_figures(profiles: Profiles) -> list[PersonFigures]:
    """In the order of the table's annotators; a tenth of a second for a hundred thousand judgments."""
    grades = profiles.inputs.scale.grades
    n_alike = profiles.copies.n_alike(profiles.n_annotators)
    n_compared = profiles.copies.n_compared(profiles.n_annotators)
    return [
        PersonFigures(
            one_grade=profiles.right.constant.of(i),
            within_one=profiles.right.within_one.of(i),
            leniency=profiles.leniency.from_gold.of(i),
            with_others=profiles.others.same.of(i),
            among_others=profiles.others.among.of(i),
            commonest=profiles.variety.commonest.of(i),
            commonest_grade=grades[int(profiles.variety.grade[i])],
            longest=profiles.straight.longest.of(i),
            n_alike=int(n_alike[i]) if n_compared[i] else None,
        )
        for i in range(profiles.n_annotators)
    ]
