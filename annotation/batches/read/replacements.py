"""Which judgments are missing because those who made them are excluded, and what it would take to replace them.

Spare are added slots that are still open though their pairs need no more judgments, as after a
reinstatement.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Count, F, Q, QuerySet, Sum

from annotation.batches.read.batches import cost_of_judgment, seconds_per_judgment
from annotation.batches.read.gold_ahead import DONE_WITH, GoldAhead, gold_ahead
from annotation.batches.read.overlap import FIRST, JUDGED
from annotation.judging.read.pauses import excluded_people
from annotation.models import Assignment, AuditEvent, Batch, Collection, Item, Participation, Slot

SHOWN_EVENTS = 5


@dataclass(frozen=True)
class Missing:
    """Of one batch. `n_of`, `most`: how many slots each item wants, and how many it may have then, by item id.

    `names`: whose judgments are lost; `n_stuck`: wanted slots that nobody who gets cards here could take; `cost`: None
    where nobody has said what a judgment costs; `gold`: what those who may take the slots would meet among them.
    """

    batch: Batch
    n_of: Mapping[int, int]
    most: Mapping[int, int]
    names: list[str]
    n_stuck: int
    hours: float
    cost: Decimal | None
    gold: GoldAhead

    @property
    def n(self) -> int:
        return sum(self.n_of.values())

    @property
    def can_be_added(self) -> bool:
        return self.batch.state in Batch.TO_JUDGE


@dataclass(frozen=True)
class Additions:
    """What became of the slots that a batch was given after its layout. `n_beyond`: judgments of people who are not
    excluded, beyond what the batch asks for (where a policy steers: beyond the largest number); they count as the
    policy says. `n_spare`: open slots not needed any more.
    """

    batch: Batch
    n_added: int
    n_judged: int
    n_spare: int
    n_beyond: int
    events: list[AuditEvent]

    @property
    def can_be_withdrawn(self) -> bool:
        return self.batch.state in Batch.TO_JUDGE

    @property
    def latest(self) -> list[AuditEvent]:
        return self.events[:SHOWN_EVENTS]

    @property
    def n_earlier(self) -> int:
        return len(self.events) - len(self.latest)


def missing_judgments(collection: Collection) -> list[Missing]:
    """Of the batches where anything is missing, the newest first. Closed ones too: they can be reopened."""
    excluded = excluded_people(collection)
    batches = Batch.objects.filter(
        collection=collection, brought_by__isnull=True, state__in=[*Batch.TO_JUDGE, Batch.State.CLOSED]
    )
    lost = batches.filter(assignments__annotator__in=excluded, assignments__state=Assignment.State.JUDGED).distinct()
    missing = [missing_in(batch, excluded) for batch in lost.select_related("collection").order_by("-pk")]
    return [each for each in missing if each.n_of]


def missing_in(batch: Batch, excluded: Mapping[int, str] | None = None) -> Missing:
    """`excluded`: pseudonyms by annotator id; read if it is not given."""
    if excluded is None:
        excluded = excluded_people(batch.collection)
    lost = JUDGED & Q(slots__assignment__annotator__in=excluded)
    items = _ordinary(batch).filter(pk__in=_judged_by(batch, excluded).values("item"))
    counted = items.annotate(n_slots=Count("slots", filter=FIRST), n_lost=Count("slots", filter=FIRST & lost))
    wants = {
        item: (n_slots, batch.judgments_per_item - n_slots + n_lost)
        for item, n_slots, n_lost in counted.order_by("pk").values_list("pk", "n_slots", "n_lost")
        if batch.judgments_per_item - n_slots + n_lost > 0
    }
    n_of = {item: n for item, (_, n) in wants.items()}
    seconds, _ = seconds_per_judgment(batch.collection, minimum=batch.minimum_seconds)
    each, n = cost_of_judgment(batch), sum(n_of.values())
    return Missing(
        batch=batch,
        n_of=n_of,
        most={item: n_slots + n for item, (n_slots, n) in wants.items()},
        names=_names(batch, excluded) if n_of else [],
        n_stuck=_stuck(batch, n_of, excluded) if n_of else 0,
        hours=n * seconds / 3600,
        cost=None if each is None else each * n,
        gold=gold_ahead(batch, n_of) if n_of else GoldAhead({}),
    )


def additions(collection: Collection) -> list[Additions]:
    """Batches that were given slots after their layout, with the record of it."""
    by_name: dict[str, list[AuditEvent]] = {}
    events = AuditEvent.objects.filter(
        collection=collection, verb__in=["slots added", "slots withdrawn"]
    ).select_related("actor")
    for event in events.order_by("-pk"):
        by_name.setdefault(event.subject, []).append(event)
    excluded = excluded_people(collection)
    batches = Batch.objects.filter(collection=collection, name__in=by_name).order_by("-pk")
    return [_additions(batch, by_name[batch.name], excluded) for batch in batches]


def added_later(batch: Batch) -> QuerySet[Slot]:
    """Slots of ordinary pairs that are numbered on from those of the layout."""
    return Slot.objects.filter(batch=batch, reading=1, item__planting__isnull=True, n__gte=batch.judgments_per_item)


def added_and_open(batch: Batch) -> QuerySet[Slot]:
    """Those that nobody holds, has judged or is reserved for: what the layout numbers so high is reserved."""
    free = added_later(batch).filter(state=Slot.State.OPEN, assignment__isnull=True, reserved_for__isnull=True)
    return free.filter(item__withheld=False)


def spare_slots(batch: Batch) -> dict[int, int]:
    """How many of an item's added, open slots are not needed, by item id; items without any are not in it.

    Not needed is what an item's slots (judged by people who are not excluded, held, open) exceed the batch's judgments
    per item. In a batch that a policy steers none is spare: it may have asked for every one.
    """
    if batch.steered_by_id is not None:
        return {}
    lost = JUDGED & Q(slots__assignment__annotator__in=excluded_people(batch.collection))
    n_open = dict(added_and_open(batch).order_by().values_list("item").annotate(n=Count("pk")))
    items = Item.objects.filter(batch=batch, pk__in=added_and_open(batch).values("item"))
    counted = items.annotate(n_slots=Count("slots", filter=FIRST), n_lost=Count("slots", filter=FIRST & lost))
    spare = {
        item: min(n_open.get(item, 0), n_slots - n_lost - batch.judgments_per_item)
        for item, n_slots, n_lost in counted.order_by("pk").values_list("pk", "n_slots", "n_lost")
    }
    return {item: n for item, n in spare.items() if n > 0}


def _additions(batch: Batch, events: list[AuditEvent], excluded: Mapping[int, str]) -> Additions:
    added = added_later(batch).aggregate(n=Count("pk"), judged=Count("pk", filter=Q(state=Slot.State.JUDGED)))
    n_wanted = batch.most_judgments or batch.judgments_per_item
    kept = FIRST & JUDGED & ~Q(slots__assignment__annotator__in=excluded)
    counted = _ordinary(batch).annotate(n_kept=Count("slots", filter=kept)).filter(n_kept__gt=n_wanted)
    beyond = counted.aggregate(n=Sum(F("n_kept") - n_wanted))["n"] or 0
    return Additions(batch, added["n"], added["judged"], sum(spare_slots(batch).values()), beyond, events)


def _ordinary(batch: Batch) -> QuerySet[Item]:
    return Item.objects.filter(batch=batch, planting__isnull=True, withheld=False)


def _judged_by(batch: Batch, annotators: Mapping[int, str]) -> QuerySet[Assignment]:
    judged = Assignment.objects.filter(batch=batch, reading=1, state=Assignment.State.JUDGED)
    return judged.filter(annotator__in=annotators, item__planting__isnull=True, item__withheld=False)


def _names(batch: Batch, excluded: Mapping[int, str]) -> list[str]:
    who = _judged_by(batch, excluded).values_list("annotator", flat=True).distinct()
    return sorted(excluded[annotator] for annotator in who)


def _stuck(batch: Batch, n_of: Mapping[int, int], excluded: Mapping[int, str]) -> int:
    """Slots for which too few people are left who have not met the item, the open ones served first."""
    people = Participation.objects.filter(batch=batch, is_active=True, annotator__gets_cards=True)
    annotators = people.filter(annotator__user__isnull=False).values("annotator")
    items = _ordinary(batch).filter(pk__in=_judged_by(batch, excluded).values("item"))
    met = Q(assignments__annotator__in=annotators, assignments__state__in=DONE_WITH)
    waiting = FIRST & ~JUDGED
    n_met = dict(items.annotate(n=Count("assignments", filter=met)).values_list("pk", "n"))
    n_waiting = dict(items.annotate(n=Count("slots", filter=waiting)).values_list("pk", "n"))
    n_people = annotators.count()
    room = {item: n_people - n_met.get(item, 0) - n_waiting.get(item, 0) for item in n_of}
    return sum(max(0, n - max(0, room[item])) for item, n in n_of.items())
