"""What the quality page says of batches under a policy: people, agreement, pairs that drop, grades given."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import urlencode

import numpy as np

from annotation.kernel.plots.bars import BarPlot
from annotation.kernel.results.recipes import BatchChoice, Recipe, all_but, worked_out
from annotation.kernel.results.recipes import Parameters as Asked
from annotation.models import Batch, Collection
from annotation.quality.agreement import agreement_votes, counts_of_votes
from annotation.quality.agreement.cells import Cells, telling_cells
from annotation.quality.apply import apply_policy
from annotation.quality.coverage import Coverage, Suggestion, coverage_of, suggest
from annotation.quality.gold_pairs.worth import Worth, worth_of
from annotation.quality.inputs import Inputs
from annotation.quality.outcome import Outcome, Source
from annotation.quality.policy import Policy as Parameters
from annotation.quality.purpose import CRITERION
from annotation.quality.standing import STANDINGS
from annotation.quality.table import JudgmentTable
from annotation.trust.pages.agreement import AgreementReport
from annotation.trust.pages.grade_shares import GradeShare, counts_of, grades_plot, shares_of
from annotation.trust.pages.machines import MachineRow, machine_rows
from annotation.trust.pages.people import PersonRow, person_rows
from annotation.trust.pages.people_plot import AccuracyPlot, accuracy_plot
from annotation.trust.pages.policies import in_words
from annotation.trust.pages.topics import TopicRow, topic_rows
from annotation.trust.pages.verdict import Sentence, verdict_of
from annotation.trust.read.dropped import DroppedPairs, ReasonCount, dropped_by_reason
from annotation.trust.read.judgments import kept_inputs
from annotation.trust.read.policies import default_parameters
from annotation.trust.read.results import result_of
from annotation.trust.read.watch import can_err_critically
from annotation.trust.read.withheld import usual_choices

MANY = 100  # answers; before that many a grade may be missing by chance


@dataclass(frozen=True, eq=False)
class QualityReport:
    """`inputs` and their `outcome` under a policy, read as a page shows them. What takes time or queries is worked out
    when it is asked for, and once: each part of the page asks for what it shows."""

    collection: Collection
    batches: Sequence[Batch]
    inputs: Inputs
    outcome: Outcome

    @cached_property
    def people(self) -> list[PersonRow]:
        return person_rows(self.collection, self.batches, self.inputs, self.outcome)

    @cached_property
    def agreement(self) -> AgreementReport:
        votes, topic = self.inputs.once(agreement_votes)
        return AgreementReport(counts_of_votes(votes, self.inputs.scale, topic), votes, self.inputs.scale)

    @cached_property
    def topics(self) -> list[TopicRow]:
        return topic_rows(self.inputs.table, self.outcome, self.agreement.counts)

    @cached_property
    def cells(self) -> Cells:
        """Agreement of people with the others, topic by topic."""
        return telling_cells(
            self.agreement.votes, self.agreement.counts, self.inputs.scale, len(self.inputs.table.numbers)
        )

    @cached_property
    def coverage(self) -> Coverage:
        return coverage_of(self.outcome)

    @cached_property
    def suggestion(self) -> Suggestion | None:
        return suggest(self.inputs, self.outcome.policy)

    @cached_property
    def worth(self) -> Worth | None:
        return worth_of(self.inputs)

    @property
    def verdict(self) -> list[Sentence]:
        """What a careful reader would conclude."""
        return verdict_of(self.worth, self.people, self.coverage, self.outcome.policy.accuracy_threshold)

    @property
    def milder(self) -> list[tuple[str, str]]:
        """What differs in the suggested policy, in words."""
        return [in_words(*change) for change in self.suggestion.changed.items()] if self.suggestion else []

    @property
    def milder_query(self) -> str:
        """The same as the query of an address."""
        return urlencode(self.suggestion.changed) if self.suggestion else ""

    @cached_property
    def reasons(self) -> list[ReasonCount]:
        return dropped_by_reason(self.outcome)

    @cached_property
    def machines(self) -> list[MachineRow]:
        return machine_rows(self.inputs, self.outcome.policy)

    @property
    def n_dropped(self) -> int:
        return sum(reason.n for reason in self.reasons)

    @property
    def n_adjudicated(self) -> int:
        """Kept pairs whose grade is an adjudicator's."""
        return int((self.outcome.kept & (self.outcome.source == Source.ADJUDICATED)).sum())

    @property
    def n_known_kept(self) -> int:
        """Kept pairs that nothing had to decide: their grade is known."""
        return self.outcome.n_kept - self.coverage.kept

    @property
    def n_people(self) -> int:
        return len(self.people)

    @property
    def n_believed(self) -> int:
        return sum(person.believed for person in self.people)

    @property
    def standings(self) -> str:
        """How many of each, in words."""
        n_of = Counter(person.standing for person in self.people)
        return ", ".join(f"{n_of[standing]} {standing}" for standing in STANDINGS.values() if n_of[standing])

    @property
    def n_answers(self) -> int:
        return sum(person.n_answers for person in self.people)

    @cached_property
    def kept_grades(self) -> list[GradeShare]:
        """The grades of the kept pairs."""
        scale = self.inputs.scale
        return shares_of(scale.grades, counts_of(self.outcome.grade[self.outcome.kept], scale.grades))

    @cached_property
    def grades(self) -> list[GradeShare]:
        """The grades that everybody gave."""
        total = np.sum([[share.n for share in person.grades] for person in self.people], axis=0, dtype=np.int64)
        return shares_of(self.inputs.scale.grades, np.atleast_1d(total)) if self.people else []

    @cached_property
    def skipped_grades(self) -> list[int]:
        """Grades that nobody gave, between grades that were given: the mark of a shorter scale that was mapped."""
        used = [i for i, share in enumerate(self.grades) if share.n]
        between = self.grades[used[0] : used[-1]] if len(self.people) > 1 and self.n_answers >= MANY and used else []
        return [share.grade for share in between if not share.n]

    @cached_property
    def watch_has_gold(self) -> bool:
        """Whether anybody has judged gold."""
        return any(person.watch.n_gold for person in self.people)

    @cached_property
    def watch_sees(self) -> bool:
        """Whether anybody could have made a critical error on the gold there is."""
        return can_err_critically(self.inputs)

    @property
    def to_exclude(self) -> list[PersonRow]:
        """Whom the watch stopped and nobody has excluded yet."""
        return [person for person in self.people if person.watch.reason and not person.exclusion]

    @property
    def without_cards(self) -> list[PersonRow]:
        """Who is paused or excluded."""
        return [person for person in self.people if person.is_paused or person.exclusion]

    def dropped(self, reason: str = "") -> DroppedPairs:
        return DroppedPairs(self.outcome, reason)

    @property
    def accuracy_plot(self) -> AccuracyPlot:
        return accuracy_plot(self.people, self.outcome.policy.accuracy_threshold)

    @property
    def kept_plot(self) -> BarPlot | None:
        return grades_plot(self.kept_grades)


def quality_report(
    collection: Collection, batches: Sequence[Batch], parameters: Parameters, criterion: str = CRITERION
) -> QualityReport:
    """A constant number of queries; some seconds for a million judgments, where nothing is kept. `ValueError` as
    `policy_inputs` raises it."""
    return result_of(QUALITY, BatchChoice(collection, batches, criterion), {"policy": parameters.to_json()})


def _make(choice: BatchChoice, parameters: Asked) -> QualityReport:
    inputs = kept_inputs(choice.collection, choice.batches, choice.criterion)
    policy = Parameters.from_json(parameters["policy"])
    return QualityReport(choice.collection, choice.batches, inputs, inputs.once(apply_policy, policy))


def _settle(report: QualityReport) -> None:
    """All that pages, the API and tables ask of it."""
    for part in (report, report.agreement):
        for name in worked_out(type(part)):
            getattr(part, name)


def _usual(collection: Collection) -> list[tuple[BatchChoice, Asked]]:
    """All that is judged, by the default policy."""
    asked = {"policy": default_parameters(collection).to_json()}
    return [(choice, asked) for choice in usual_choices(collection)]


QUALITY = Recipe(
    "quality",
    _make,
    _settle,
    {
        Inputs: all_but(Inputs, "scale"),
        JudgmentTable: all_but(JudgmentTable, "numbers", "docnos", "annotators", "criterion"),
        AgreementReport: frozenset({"counts", "votes", "_compared"}),
    },
    usual=_usual,
)
