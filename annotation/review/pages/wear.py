"""How worn each gold pair is: to how many people it was shown, how many judged it, and how well."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from annotation.gold.read.current import gold_rows
from annotation.models import Annotator, Assignment, Batch, Collection, Document, GoldEvent, Item, Topic
from annotation.quality.arrays import Bools, Floats, Ints
from annotation.quality.gold_pairs.exposure import exposure_of
from annotation.review.pages.suspects import odds_in_words
from annotation.review.read.suspects import Suspects

PORTION = 500  # pairs a query


@dataclass(frozen=True, eq=False)
class Wear:
    """What people made of all gold: (n_gold,) each, in the order of the list of gold; events, topics and documents by
    the database's keys. The counts are of judgments as accuracy scores them, one a person."""

    event: Ints
    topic: Ints
    document: Ints
    n_judged: Ints
    n_right: Ints
    n_near: Ints
    evidence: Floats  # log odds that the pair is wrong
    is_suspect: Bools


@dataclass(frozen=True)
class Worn:
    """A gold pair with what became of it. `n_seen`: people it was handed to; the others count judgments as accuracy
    scores them, one a person."""

    event: GoldEvent
    n_seen: int
    n_judged: int
    n_right: int
    n_near: int
    evidence: float  # log odds that the pair is wrong
    is_suspect: bool

    @property
    def topic(self) -> Topic:
        return self.event.topic

    @property
    def document(self) -> Document:
        return self.event.document

    @property
    def grade(self) -> int | None:
        return self.event.grade

    @property
    def reason(self) -> str:
        return self.event.reason

    @property
    def explanation(self) -> str:
        return self.event.explanation

    @property
    def right_percent(self) -> int | None:
        return round(100 * self.n_right / self.n_judged) if self.n_judged else None

    @property
    def near_percent(self) -> int | None:
        return round(100 * self.n_near / self.n_judged) if self.n_judged else None

    @property
    def odds(self) -> str:
        return odds_in_words(self.evidence)


def wear_of(suspects: Suspects) -> Wear:
    """Of gold that nobody judged, nothing. One query."""
    pair = ("pk", "topic", "document", "topic__number", "document__docno")
    rows = list(gold_rows(suspects.collection).values_list(*pair))
    keys = np.array([row[:3] for row in rows], dtype=np.int64).reshape(-1, 3)
    index_by_pair, exposure = suspects.judged.index_by_pair(), exposure_of(suspects.judged.inputs)
    nowhere = len(exposure.n_judged)
    index = np.array([index_by_pair.get(row[3:], nowhere) for row in rows], dtype=np.int64)
    is_suspect = np.isin(np.arange(nowhere), suspects.ranked)
    figures = (exposure.n_judged, exposure.n_right, exposure.n_near, suspects.suspicion.evidence, is_suspect)
    return Wear(*keys.T, *(np.append(each, each.dtype.type(0))[index] for each in figures))


def worn_gold(collection: Collection, events: Iterable[GoldEvent], wear: Wear) -> list[Worn]:
    """In the order of the events; a query for every 500."""
    rows = list(events)
    seen = _seen(collection, rows)
    index_by_pair = _index_by_pair(wear, rows)
    worn = []
    for event in rows:
        pair = (event.topic_id, event.document_id)
        counts, evidence, is_suspect = (0, 0, 0), 0.0, False
        if (at := index_by_pair.get(pair)) is not None:
            counts = int(wear.n_judged[at]), int(wear.n_right[at]), int(wear.n_near[at])
            evidence, is_suspect = float(wear.evidence[at]), bool(wear.is_suspect[at])
        worn.append(Worn(event, seen.get(pair, 0), *counts, evidence, is_suspect))
    return worn


def _index_by_pair(wear: Wear, events: Sequence[GoldEvent]) -> dict[tuple[int, int], int]:
    """Where pairs stand that became gold before."""
    rows = np.flatnonzero(np.isin(wear.document, [event.document_id for event in events]))
    pairs = zip(wear.topic[rows].tolist(), wear.document[rows].tolist(), strict=True)
    return dict(zip(pairs, rows.tolist(), strict=True))


def _seen(collection: Collection, events: Sequence[GoldEvent]) -> dict[tuple[int, int], int]:
    """People by topic and document; of a pair that came back as a repeat, once. By batches, as there is an index of
    batch, topic and document."""
    batches = list(Batch.objects.filter(collection=collection).values_list("pk", flat=True))
    people: dict[tuple[int, int], set[int]] = defaultdict(set)
    for start in range(0, len(events), PORTION):
        pairs = {(event.topic_id, event.document_id) for event in events[start : start + PORTION]}
        topics, documents = ({pair[at] for pair in pairs} for at in (0, 1))
        items = Item.objects.filter(batch__in=batches, topic__in=topics, document__in=documents)
        rows = items.values_list("pk", "topic_id", "document_id")
        pair_by_item = {item: (topic, document) for item, topic, document in rows if (topic, document) in pairs}
        handed = Assignment.objects.filter(item__in=list(pair_by_item), annotator__kind=Annotator.Kind.PERSON)
        for item, annotator in handed.values_list("item", "annotator"):
            people[pair_by_item[item]].add(annotator)
    return {pair: len(annotators) for pair, annotators in people.items()}
