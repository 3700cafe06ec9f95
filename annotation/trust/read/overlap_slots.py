"""Which slots were added because the first judgments of their pair left its grade in doubt."""

from collections.abc import Iterable

from django.db.models import F, Window
from django.db.models.functions import RowNumber

from annotation.models import Batch, Slot


def added_slots(batches: Iterable[Batch]) -> frozenset[int]:
    """Slots of steered batches beyond those that every pair was laid out with. No query where no batch is steered."""
    steered = [batch.pk for batch in batches if batch.most_judgments is not None]
    if not steered:
        return frozenset()
    slots = Slot.objects.filter(batch__in=steered, reading=1, item__planting__isnull=True)
    counted = slots.annotate(place=Window(RowNumber(), partition_by="item", order_by="n"))
    return frozenset(counted.filter(place__gt=F("batch__judgments_per_item")).values_list("pk", flat=True))
