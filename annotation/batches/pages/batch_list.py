"""The list of batches."""

from typing import Any

from django.urls import reverse

from annotation.batches.read.batches import expected_in_all
from annotation.kernel.list_columns import linked, moments, numbers, people, texts
from annotation.kernel.listing import Listed, Listing, Only
from annotation.kernel.tables import Cell, Kind, Shown
from annotation.models import Batch, Collection

TONES = {Batch.State.OPEN: "ok", Batch.State.PAUSED: "warn", Batch.State.LAID_OUT: "info"}
SHOWN = [choice for choice in Batch.State.choices if choice[0] != Batch.State.IMPORTING]


def batch_list(collection: Collection, *, may_choose: bool) -> Listing[Any]:
    """Of `counted_batches`. `may_choose`: who judges in a draft."""

    def address(batch: Batch) -> str:
        return reverse("batch", args=[collection.slug, batch.token])

    def people_now(batch: Any) -> Cell:
        if batch.state == Batch.State.DRAFT and not batch.people_now and may_choose:
            edit = reverse("batch_edit", args=[collection.slug, batch.token])
            return Cell("0: choose", address=f"{edit}#people")
        return Cell(f"{batch.people_now:,}")

    def pool(batch: Batch) -> Cell:
        if batch.pool is None:
            return Cell(_source(batch))
        return Cell(batch.pool.name, address=reverse("pool", args=[collection.slug, batch.pool_id]))

    return Listing(
        "Batches",
        (
            linked("Name", "name", lambda batch: batch.name, address, by="name"),
            Listed("state", lambda batch: batch.state, by="state", shown=Shown("State", _state, is_numeric=False)),
            Listed(
                "judged",
                lambda batch: batch.judged_so_far,
                Kind.WHOLE,
                by="judged_so_far",
                of="expected",
                shown=Shown("Judged", _progress, is_numeric=False),
            ),
            numbers("Expected", "expected", _expected, by="n_expected", is_folded=True),
            numbers("Pairs", "pairs", lambda batch: batch.laid_items, by="laid_items", is_folded=True),
            Listed(
                "people", lambda batch: batch.people_now, Kind.WHOLE, by="people_now", shown=Shown("People", people_now)
            ),
            Listed("pool_or_file", _source, by="pool__name", shown=Shown("Pool or file", pool, is_numeric=False)),
            people("By", "by", lambda batch: batch.created_by, by="created_by"),
            moments("Made on", "made", lambda batch: batch.created_at, by="created_at", form="j M Y"),
            texts("Criterion", "criterion", lambda batch: batch.criterion, is_folded=True),
        ),
        search=("name", "pool__name"),
        hint="Name or pool",
        filters=(Only("state", "State", "state", SHOWN),),
    )


def _state(batch: Batch) -> Cell:
    return Cell(batch.get_state_display(), tone=TONES.get(Batch.State(batch.state), "plain"))


def _progress(batch: Any) -> Cell:
    n, most = batch.judged_so_far, _expected(batch)
    return Cell(str(n), done=n, most=most) if most else Cell("–")


def _expected(batch: Any) -> int:
    return expected_in_all(batch.judged_so_far, batch.slots_left, batch.n_expected)


def _source(batch: Batch) -> str:
    if batch.pool is not None:
        return batch.pool.name
    return f"from {batch.brought_by.filename}" if batch.brought_by else ""
