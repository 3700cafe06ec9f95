"""How much gold people and batches can still be given, and who cannot come to enough of it."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from annotation.corpus.read.texts import documents_with_text
from annotation.gold.read.current import current_gold
from annotation.gold.read.judged import JudgedGold
from annotation.kernel.visible import laid_out
from annotation.models import (
    Annotator,
    Assignment,
    Batch,
    Collection,
    Membership,
    Participation,
    Planting,
    QualificationAnswer,
    Role,
    Slot,
    StockItem,
)
from annotation.models.prepared import Literal

Pair = tuple[int, int]  # topic, document: row ids
NOTHING = frozenset[Pair]()


@dataclass(frozen=True)
class PersonSupply:
    """`n_judged`: gold judged so far, as accuracy counts it; `n_ahead`: laid out for the person and still to come;
    `n_left`: further pairs that they have not met and that a new batch could give them. `wanted`: what makes somebody
    proven."""

    pseudonym: str
    n_judged: int
    n_ahead: int
    n_left: int
    wanted: int

    @property
    def n_missing(self) -> int:
        """How many pairs of gold would have to be set anew for this person to get there."""
        return max(0, self.wanted - self.n_judged - self.n_ahead - self.n_left)

    @property
    def state(self) -> str:
        if self.n_judged >= self.wanted:
            return "has enough"
        if self.n_judged + self.n_ahead >= self.wanted:
            return "on the way"
        return "cannot reach it" if self.n_missing else "needs another batch"

    @property
    def tone(self) -> str:
        return {"has enough": "ok", "on the way": "", "needs another batch": "warn"}.get(self.state, "bad")


@dataclass(frozen=True)
class BatchSupply:
    """A batch that is not closed. `n_pairs`: gold laid out in it; `n_ahead`: gold cards still to come; `n_short`: its
    people who will not be proven when they have had them; `n_new`: gold of its topics that it does not have."""

    batch: Batch
    n_people: int
    n_pairs: int
    n_ahead: int
    n_short: int
    n_new: int


@dataclass(frozen=True)
class Supply:
    """Of people who can be handed something and whose gold counts: not those who came with judgments made elsewhere,
    nor machines, nor whoever may see gold."""

    people: list[PersonSupply]
    batches: list[BatchSupply]
    n_usable: int  # gold pairs that have a text and so can be laid out
    wanted: int

    @cached_property
    def cannot(self) -> list[PersonSupply]:
        return [person for person in self.people if person.n_missing]

    @cached_property
    def waiting(self) -> list[PersonSupply]:
        return [person for person in self.people if person.state == "needs another batch"]

    @property
    def n_to_set(self) -> int:
        """How many new pairs of gold would bring everybody there."""
        return max((person.n_missing for person in self.people), default=0)


def supply_of(collection: Collection, judged: JudgedGold, *, wanted: int) -> Supply:
    """Who lacks most comes first. A dozen queries, however many people."""
    people = list(_people(collection).order_by("pseudonym"))
    usable = _usable(collection)
    met = _met(collection, usable)
    ahead = _Ahead(collection, met)
    table = judged.inputs.table
    counts = judged.inputs.accuracy.n_gold
    n_judged = dict(zip(table.annotators, counts.astype(np.int64).tolist(), strict=True))
    rows = [
        PersonSupply(
            pseudonym=person.pseudonym,
            n_judged=n_judged.get(person.pseudonym, 0),
            n_ahead=ahead.n_of(person.pk),
            n_left=ahead.n_left(person.pk, usable),
            wanted=wanted,
        )
        for person in people
    ]
    by_id = {person.pk: row for person, row in zip(people, rows, strict=True)}
    rows.sort(key=lambda row: (-row.n_missing, min(row.n_judged + row.n_ahead, wanted), row.pseudonym))
    return Supply(rows, _batches(collection, by_id, usable, ahead), len(usable), wanted)


def _people(collection: Collection) -> QuerySet[Annotator]:
    """Who is handed cards, with an account or simulated, and judges blind: of the others no gold counts."""
    people = Annotator.objects.filter(collection=collection, brought_by__isnull=True, kind=Annotator.Kind.PERSON)
    seeing = Membership.objects.filter(
        collection=collection, user=OuterRef("user"), role__in=[Role.ADMIN, Role.RESEARCHER]
    )
    return people.filter(Q(user__isnull=False) | Q(simulated=True)).exclude(Exists(seeing))


def _usable(collection: Collection) -> set[Pair]:
    """Gold on today's scale whose document has a text."""
    events = current_gold(collection, scale=collection.scale)
    return set(events.filter(document__in=documents_with_text(collection)).values_list("topic_id", "document_id"))


def _met(collection: Collection, usable: set[Pair]) -> dict[int, set[Pair]]:
    """Gold pairs that people were handed in any batch, or answered in a qualification round."""
    handed = Assignment.objects.filter(collection=collection, annotator__brought_by__isnull=True)
    gold = current_gold(collection, scale=collection.scale).values("document")
    handed = handed.filter(item__document__in=gold)
    answered = QualificationAnswer.objects.filter(attempt__annotator__collection=collection)
    version = ("item__topic_version__topic_id", "item__document_version__document_id")
    rows = [
        *handed.values_list("annotator_id", "item__topic_id", "item__document_id").distinct(),
        *answered.values_list("attempt__annotator_id", *version).distinct(),
    ]
    return _pairs_by_key(row for row in rows if (row[1], row[2]) in usable)


def gold_to_come(collection: Collection) -> QuerySet[Slot]:
    """Gold that is kept for somebody in a batch that is not closed, and that they have not met. By the open slots of
    such batches, of which there is an index."""
    live = Batch.objects.filter(laid_out(""), collection=collection).exclude(state=Batch.State.CLOSED)
    kept = Slot.objects.filter(batch__in=live.values("pk"), state=Literal(Slot.State.OPEN), reading=1)
    kept = kept.filter(reserved_for__isnull=False, transferable=False, assignment__isnull=True)
    return kept.filter(item__planting__purpose=Planting.Purpose.GOLD)


class _Ahead:
    """The gold that may yet come to people: what is kept for them, and the stock of the batches they take part in.

    People who take part in the same batches share one set, so that the cost is not people × gold.
    """

    def __init__(self, collection: Collection, met: Mapping[int, set[Pair]]) -> None:
        rows = gold_to_come(collection).values_list("reserved_for_id", "item__topic_id", "item__document_id")
        self._kept = _pairs_by_key((annotator or 0, topic, document) for annotator, topic, document in rows)
        self._met, self._shared = met, dict[tuple[int, ...], set[Pair]]()
        self.stock = _stock(collection)
        self._batches: dict[int, list[int]] = defaultdict(list)
        active = Participation.objects.filter(batch__in=self.stock.keys(), is_active=True).order_by("batch")
        for annotator, batch in active.values_list("annotator", "batch"):
            self._batches[annotator].append(batch)

    def n_of(self, person: int) -> int:
        stock, kept = self._stock_of(person), self._kept.get(person, NOTHING)
        return len(stock) - len(stock & self._met.get(person, NOTHING)) + len(kept - stock)

    def n_left(self, person: int, usable: set[Pair]) -> int:
        """Of the usable pairs, those that are neither met nor ahead."""
        stock = self._stock_of(person)
        others = (self._met.get(person, NOTHING) | self._kept.get(person, NOTHING)) & usable
        return len(usable) - len(usable & stock) - len(others - stock)

    def n_in(self, batch: int, person: int) -> int:
        """What of a batch's stock the person has not met."""
        stock = self.stock.get(batch, NOTHING)
        return len(stock) - len(stock & self._met.get(person, NOTHING))

    def _stock_of(self, person: int) -> set[Pair]:
        batches = tuple(self._batches.get(person, ()))
        if batches not in self._shared:
            self._shared[batches] = set().union(*(self.stock[batch] for batch in batches))
        return self._shared[batches]


def _stock(collection: Collection) -> dict[int, set[Pair]]:
    """Gold that coins may bring, by batch that is not closed."""
    stock = StockItem.objects.filter(item__planting__purpose=Planting.Purpose.GOLD, batch__collection=collection)
    live = stock.filter(laid_out()).exclude(batch__state=Batch.State.CLOSED)
    rows = live.values_list("batch", "topic", "item__document")
    return _pairs_by_key(rows)


def _pairs_by_key(rows: Iterable[tuple[int, int, int]]) -> dict[int, set[Pair]]:
    """From rows of key, topic and document."""
    pairs: dict[int, set[Pair]] = defaultdict(set)
    for key, topic, document in rows:
        pairs[key].add((topic, document))
    return pairs


def _batches(
    collection: Collection, people: Mapping[int, PersonSupply], usable: set[Pair], coming: _Ahead
) -> list[BatchSupply]:
    live = Batch.objects.filter(collection=collection, state__in=Batch.TO_JUDGE)
    batches = list(live.order_by("-pk"))
    kept = dict(gold_to_come(collection).values_list("batch").annotate(n=Count("pk")).order_by())
    gold, topics, people_by_batch = _gold(batches), _topics(batches), _participants(batches, people)
    return [
        BatchSupply(
            batch=batch,
            n_people=len(people_by_batch[batch.pk]),
            n_pairs=len(gold[batch.pk]),
            n_ahead=sum(coming.n_in(batch.pk, person) for person in people_by_batch[batch.pk])
            if batch.pk in coming.stock
            else kept.get(batch.pk, 0),
            n_short=sum(each.n_judged + each.n_ahead < each.wanted for each in people_by_batch[batch.pk].values()),
            n_new=sum(pair[0] in topics[batch.pk] for pair in usable - gold[batch.pk]),
        )
        for batch in batches
    ]


def _gold(batches: Sequence[Batch]) -> Mapping[int, set[Pair]]:
    """The gold pairs of each batch."""
    planted = Planting.objects.filter(item__batch__in=batches, purpose=Planting.Purpose.GOLD)
    return _pairs_by_key(planted.values_list("item__batch", "item__topic", "item__document"))


def _topics(batches: Sequence[Batch]) -> Mapping[int, set[int]]:
    topics_by_batch: dict[int, set[int]] = defaultdict(set)
    chosen = Batch.topics.through.objects.filter(batch__in=batches)
    for batch, topic in chosen.values_list("batch", "topic"):
        topics_by_batch[batch].add(topic)
    return topics_by_batch


def _participants(
    batches: Sequence[Batch], people: Mapping[int, PersonSupply]
) -> Mapping[int, Mapping[int, PersonSupply]]:
    people_by_batch: dict[int, dict[int, PersonSupply]] = defaultdict(dict)
    active = Participation.objects.filter(batch__in=batches, is_active=True)
    for batch, annotator in active.values_list("batch", "annotator"):
        if annotator in people:
            people_by_batch[batch][annotator] = people[annotator]
    return people_by_batch
