"""Letting go what is kept for one person alone, where the pair is no more for them.

Whoever keeps a pair for somebody, and whoever lays the same pair open for them elsewhere, holds the
row of the annotator until the end: whoever comes second sees what the other has done.
"""

from collections.abc import Iterable

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation.kernel.visible import laid_out
from annotation.models import Annotator, Assignment, Batch, Participation, Slot

_SAME_PAIR = {"item__topic": OuterRef("item__topic"), "item__document": OuterRef("item__document")}
_SHARED = Q(reserved_for__isnull=True) | Q(transferable=True)


def let_go(slots: "QuerySet[Slot]") -> None:
    """Delete those of them that are kept for somebody alone, but what a claim is just taking."""
    kept = Slot.objects.filter(
        pk__in=slots.values("pk"), state=Slot.State.OPEN, reserved_for__isnull=False, transferable=False, reading=1
    )
    free = list(kept.select_for_update(skip_locked=True).values_list("pk", flat=True))
    Slot.objects.filter(pk__in=free).delete()


def let_go_pair(annotator: int, *, topic: int, document: int) -> None:
    """What is kept of the pair for the person, in any batch: they know its answer by now."""
    let_go(Slot.objects.filter(reserved_for=annotator, item__topic=topic, item__document=document))


def let_go_in(batch: Batch, annotators: Iterable[Annotator] | None = None) -> None:
    """What is kept in the batch for people (None: all) who have met the pair elsewhere or may do so."""
    met = Assignment.objects.filter(annotator=OuterRef("reserved_for"), **_SAME_PAIR).exclude(batch=OuterRef("batch"))
    elsewhere = Slot.objects.filter(reserved_for=OuterRef("reserved_for"), transferable=False, **_SAME_PAIR)
    elsewhere = elsewhere.filter(laid_out()).exclude(Q(batch=OuterRef("batch")) | Q(batch__state=Batch.State.CLOSED))
    slots = Slot.objects.filter(Exists(met) | Exists(elsewhere), batch=batch)
    let_go(slots if annotators is None else slots.filter(reserved_for__in=list(annotators)))


def let_go_elsewhere(batch: Batch, annotators: Iterable[Annotator] | None = None) -> None:
    """What coins have kept in other batches for those who take part in this one (or these of them), of pairs that lie
    open for them here. Call it once the slots here are written, and before rows are locked of blocks in which
    people judge.
    """
    people = Participation.objects.filter(batch=batch, is_active=True)
    if annotators is not None:
        people = people.filter(annotator__in=list(annotators))
    locked = Annotator.objects.select_for_update(no_key=True).filter(pk__in=people.values("annotator"))
    list(locked.order_by("pk").values_list("pk"))
    open_here = Slot.objects.filter(_SHARED, batch=batch, **_SAME_PAIR).exclude(state=Slot.State.JUDGED)
    kept = Slot.objects.filter(Exists(open_here), reserved_for__in=people.values("annotator"), transferable=False)
    let_go(kept.filter(batch__coin_shares__isnull=False).exclude(batch=batch).exclude(batch__state=Batch.State.CLOSED))
