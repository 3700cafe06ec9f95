"""What is known of pairs: gold events and adjudications, the earlier first."""

from collections.abc import Iterator, Sequence

from django.db.models import QuerySet

from annotation.exchange.read.bundles import paged
from annotation.exchange.steps.bundles import primary_keys as places
from annotation.exchange.steps.bundles.part import TablePart, create, keys_of
from annotation.formats.bundle import RowRefused
from annotation.formats.bundle.quality import AdjudicationRow
from annotation.formats.bundle.rows import GoldRow
from annotation.models import Adjudication, Collection, GoldEvent

_DECISION = ("action", "grade", "blind_grade", "knew", "blind_ms", "decide_ms", "reason", "created_at")
_GRADES = {"decide": {(True, True), (True, False)}, "withdraw": {(False, False)}}  # has a grade, and a blind one


class GoldEvents(TablePart[GoldRow]):
    name, row = "gold", GoldRow

    def rows(self) -> Iterator[GoldRow]:
        columns = ("topic__number", "document__docno", "criterion", "scale__number", "action", "grade")
        found = paged(self.stored(self.collection), *columns, "accepted", "reason", "explanation", "created_at")
        return (GoldRow(*values) for values in found)

    def store(self, rows: Sequence[GoldRow]) -> None:
        topics, documents = places.pairs(self.collection, rows)
        scales = keys_of([row.scale for row in rows], places.scales(self.collection), "version of the scale")
        for place, row in enumerate(rows):
            if (row.action == "set") != (row.grade is not None):
                raise RowRefused(place, "gold that is set has a grade, gold that is withdrawn has none")
        names = ("criterion", "action", "grade", "accepted", "reason", "explanation", "created_at")
        create(
            GoldEvent,
            rows,
            names,
            collection=self.collection,
            topic_id=topics,
            document_id=documents,
            scale_id=scales,
        )

    @staticmethod
    def stored(collection: Collection) -> "QuerySet[GoldEvent]":
        return GoldEvent.objects.filter(collection=collection)


class Adjudications(TablePart[AdjudicationRow]):
    """Who decided stays behind: here they are the decisions of the person who brings the bundle."""

    name, row = "adjudications", AdjudicationRow

    def rows(self) -> Iterator[AdjudicationRow]:
        columns = ("topic__number", "document__docno", "criterion", "scale__number", *_DECISION)
        return (AdjudicationRow(*values) for values in paged(self.stored(self.collection), *columns))

    def store(self, rows: Sequence[AdjudicationRow]) -> None:
        topics, documents = places.pairs(self.collection, rows)
        scales = keys_of([row.scale for row in rows], places.scales(self.collection), "version of the scale")
        for place, row in enumerate(rows):
            if (row.grade is not None, row.blind_grade is not None) not in _GRADES[row.action]:
                raise RowRefused(place, "a decision has a grade, one that is withdrawn has none")
        create(
            Adjudication,
            rows,
            ("criterion", *_DECISION),
            collection=self.collection,
            topic_id=topics,
            document_id=documents,
            scale_id=scales,
            created_by=self.transfer.actor,
        )

    @staticmethod
    def stored(collection: Collection) -> "QuerySet[Adjudication]":
        return Adjudication.objects.filter(collection=collection)
