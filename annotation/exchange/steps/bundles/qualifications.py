"""Qualification rounds, and how people went through them."""

from collections.abc import Iterator, Sequence

from django.db.models import Case, Exists, OuterRef, QuerySet, When

from annotation.exchange.read.bundles import paged
from annotation.exchange.steps.bundles import primary_keys as places
from annotation.exchange.steps.bundles.part import TablePart, create, keys_of
from annotation.formats.bundle import RowRefused
from annotation.formats.bundle.training import AnswerRow, AttemptRow, QualificationPairRow, QualificationRow
from annotation.models import (
    Collection,
    Qualification,
    QualificationAnswer,
    QualificationAttempt,
    QualificationItem,
)


class Qualifications(TablePart[QualificationRow]):
    name, row = "qualifications", QualificationRow
    since = 2

    def rows(self) -> Iterator[QualificationRow]:
        columns = ("name", "state", "scale__number", "pass_mark", "most_attempts", "created_at")
        return (QualificationRow(*values) for values in paged(self.stored(self.collection), *columns))

    def store(self, rows: Sequence[QualificationRow]) -> None:
        scales = keys_of([row.scale for row in rows], places.scales(self.collection), "version of the scale")
        names = ("name", "state", "pass_mark", "most_attempts", "created_at")
        create(Qualification, rows, names, collection=self.collection, scale_id=scales)

    @staticmethod
    def stored(collection: Collection) -> "QuerySet[Qualification]":
        return Qualification.objects.filter(collection=collection)


class QualificationPairs(TablePart[QualificationPairRow]):
    name, row = "qualification_pairs", QualificationPairRow
    since = 2

    def rows(self) -> Iterator[QualificationPairRow]:
        pair = ("topic_version__topic__number", "document_version__document__docno")
        texts = ("topic_version__sha256", "document_version__sha256")
        columns = ("qualification__name", "position", *pair, *texts, "accepted", "hint", "explanation")
        return (QualificationPairRow(*values) for values in paged(self.stored(self.collection), *columns))

    def store(self, rows: Sequence[QualificationPairRow]) -> None:
        rounds, collection = places.qualifications(self.collection), self.collection
        topics = [(row.number, row.topic_sha256) for row in rows]
        told = [(row.docno, row.document_sha256) for row in rows]
        documents = [(docno, self.transfer.sanitised.get((docno, sha), sha)) for docno, sha in told]
        create(
            QualificationItem,
            rows,
            ("position", "accepted", "hint", "explanation"),
            qualification_id=keys_of([row.qualification for row in rows], rounds, "qualification round"),
            topic_version_id=keys_of(
                topics, places.topic_versions(collection, (row.number for row in rows)), "text of topic"
            ),
            document_version_id=keys_of(
                documents, places.document_versions(collection, (row.docno for row in rows)), "text of document"
            ),
        )

    @staticmethod
    def stored(collection: Collection) -> "QuerySet[QualificationItem]":
        return QualificationItem.objects.filter(qualification__collection=collection)


class QualificationAttempts(TablePart[AttemptRow]):
    """One that was ended by an answer which does not go along has not ended yet."""

    name, row = "qualification_attempts", AttemptRow
    since = 2

    def rows(self) -> Iterator[AttemptRow]:
        since = QualificationAnswer.objects.filter(attempt=OuterRef("pk"), pk__gt=self.transfer.last_answer)
        found = self.stored(self.collection).annotate(
            ended=Case(When(Exists(since), then=None), default="ended_at"),
            result=Case(When(Exists(since), then=None), default="passed"),
        )
        columns = ("qualification__name", "annotator__pseudonym", "number", "started_at", "ended", "result")
        return (AttemptRow(*values) for values in paged(found, *columns))

    def store(self, rows: Sequence[AttemptRow]) -> None:
        for place, row in enumerate(rows):
            if (row.ended_at is None) != (row.passed is None):
                raise RowRefused(place, "an attempt that has ended was passed or not, any other is open")
        names = [row.annotator for row in rows]
        rounds = places.qualifications(self.collection)
        create(
            QualificationAttempt,
            rows,
            ("number", "started_at", "ended_at", "passed"),
            qualification_id=keys_of([row.qualification for row in rows], rounds, "qualification round"),
            annotator_id=keys_of(names, places.annotators(self.collection, names), "annotator"),
        )

    @staticmethod
    def stored(collection: Collection) -> "QuerySet[QualificationAttempt]":
        return QualificationAttempt.objects.filter(qualification__collection=collection)


class QualificationAnswers(TablePart[AnswerRow]):
    name, row = "qualification_answers", AnswerRow
    since = 2

    def rows(self) -> Iterator[AnswerRow]:
        found = self.stored(self.collection).filter(pk__lte=self.transfer.last_answer)
        where = ("item__qualification__name", "attempt__annotator__pseudonym", "attempt__number", "item__position")
        return (AnswerRow(*values) for values in paged(found, *where, "grade", "answered_at"))

    def store(self, rows: Sequence[AnswerRow]) -> None:
        attempts = [(row.qualification, row.annotator, row.attempt) for row in rows]
        pairs = [(row.qualification, row.position) for row in rows]
        create(
            QualificationAnswer,
            rows,
            ("grade", "answered_at"),
            attempt_id=keys_of(attempts, places.attempts(self.collection, attempts), "attempt"),
            item_id=keys_of(pairs, places.qualification_pairs(self.collection), "pair of the round"),
        )

    @staticmethod
    def stored(collection: Collection) -> "QuerySet[QualificationAnswer]":
        return QualificationAnswer.objects.filter(item__qualification__collection=collection)
