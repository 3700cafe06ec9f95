"""Added slots that are still open though their pairs need no more judgments, as after a reinstatement."""

from django.db.models import Count, Q, QuerySet

from annotation.judging.read import excluded_people
from annotation.models import Batch, Item, Slot


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
    lost = Q(slots__state=Slot.State.JUDGED, slots__assignment__annotator__in=excluded_people(batch.collection))
    n_open = dict(added_and_open(batch).order_by().values_list("item").annotate(n=Count("pk")))
    items = Item.objects.filter(batch=batch, pk__in=added_and_open(batch).values("item"))
    first = Q(slots__reading=1)
    counted = items.annotate(n_slots=Count("slots", filter=first), n_lost=Count("slots", filter=first & lost))
    spare = {
        item: min(n_open.get(item, 0), n_slots - n_lost - batch.judgments_per_item)
        for item, n_slots, n_lost in counted.order_by("pk").values_list("pk", "n_slots", "n_lost")
    }
    return {item: n for item, n in spare.items() if n > 0}
