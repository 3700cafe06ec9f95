"""What one annotator has done: how many pairs, of which topics, in which batches, since when."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Max, Min

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
    where there are none. One query."""
    batch_by_pk = {batch.pk: batch for batch in batches}
    judged = Judgment.objects.filter(annotator=annotator, criterion=criterion).order_by()  # by batch, SQLite reads all
    of_both = judged.values_list("batch", "topic__number").annotate(
        Count("item", distinct=True), Min("created_at"), Max("created_at")
    )
    rows = [row for row in of_both if row[0] in batch_by_pk]
    if not rows:
        return None
    parts = [Part(batch_by_pk[pk].name, *counts, batch_by_pk[pk]) for pk, counts in _by(rows, 0)]
    topics = [Part(str(number), *counts) for number, counts in _by(rows, 1)]
    return Work(
        topics=sorted(topics, key=lambda topic: natural_order(topic.name)),
        batches=sorted(parts, key=lambda part: part.first, reverse=True),
    )


def _by(rows: Sequence[tuple[Any, ...]], at: int) -> Iterator[tuple[Any, tuple[int, datetime, datetime]]]:
    """The counts together of rows that share their key: an item is of one batch and one topic."""
    of_key: dict[Any, list[tuple[int, datetime, datetime]]] = defaultdict(list)
    for row in rows:
        of_key[row[at]].append((row[2], row[3], row[4]))
    for key, counts in of_key.items():
        numbers, firsts, lasts = zip(*counts, strict=True)
        yield key, (sum(numbers), min(firsts), max(lasts))
