"""How far a batch is: by topic, by person, by day. The number of queries does not depend on the size of the batch."""

from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from django.db.models import Count, Exists, F, Max, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce, TruncDate
from django.shortcuts import get_object_or_404

from annotation.formats.hours import DayOfWork
from annotation.kernel.judgment_counts import slots_judged
from annotation.kernel.visible import laid_out, visible_batches
from annotation.models import (
    Annotator,
    Assignment,
    Batch,
    Block,
    Collection,
    Item,
    Judgment,
    Membership,
    Participation,
    Role,
    Slot,
    Topic,
    TopicVersion,
)

ASSUMED_SECONDS = 30.0  # a judgment, until the collection has enough of its own
ENOUGH_TIMES = 20
NEWEST_TIMES = 2000  # judgments of the newest batches that say how long one takes
MS_AN_HOUR = 3_600_000

SHARED = Q(reserved_for__isnull=True) | Q(transferable=True)  # slots that anyone may come to hold
JUDGED = Q(state=Slot.State.JUDGED)
FREE = Q(kind__lt=Block.Kind.FULL)  # blocks with open slots that anyone may come to hold


@dataclass(frozen=True)
class BatchRow:
    """A batch in the list of batches."""

    batch: Batch
    n_items: int
    n_judged: int
    n_people: int


@dataclass(frozen=True)
class TopicProgress:
    """A topic's pairs to be judged, gold and checks apart, and their judgments: wanted are the slots that anyone may
    hold."""

    number: str
    title: str
    n_items: int
    n_wanted: int
    n_judged: int
    n_withheld: int


@dataclass(frozen=True)
class PersonProgress:
    """What one participant has done. Hours are sums over all their judgments of the batch, revisions too."""

    annotator: Annotator
    is_active: bool
    n_judged: int
    n_skipped: int
    active_hours: float
    wall_hours: float
    last_seen: datetime | None

    @property
    def pace(self) -> float | None:
        """Judgments an active hour."""
        return self.n_judged / self.active_hours if self.active_hours else None


def counted_batches(collection: Collection) -> "QuerySet[Any]":
    """The collection's batches, the newest first, with `laid_items`, `judged_so_far`, `slots_left` and `people_now`.

    One query: each count is apart, joined they would multiply.
    """
    of_batch = {"batch": OuterRef("pk")}
    rows = visible_batches(collection).annotate(
        laid_items=Coalesce("n_items", _number_of(Item.objects.filter(laid_out(), **of_batch))),
        judged_so_far=slots_judged(),
        slots_left=Coalesce(Subquery(_sum_of_blocks(**of_batch)), 0) + _number_of(leased_slots(**of_batch)),
        people_now=_number_of(Participation.objects.filter(**of_batch, is_active=True)),
    )
    rows = rows.select_related("pool", "brought_by", "information", "qualification", "steered_by", "created_by")
    rows = rows.defer("brought_by__preview", "brought_by__problems", "information__text")
    return rows.order_by("-created_at", "-pk")


def batch_rows(collection: Collection) -> list[BatchRow]:
    """As `counted_batches`."""
    rows = counted_batches(collection)
    return [BatchRow(batch, batch.laid_items, batch.judged_so_far, batch.people_now) for batch in rows]


def batch_row(batch: Batch) -> BatchRow:
    """One batch as in the list."""
    row = counted_batches(batch.collection).get(pk=batch.pk)
    return BatchRow(batch, row.laid_items, row.judged_so_far, row.people_now)


def batch_judged(batch: Batch) -> int:
    """Judgments of the batch that hold a slot: gold, checks and repeats too."""
    return int(Batch.objects.filter(pk=batch.pk).values_list(slots_judged(), flat=True)[0])


def batch_expected(batch: Batch) -> int:
    """As `expected_in_all`, of one batch."""
    return expected_in_all(batch_judged(batch), judgments_left(batch), batch.n_expected)


def judgments_left(batch: Batch) -> int:
    """How many the pairs that are handed out still lack; gold, checks and repeats come on top."""
    return sum(_sum_of_blocks(batch=batch)) + leased_slots(batch=batch).count()


def expected_in_all(n_judged: int, n_left: int, forecast: int) -> int:
    """How many judgments a batch will have: those that its layout has forecast or, where it still has slots for more,
    as many as there are then. Where no slot is left, those it has."""
    return max(n_judged + n_left, forecast) if n_left else n_judged


def leased_slots(**of_batch: Batch | OuterRef) -> "QuerySet[Slot]":
    """Those of pairs that are handed out, which somebody has in hand; gold, checks and repeats apart."""
    return Slot.objects.filter(SHARED, laid_out(), state=Slot.State.LEASED, item__withheld=False, **of_batch)


def _sum_of_blocks(**of_batch: Batch | OuterRef) -> "QuerySet[Block, int]":
    """Slots that anyone may come to hold, as blocks count them."""
    blocks = Block.objects.filter(FREE, laid_out(), **of_batch).order_by().values("batch")
    return blocks.annotate(n=Sum(F("n_open") + F("n_transferable"))).values_list("n", flat=True)


def topic_progress(batch: Batch) -> list[TopicProgress]:
    """The batch's topics in their order, a row each, with the newest title that is judged. Four queries: to group slots
    by keys takes half of what numbers and titles take."""
    if batch.brought_by_id is not None:
        return _brought_topics(batch)
    withheld = dict(Item.objects.filter(batch=batch, withheld=True).values_list("topic").annotate(n=Count("id")))
    slots = Slot.objects.filter(SHARED, laid_out(), batch=batch).values_list("item__topic")
    rows = list(
        slots.annotate(
            version=Max("item__topic_version"),
            n=Count("item", distinct=True),
            wanted=Count("id"),
            judged=Count("id", filter=JUDGED),
        ).order_by("item__topic")
    )
    numbers = dict(Topic.objects.filter(pk__in=[topic for topic, *_ in rows]).values_list("pk", "number"))
    titles = dict(TopicVersion.objects.filter(pk__in=[version for _, version, *_ in rows]).values_list("pk", "title"))
    return [
        TopicProgress(numbers[topic], titles.get(version, ""), n, wanted, judged, withheld.get(topic, 0))
        for topic, version, n, wanted, judged in rows
    ]


def _brought_topics(batch: Batch) -> list[TopicProgress]:
    """Of a batch that came with its judgments: nothing more is wanted."""
    judged = Judgment.objects.filter(batch=batch, revision=1).values_list("topic").annotate(n=Count("pk"))
    n_judged = dict(judged.order_by())
    items = Item.objects.filter(batch=batch).values_list("topic", "topic__number", "topic_version__title")
    rows = items.annotate(n=Count("pk")).order_by("topic")
    return [
        TopicProgress(number, title or "", n, n_judged.get(topic, 0), n_judged.get(topic, 0), 0)
        for topic, number, title, n in rows
    ]


def person_progress(batch: Batch) -> list[PersonProgress]:
    """The batch's participants, active ones first, by pseudonym. Three queries."""
    judged = Judgment.objects.filter(batch=batch).values_list("annotator")
    done = {
        annotator: (n, active, wall, last)
        for annotator, n, active, wall, last in judged.annotate(
            n=Count("assignment", distinct=True), active=Sum("active_ms"), wall=Sum("wall_ms"), last=Max("created_at")
        )
    }
    skips = Assignment.objects.filter(batch=batch, state=Assignment.State.SKIPPED).values_list("annotator")
    skipped = dict(skips.annotate(n=Count("id")))
    participations = Participation.objects.filter(batch=batch).select_related("annotator")
    people = []
    for each in participations.order_by("-is_active", "annotator__pseudonym"):
        n, active, wall, last = done.get(each.annotator_id, (0, 0, 0, None))
        n_skipped = skipped.get(each.annotator_id, 0)
        people.append(PersonProgress(each.annotator, each.is_active, n, n_skipped, _hours(active), _hours(wall), last))
    return people


def item_of(batch: Batch, token: str) -> Item:
    """The item of the batch with this token, with its topic and document; else 404."""
    items = Item.objects.select_related("topic", "document", "batch", "collection")
    return get_object_or_404(items, batch=batch, token=token)


def machines_in(batch: Batch) -> list[str]:
    """Pseudonyms of the machine judges among whom judgments came in with the batch; nobody else judges as a machine."""
    if batch.brought_by_id is None:
        return []
    taking_part = Participation.objects.filter(batch=batch, annotator__kind=Annotator.Kind.MACHINE)
    return sorted(taking_part.values_list("annotator__pseudonym", flat=True))


def days_of_work(batch: Batch) -> list[DayOfWork]:
    """Per person and day (UTC), by day and pseudonym. One query."""
    rows = (
        Judgment.objects.filter(batch=batch)
        .annotate(day=TruncDate("created_at", tzinfo=UTC))
        .values_list("day", "annotator__pseudonym")
        .annotate(n=Count("assignment", distinct=True), active=Sum("active_ms"), wall=Sum("wall_ms"))
        .order_by("day", "annotator__pseudonym")
    )
    return [DayOfWork(day, name, n, _hours(active), _hours(wall)) for day, name, n, active, wall in rows]


def seconds_per_judgment(collection: Collection, *, minimum: int) -> tuple[float, bool]:
    """The median active time of so many judgments of the collection's newest batches and True; an assumption and False
    while there are few. However many there are, here or in other collections: an index leads to these."""
    timed = Judgment.objects.filter(collection=collection, active_ms__isnull=False).order_by("-batch_id")
    newest = timed.values_list("active_ms", flat=True)[:NEWEST_TIMES]
    times = sorted(active for active in newest if active is not None)
    if len(times) < ENOUGH_TIMES:
        return max(ASSUMED_SECONDS, float(minimum)), False
    return max(times[len(times) // 2] / 1000, float(minimum)), True


def cost_of_judgment(batch: Batch) -> Decimal | None:
    """What the batch says, else its collection; None where nobody has said."""
    return batch.collection.cost_per_judgment if batch.cost_per_judgment is None else batch.cost_per_judgment


def annotators_of(collection: Collection) -> QuerySet[Annotator]:
    """Who may take part in a batch: annotators with an account that has the role, by pseudonym."""
    member = Membership.objects.filter(collection=collection, user=OuterRef("user"), role=Role.ANNOTATOR)
    return Annotator.objects.filter(Exists(member), collection=collection).order_by("pseudonym")


def annotators_to_assign(batch: Batch) -> QuerySet[Annotator]:
    """Those of the collection who do not take part in the batch now."""
    taking_part = Participation.objects.filter(batch=batch, is_active=True).values("annotator")
    return annotators_of(batch.collection).exclude(pk__in=taking_part)


def _number_of(rows: "QuerySet[Any]") -> Coalesce:
    """How many rows of a batch there are, as a column."""
    counted = rows.order_by().values("batch").annotate(n=Count("pk"))
    return Coalesce(Subquery(counted.values("n")), 0)


def _hours(milliseconds: int | None) -> float:
    return (milliseconds or 0) / MS_AN_HOUR
