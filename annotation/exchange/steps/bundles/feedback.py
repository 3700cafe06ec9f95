"""What people were told of their judgments on gold. Whether they have read it stays behind, as their accounts do."""

from collections.abc import Iterator, Sequence

from django.db.models import QuerySet

from annotation.exchange.read.bundles import paged
from annotation.exchange.steps.bundles import primary_keys as places
from annotation.exchange.steps.bundles.judging import who_and_what
from annotation.exchange.steps.bundles.part import TablePart, create, keys_of
from annotation.formats.bundle.rows import FeedbackRow
from annotation.models import Collection, Feedback

WHAT_WAS_TOLD = ("grade", "accepted", "explanation", "created_at")


class Feedbacks(TablePart[FeedbackRow]):
    name, row = "feedback", FeedbackRow
    since = 2

    def rows(self) -> Iterator[FeedbackRow]:
        """Of judgments that go along."""
        saved = self.stored(self.collection).filter(
            batch__in=self.transfer.batches, assignment__judgments__revision=1,
            assignment__judgments__pk__lte=self.transfer.last,
        )  # fmt: skip
        pair = ("assignment__item__topic__number", "assignment__item__document__docno")
        columns = paged(saved, "batch__name", *pair, "annotator__pseudonym", *WHAT_WAS_TOLD)
        return (FeedbackRow(*values) for values in columns)

    def store(self, rows: Sequence[FeedbackRow]) -> None:
        items, people = who_and_what(self.collection, rows)
        meetings = [(item, person, 1) for item, person in zip(items, people, strict=True)]
        create(
            Feedback,
            rows,
            WHAT_WAS_TOLD,
            batch_id=keys_of([row.batch for row in rows], places.batches(self.collection), "batch"),
            annotator_id=people,
            assignment_id=keys_of(meetings, places.assignments(items, people), "assignment"),
        )

    @staticmethod
    def stored(collection: Collection) -> "QuerySet[Feedback]":
        return Feedback.objects.filter(batch__collection=collection)
