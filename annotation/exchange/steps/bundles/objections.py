"""What people objected to, with the answers, and what was said of alerts. Who answered or said so stays behind."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from django.db.models import QuerySet

from annotation.exchange.read.bundles import paged
from annotation.exchange.steps.bundles import primary_keys as places
from annotation.exchange.steps.bundles.judging import who_and_what
from annotation.exchange.steps.bundles.part import TablePart, create, keys_of, optional_keys_of
from annotation.formats.bundle import RowRefused
from annotation.formats.bundle.quality import AlertEventRow, AppealRow
from annotation.models import AlertEvent, Appeal, Collection, Feedback, GoldEvent

OF_AN_APPEAL = ("state", "told_grade", "reason", "answer", "created_at", "answered_at")
OF_AN_ALERT = ("rule", "about", "action", "level", "note", "created_at")


class Appeals(TablePart[AppealRow]):
    name, row = "appeals", AppealRow
    since = 4

    def rows(self) -> Iterator[AppealRow]:
        """To what was told of judgments that go along."""
        told = Feedback.objects.filter(
            batch__in=self.transfer.batches, assignment__judgments__revision=1,
            assignment__judgments__pk__lte=self.transfer.last,
        )  # fmt: skip
        found = self.stored(self.collection).filter(feedback__in=told.values("pk"))
        place = {event: at for events in self._events().values() for at, event in enumerate(events)}
        pair = ("feedback__batch__name", "topic__number", "document__docno", "annotator__pseudonym")
        for *known, event in paged(found, *pair, *OF_AN_APPEAL, "event_id"):
            yield AppealRow(*(*known, place.get(event)))

    def store(self, rows: Sequence[AppealRow]) -> None:
        for place, row in enumerate(rows):
            _check_answer(place, row)
        topics, documents = places.pairs(self.collection, rows)
        items, people = who_and_what(self.collection, rows)
        pairs = list(zip(topics, documents, strict=True))
        create(
            Appeal,
            rows,
            OF_AN_APPEAL,
            collection=self.collection,
            feedback_id=keys_of(list(zip(items, people, strict=True)), _told(items, people), "feedback"),
            annotator_id=people,
            topic_id=topics,
            document_id=documents,
            event_id=self._changes(rows, pairs),
        )

    def _changes(self, rows: Sequence[AppealRow], pairs: Sequence[tuple[int, int]]) -> list[int | None]:
        """What the objections have changed."""
        known = {(*pair, at): event for pair, events in self._events().items() for at, event in enumerate(events)}
        wanted = [None if row.gold is None else (*pair, row.gold) for row, pair in zip(rows, pairs, strict=True)]
        return optional_keys_of(wanted, known, "event of gold")

    def _events(self) -> dict[tuple[int, int], list[int]]:
        """The gold events of each pair that is gold or was, in their order."""
        found: dict[tuple[int, int], list[int]] = defaultdict(list)
        events = GoldEvent.objects.filter(collection=self.collection).order_by("pk")
        for topic, document, event in events.values_list("topic_id", "document_id", "pk"):
            found[topic, document].append(event)
        return found

    @staticmethod
    def stored(collection: Collection) -> "QuerySet[Appeal]":
        return Appeal.objects.filter(collection=collection)


class AlertEvents(TablePart[AlertEventRow]):
    name, row = "alert_events", AlertEventRow
    since = 4

    def rows(self) -> Iterator[AlertEventRow]:
        found = self.stored(self.collection).filter(batch__in=self.transfer.batches)
        return (AlertEventRow(*values) for values in paged(found, "batch__name", *OF_AN_ALERT))

    def store(self, rows: Sequence[AlertEventRow]) -> None:
        batches = keys_of([row.batch for row in rows], places.batches(self.collection), "batch")
        create(AlertEvent, rows, OF_AN_ALERT, batch_id=batches)

    @staticmethod
    def stored(collection: Collection) -> "QuerySet[AlertEvent]":
        return AlertEvent.objects.filter(batch__collection=collection)


def _told(items: Sequence[int], people: Sequence[int]) -> dict[tuple[int, int], int]:
    """What people were told, by item and annotator."""
    found = Feedback.objects.filter(assignment__item__in=set(items), annotator__in=set(people))
    return {(item, person): pk for item, person, pk in found.values_list("assignment__item", "annotator_id", "pk")}


def _check_answer(place: int, row: AppealRow) -> None:
    """What the database would refuse without saying so well."""
    is_open = row.state == Appeal.State.OPEN
    if (row.answered_at is None) != is_open or (row.answer == "") != is_open:
        raise RowRefused(place, "an objection that was answered has an answer and its time, an open one has neither")
