"""How worn each gold pair is: to how many people it was shown, how many judged it, and how well."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Count

from annotation.models import Annotator, Assignment, Collection, Document, GoldEvent, Topic
from annotation.quality.gold_pairs.exposure import exposure_of
from annotation.review.pages.suspects import odds_in_words
from annotation.review.read.suspects import Suspects

PORTION = 500  # pairs a query


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


def worn_gold(collection: Collection, events: Iterable[GoldEvent], suspects: Suspects) -> list[Worn]:
    """In the order of the events; a query for every 500."""
    rows, exposure = list(events), exposure_of(suspects.judged.inputs)
    index_by_pair, ranked = suspects.judged.places(), set(suspects.ranked)
    seen = _seen(collection, rows)
    worn = []
    for event in rows:
        index = index_by_pair.get((event.topic.number, event.document.docno))
        counts = (exposure.n_judged, exposure.n_right, exposure.n_near)
        n_judged, n_right, n_near = (0, 0, 0) if index is None else (int(count[index]) for count in counts)
        evidence = 0.0 if index is None else float(suspects.suspicion.evidence[index])
        n_seen = seen.get((event.topic_id, event.document_id), 0)
        worn.append(Worn(event, n_seen, n_judged, n_right, n_near, evidence, index in ranked))
    return worn


def _seen(collection: Collection, events: Sequence[GoldEvent]) -> dict[tuple[int, int], int]:
    """People by topic and document; of a pair that came back as a repeat, once."""
    n_people: dict[tuple[int, int], int] = {}
    for start in range(0, len(events), PORTION):
        some = events[start : start + PORTION]
        assignments = Assignment.objects.filter(
            collection=collection,
            annotator__kind=Annotator.Kind.PERSON,
            item__topic__in={event.topic_id for event in some},
            item__document__in={event.document_id for event in some},
        )
        rows = assignments.values_list("item__topic", "item__document").annotate(n=Count("annotator", distinct=True))
        n_people.update({(topic, document): n for topic, document, n in rows.order_by()})
    return n_people
