"""What people did with the pairs: assignments, every judgment ever saved, and feedback."""

from collections.abc import Sequence
from typing import Any

from django.db.models import Case, F, Q, QuerySet, When

from annotation.exchange.steps.bundles.parts.part import Part
from annotation.exchange.steps.bundles.parts.references import (
    ANNOTATOR,
    ASSIGNMENT,
    BATCH,
    DOCUMENT,
    FIRST_ASSIGNMENT,
    GUIDELINE,
    ITEM,
    SCALE,
    SLOT,
    TOPIC,
)
from annotation.formats.bundle.rows import AssignmentRow, FeedbackRow, JudgmentRow
from annotation.models import Assignment, Feedback, Judgment
from annotation.models.tokens import new_token

RETURNED = (Assignment.State.SKIPPED, Assignment.State.LATER, Assignment.State.EXPIRED)


class Assignments(Part[AssignmentRow]):
    """Those that came to something, or came back; a card that somebody holds at the moment stays behind."""

    name, row, model = "assignments", AssignmentRow, Assignment
    references = (ITEM, ANNOTATOR, SLOT, GUIDELINE, BATCH)
    paths = {"slot": Case(When(Q(state=Assignment.State.JUDGED), then=F("slot__n")))}

    def outgoing(self) -> "QuerySet[Any]":
        ended = self.transfer.has_judgment() | Q(state__in=RETURNED)
        return super().outgoing().filter(ended).exclude(state=Assignment.State.LEASED)

    def fault(self, row: AssignmentRow) -> str:
        """What the database would refuse without saying so well."""
        if (row.state == Assignment.State.JUDGED) != (row.slot is not None):
            return "an assignment that is judged holds a slot, any other holds none"
        reasons = set(Assignment.SkipReason.values) if row.state == Assignment.State.SKIPPED else {""}
        if row.skip_reason not in reasons:
            return "an assignment that was skipped has a known reason, any other has none"
        return ""


class Judgments(Part[JudgmentRow]):
    """All revisions and readings, in the order in which they were saved."""

    name, row, model = "judgments", JudgmentRow, Judgment
    references = (ITEM, ANNOTATOR, ASSIGNMENT, SCALE, GUIDELINE, BATCH, TOPIC, DOCUMENT)

    def outgoing(self) -> "QuerySet[Any]":
        return super().outgoing().filter(pk__lte=self.transfer.last_judgment)

    def further_columns(self, rows: Sequence[JudgmentRow]) -> dict[str, object]:
        return {"token": [new_token() for _ in rows]}


class Feedbacks(Part[FeedbackRow]):
    """Of judgments that go along. Whether people have read it stays behind."""

    name, row, model = "feedback", FeedbackRow, Feedback
    references = (ITEM, ANNOTATOR, BATCH, FIRST_ASSIGNMENT)
    paths = {"number": "assignment__item__topic__number", "docno": "assignment__item__document__docno"}
    since = 2

    def outgoing(self) -> "QuerySet[Any]":
        last = self.transfer.last_judgment
        return super().outgoing().filter(assignment__judgments__revision=1, assignment__judgments__pk__lte=last)
