"""Objections with their answers, and notes on alerts. Who answered or wrote them stays behind."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from django.db.models import QuerySet

from annotation.exchange.steps.bundles.parts.judging import Feedbacks
from annotation.exchange.steps.bundles.parts.part import Part
from annotation.exchange.steps.bundles.parts.references import ANNOTATOR, BATCH, DOCUMENT, FEEDBACK, ITEM, TOPIC
from annotation.formats.bundle import RowError
from annotation.formats.bundle.quality_rows import AlertEventRow, AppealRow
from annotation.models import AlertEvent, Appeal, GoldEvent


class Appeals(Part[AppealRow]):
    """Of feedback that goes along. A gold event is named by its place among those of the pair."""

    name, row, model = "appeals", AppealRow, Appeal
    references = (TOPIC, DOCUMENT, ITEM, ANNOTATOR, FEEDBACK)
    paths = {"batch": "feedback__batch__name", "gold": "event_id"}
    since = 4

    def outgoing(self) -> "QuerySet[Appeal]":
        return self.table(self.collection).filter(feedback__in=Feedbacks(self.transfer).outgoing().values("pk"))

    def rows(self) -> Iterator[AppealRow]:
        index_by_event = {event: at for events in self._events().values() for at, event in enumerate(events)}
        for row in super().rows():
            yield row if row.gold is None else replace(row, gold=index_by_event[row.gold])

    def fault(self, row: AppealRow) -> str:
        """What the database would refuse without saying so well."""
        is_open = row.state == Appeal.State.OPEN
        if (row.answered_at is None) != is_open or (row.answer == "") != is_open:
            return "an objection that was answered has an answer and its time, an open one has neither"
        return ""

    def further_columns(self, rows: Sequence[AppealRow]) -> dict[str, object]:
        """The gold event that an objection has led to."""
        events = self._events()
        return {"event_id": [_event(index, row, events) for index, row in enumerate(rows)]}

    def _events(self) -> dict[tuple[str, str], list[int]]:
        """The gold events of each pair that is gold or was, in their order."""
        events: dict[tuple[str, str], list[int]] = defaultdict(list)
        table = GoldEvent.objects.filter(collection=self.collection).order_by("pk")
        for number, docno, event in table.values_list("topic__number", "document__docno", "pk"):
            events[number, docno].append(event)
        return events


class AlertEvents(Part[AlertEventRow]):
    name, row, model = "alert_events", AlertEventRow, AlertEvent
    references = (BATCH,)
    since = 4


def _event(index: int, row: AppealRow, events: dict[tuple[str, str], list[int]]) -> int | None:
    own = events.get((row.number, row.docno), [])
    if row.gold is not None and row.gold >= len(own):
        raise RowError(index, f"there is no event of gold {row.number} {row.docno} {row.gold} in the bundle")
    return None if row.gold is None else own[row.gold]
