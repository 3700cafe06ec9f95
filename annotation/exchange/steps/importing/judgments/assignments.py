"""Who judged what: an assignment for each person's meeting with a pair, and its judgments as revisions."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import connection, transaction

from annotation.exchange.steps.importing.judgments.columns import JudgmentColumns
from annotation.kernel.bulk_rows import PORTION, Alike
from annotation.kernel.jobs import JobRun
from annotation.models import Assignment, Batch, Judgment
from annotation.models.tokens import new_token
from annotation.text.counted import counted

ASSIGNMENT = ("item_id", "annotator_id", "claimed_at", "ended_at")
JUDGMENT = (
    "assignment_id",
    "item_id",
    "topic_id",
    "document_id",
    "annotator_id",
    "revision",
    "token",
    "grade",
    "comment",
    "evidence_start",
    "evidence_end",
    "active_ms",
    "wall_ms",
    "created_at",
)


@dataclass(frozen=True)
class Rows:
    """Primary keys: of topics, documents and annotators by their codes, of items by the places of the pairs."""

    topics: Sequence[int]
    documents: Sequence[int]
    items: Sequence[int]
    annotators: Sequence[int]


@dataclass(frozen=True)
class Meeting:
    """One person and pair, and their judgments: rows of the file, the last revision last."""

    item: int
    topic: int
    document: int
    annotator: int
    judgments: list[int]


def store_meetings(batch: Batch, columns: JudgmentColumns, *, rows: Rows, run: JobRun) -> None:
    """Meeting by meeting, so that of one person's judgments on a pair the last one is saved last."""
    storing, meetings = _Storing(batch, columns), columns.meetings
    for first in range(0, len(meetings.pair), PORTION):
        portion = list(_meetings(columns, rows, first, first + PORTION))
        with transaction.atomic():
            run.fence()
            storing.store(portion)
        done = meetings.starts[first + len(portion)]
        run.report(done=done, total=len(columns), message=f"{done} of {counted(len(columns), 'judgment')} stored")


def _meetings(columns: JudgmentColumns, rows: Rows, first: int, end: int) -> Iterator[Meeting]:
    meetings = columns.meetings
    pair, person = meetings.pair[first:end], meetings.annotator[first:end].tolist()
    topic, document = meetings.pair_topic[pair].tolist(), meetings.pair_document[pair].tolist()
    starts = meetings.starts[first : end + 1]
    for i, at in enumerate(pair.tolist()):
        yield Meeting(
            item=rows.items[at],
            topic=rows.topics[topic[i]],
            document=rows.documents[document[i]],
            annotator=rows.annotators[person[i]],
            judgments=meetings.order[starts[i] : starts[i + 1]].tolist(),
        )


class _Storing:
    """`last` is the newest assignment of the batch so far: whatever is above it came with the next portion."""

    def __init__(self, batch: Batch, columns: JudgmentColumns) -> None:
        assert batch.brought_by is not None
        self.batch, self.columns, self.last = batch, columns, 0
        shared = {"collection_id": batch.collection_id, "batch_id": batch.pk}
        self.assignments = Alike(Assignment(**shared, state=Assignment.State.BROUGHT), ASSIGNMENT)
        self.judgments = Alike(Judgment(**shared, criterion=batch.criterion, scale_id=batch.scale_id), JUDGMENT)
        self.undated = self._adapted(batch.brought_by.created_at)  # when nothing says when

    def store(self, portion: Sequence[Meeting]) -> None:
        self.assignments.insert(
            (each.item, each.annotator, self._time(each.judgments[0]), self._time(each.judgments[-1]))
            for each in portion
        )
        stored = Assignment.objects.filter(batch=self.batch, pk__gt=self.last).order_by("pk")
        keys = list(stored.values_list("pk", flat=True))  # as they went in
        self.judgments.insert(
            values for each, key in zip(portion, keys, strict=True) for values in self._judgments(each, key)
        )
        self.last = keys[-1]

    def _judgments(self, meeting: Meeting, assignment: int) -> Iterator[tuple[object, ...]]:
        for revision, row in enumerate(meeting.judgments, start=1):
            yield (
                assignment,
                meeting.item,
                meeting.topic,
                meeting.document,
                meeting.annotator,
                revision,
                new_token(),
                self.columns.grade[row],
                self.columns.comments.get(row, ""),
                *self.columns.evidence.get(row, (None, None)),
                *self.columns.durations_of(row),
                self._time(row),
            )

    def _time(self, row: int) -> object:
        """When the judgment was made, as the database wants it."""
        made_at = self.columns.time_of(row)
        return self._adapted(made_at) if made_at else self.undated

    @staticmethod
    def _adapted(moment: datetime) -> object:
        return connection.ops.adapt_datetimefield_value(moment)
