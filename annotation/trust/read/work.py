"""What one annotator has done: how many pairs, of which topics, in which batches, since when."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Max, Min, QuerySet

from annotation.kernel.tables import natural_order
from annotation.models import Annotator, Batch, Judgment
from annotation.quality.purpose import CRITERION


@dataclass(frozen=True)
class Part:
    """Pairs judged of a topic, by its number, or in a batch; the times of the first and the last judgment."""

    name: str
    n: int
    first: datetime
    last: datetime
    batch: Batch | None = None


@dataclass(frozen=True)
class Work:
    """`topics` in their order, `batches` the newest first. Whoever has judged has both."""

    topics: list[Part]
    batches: list[Part]

    @property
    def n(self) -> int:
        return sum(batch.n for batch in self.batches)

    @property
    def first(self) -> datetime:
        return min(batch.first for batch in self.batches)

    @property
    def last(self) -> datetime:
        return max(batch.last for batch in self.batches)


def work_of(annotator: Annotator, batches: Sequence[Batch], criterion: str = CRITERION) -> Work | None:
    """Pairs that the person has judged in the batches, gold and checks among them, a repeat not counted again; None
    where there are none. Two queries."""
    judged = Judgment.objects.filter(annotator=annotator, batch__in=batches, criterion=criterion)
    in_batches, of_topics = (_counted(judged, by) for by in ("batch", "topic__number"))
    if not in_batches:
        return None
    batch_by_pk = {batch.pk: batch for batch in batches}
    parts = [Part(batch_by_pk[pk].name, n, first, last, batch_by_pk[pk]) for pk, n, first, last in in_batches]
    topics = [Part(str(number), n, first, last) for number, n, first, last in of_topics]
    return Work(
        topics=sorted(topics, key=lambda topic: natural_order(topic.name)),
        batches=sorted(parts, key=lambda part: part.first, reverse=True),
    )


def _counted(judged: "QuerySet[Judgment]", by: str) -> list[tuple[int, int, datetime, datetime]]:
    rows = judged.order_by().values_list(by)
    return list(rows.annotate(Count("item", distinct=True), Min("created_at"), Max("created_at")))
