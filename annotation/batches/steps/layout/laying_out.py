"""Laying a draft out: planned and prepared outside any lock, written portion by portion, and made visible at once."""

from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any

from django.db import transaction
from django.utils import timezone

from annotation.batches.steps.layout.forecast import DryRun
from annotation.batches.steps.layout.material import PlannedSlot
from annotation.batches.steps.layout.part import LayoutChangedError, Watch, lock_draft_after, write_rest
from annotation.batches.steps.layout.prepared import Prepared, plan_and_forecast, prepare
from annotation.batches.steps.layout.refusals import LayoutError, locked_draft
from annotation.batches.steps.layout.rows import read_material, wanted_of
from annotation.judging.steps.kept import let_go_elsewhere
from annotation.kernel.audit import newest_audit, record_audit
from annotation.models import Batch, Item, Slot, User

CHUNK = 1000
TRIES = 3  # how often a layout is planned anew because something has changed meanwhile
LOOKS = 5  # how often what a plan rests on is read again, because some step was taken in the collection


class Unwatched:
    """Nobody waits for it or can cancel it: it is one transaction, or a test."""

    def fence(self) -> None:
        pass

    def report(self, *, done: int, total: int, message: str = "") -> None:
        pass

    def finish(self, result: dict[str, Any] | None = None) -> None:
        pass


def dry_run(batch: Batch) -> DryRun:
    """What laying the batch out now would give. Stores nothing."""
    return plan_and_forecast(batch, read_material(batch))[1]


@transaction.atomic
def lay_out(batch: Batch, *, actor: User | None) -> DryRun:
    """`lay_out_in_portions` within one transaction, for a small batch: raises `LayoutError`, leaving the draft as it
    was."""
    return lay_out_in_portions(locked_draft(batch), actor=actor, watch=Unwatched())


def lay_out_in_portions(batch: Batch, *, actor: User | None, watch: Watch) -> DryRun:
    """Turn a draft into items and slots. Raises `LayoutError`; what is written by then stays until it is cleared, or
    the draft is laid out again: then the layout goes on from there.

    What the plan rests on is read again at the end. Where it has changed, all is planned anew.
    """
    for _ in range(TRIES):
        with suppress(LayoutChangedError):
            prepared = prepare(batch)
            last = write_rest(prepared, watch)
            if _made_visible(prepared, last, actor, watch):
                return prepared.result
    raise LayoutError("The draft, its people, gold or texts changed again and again meanwhile. Lay it out once more.")


def store_slots(batch: Batch, slots: Iterable[PlannedSlot], items: Sequence[Item], *, first_n: Counter[int]) -> None:
    """Write planned slots. `first_n`: how many slots items have already, by item id."""
    n = Counter(first_n)
    rows = []
    for slot in slots:
        item = items[slot.item]
        rows.append(
            Slot(
                collection_id=batch.collection_id,
                batch=batch,
                item=item,
                n=n[item.pk],
                block=slot.block,
                reserved_for_id=slot.reserved_for,
                due=slot.due,
                transferable=slot.transferable,
                reading=slot.reading,
            )
        )
        n[item.pk] += 1
    Slot.objects.bulk_create(rows, batch_size=CHUNK)


def _made_visible(prepared: Prepared, last: int | None, actor: User | None, watch: Watch) -> bool:
    """False where the plan would be another by now. It is compared outside any lock, and holds as long as no further
    step is in the collection's audit log: drafts, gold, people and texts change by steps."""
    for _ in range(LOOKS):
        seen = newest_audit(prepared.batch.collection)
        if not prepared.stands():
            return False
        with transaction.atomic():
            watch.fence()
            draft = lock_draft_after(prepared.batch, last)
            if newest_audit(draft.collection) == seen:
                _flip(draft, prepared.result, actor)
                watch.finish({"items": prepared.result.n_items})
                return True
    return False


def _flip(batch: Batch, result: DryRun, actor: User | None) -> None:
    batch.state, batch.laid_out_at, batch.n_expected = Batch.State.LAID_OUT, timezone.now(), result.n_judgments
    batch.coin_shares, batch.n_items = wanted_of(batch).coin_shares, result.n_items
    batch.save(update_fields=["state", "laid_out_at", "n_expected", "coin_shares", "n_items"])
    record_audit(
        "batch laid out",
        actor=actor,
        collection=batch.collection,
        subject=batch.name,
        items=result.n_items,
        judgments=result.n_judgments,
        seed=batch.seed,
    )
    let_go_elsewhere(batch)  # last: people who judge in other batches wait from here on
