"""What people did with the pairs: their assignments, and every judgment ever saved."""

from collections.abc import Iterator, Sequence

from django.db.models import Case, F, Q, QuerySet, When

from annotation.exchange.read.bundles import paged
from annotation.exchange.steps.bundles import primary_keys as places
from annotation.exchange.steps.bundles.part import TablePart, create, keys_of, optional_keys_of
from annotation.formats.bundle import RowRefused
from annotation.formats.bundle.quality import AppealRow
from annotation.formats.bundle.rows import AssignmentRow, FeedbackRow, JudgmentRow
from annotation.models import Assignment, Collection, Item, Judgment, Slot
from annotation.models.tokens import new_token

GIVEN_BACK = (Assignment.State.SKIPPED, Assignment.State.LATER, Assignment.State.EXPIRED)
OF_AN_ASSIGNMENT = ("reading", "state", "skip_reason", "skip_note", "claimed_at", "ended_at")
OF_A_JUDGMENT = (
    *("revision", "criterion", "grade", "comment", "evidence_start", "evidence_end", "active_ms", "wall_ms"),
    *("early", "surplus", "blind", "created_at"),
)


class Assignments(TablePart[AssignmentRow]):
    """Those that came to something, or came back; a card that somebody holds at the moment stays behind."""

    name, row = "assignments", AssignmentRow

    def rows(self) -> Iterator[AssignmentRow]:
        judged = Q(state=Assignment.State.JUDGED)
        found = Assignment.objects.filter(self.transfer.saved() | Q(state__in=GIVEN_BACK))
        found = found.filter(batch__in=self.transfer.batches).exclude(state=Assignment.State.LEASED)
        held = found.annotate(held=Case(When(judged, then=F("slot__n"))))
        meeting = ("batch__name", "item__topic__number", "item__document__docno", "annotator__pseudonym", "reading")
        further = ("skip_reason", "skip_note", "claimed_at", "ended_at")
        columns = paged(held, *meeting, "state", "held", "guideline__number", *further)
        return (AssignmentRow(*values) for values in columns)

    def store(self, rows: Sequence[AssignmentRow]) -> None:
        for place, row in enumerate(rows):
            _check_assignment(place, row)
        items, people = who_and_what(self.collection, rows)
        known = dict(Item.objects.filter(pk__in=set(items)).values_list("pk", "batch_id"))
        create(
            Assignment,
            rows,
            OF_AN_ASSIGNMENT,
            collection=self.collection,
            batch_id=[known[item] for item in items],
            item_id=items,
            annotator_id=people,
            slot_id=self._slots(rows, items),
            guideline_id=self._guidelines(rows),
        )

    def _slots(self, rows: Sequence[AssignmentRow], items: Sequence[int]) -> list[int | None]:
        found = Slot.objects.filter(item__in=set(items), state=Slot.State.JUDGED)
        known = {(item, n): pk for item, n, pk in found.values_list("item_id", "n", "pk")}
        wanted = [None if row.slot is None else (item, row.slot) for row, item in zip(rows, items, strict=True)]
        for place, key in enumerate(wanted):
            if key is not None and key not in known:
                raise RowRefused(place, f"the item has no judged slot {key[1]} in the bundle")
        return optional_keys_of(wanted, known, "slot")

    def _guidelines(self, rows: Sequence[AssignmentRow]) -> list[int | None]:
        known = places.guidelines(self.collection)
        return optional_keys_of([row.guideline for row in rows], known, "version of the guideline")

    @staticmethod
    def stored(collection: Collection) -> "QuerySet[Assignment]":
        return Assignment.objects.filter(collection=collection)


class Judgments(TablePart[JudgmentRow]):
    """All revisions and readings, in the order in which they were saved."""

    name, row = "judgments", JudgmentRow

    def rows(self) -> Iterator[JudgmentRow]:
        found = self.stored(self.collection).filter(batch__in=self.transfer.batches, pk__lte=self.transfer.last)
        meeting = ("batch__name", "topic__number", "document__docno", "annotator__pseudonym", "assignment__reading")
        said = ("revision", "criterion", "scale__number", "guideline__number", *OF_A_JUDGMENT[2:])
        return (JudgmentRow(*values) for values in paged(found, *meeting, *said))

    def store(self, rows: Sequence[JudgmentRow]) -> None:
        items, people = who_and_what(self.collection, rows)
        meetings = [(item, person, row.reading) for item, person, row in zip(items, people, rows, strict=True)]
        assignments = keys_of(meetings, places.assignments(items, people), "assignment")
        scales = keys_of([row.scale for row in rows], places.scales(self.collection), "version of the scale")
        known = places.guidelines(self.collection)
        guidelines = optional_keys_of([row.guideline for row in rows], known, "version of the guideline")
        laid = {item.pk: item for item in Item.objects.filter(pk__in=set(items))}
        create(
            Judgment,
            rows,
            OF_A_JUDGMENT,
            collection=self.collection,
            batch_id=[laid[item].batch_id for item in items],
            item_id=items,
            topic_id=[laid[item].topic_id for item in items],
            document_id=[laid[item].document_id for item in items],
            annotator_id=people,
            assignment_id=assignments,
            token=[new_token() for _ in rows],
            scale_id=scales,
            guideline_id=guidelines,
        )

    @staticmethod
    def stored(collection: Collection) -> "QuerySet[Judgment]":
        return Judgment.objects.filter(collection=collection)


def who_and_what(
    collection: Collection,
    rows: Sequence[AssignmentRow] | Sequence[JudgmentRow] | Sequence[FeedbackRow] | Sequence[AppealRow],
) -> tuple[list[int], list[int]]:
    """Items and annotators."""
    keys = [(row.batch, row.number, row.docno) for row in rows]
    items = keys_of(keys, places.items(collection, keys), "item")
    names = [row.annotator for row in rows]
    return items, keys_of(names, places.annotators(collection, names), "annotator")


def _check_assignment(place: int, row: AssignmentRow) -> None:
    """What the database would refuse without saying so well."""
    if (row.state == Assignment.State.JUDGED) != (row.slot is not None):
        raise RowRefused(place, "an assignment that is judged holds a slot, any other holds none")
    reasons = set(Assignment.SkipReason.values) if row.state == Assignment.State.SKIPPED else {""}
    if row.skip_reason not in reasons:
        raise RowRefused(place, "an assignment that was skipped has a known reason, any other has none")
