"""Pairs that people could not judge, and the batches one may look at."""

from collections.abc import Sequence
from dataclasses import dataclass

from annotation.kernel.results.recipes import BatchChoice
from annotation.kernel.visible import visible_batches
from annotation.models import Assignment, Batch, Collection, Item
from annotation.quality.purpose import CRITERION
from annotation.trust.read.judgments import by_scale, decisions


@dataclass(frozen=True)
class WithheldPair:
    """An item that people could not judge: who skipped it and why, without their notes, and its decided grade."""

    item: Item
    skips: list[str]
    decided: int | None


def withheld_pairs(collection: Collection, batches: Sequence[Batch], criterion: str = CRITERION) -> list[WithheldPair]:
    """Pairs that are kept from everybody because people could not judge them. Three queries."""
    items = Item.objects.filter(batch__in=batches, withheld=True).select_related("topic", "document").order_by("pk")
    by_item: dict[int, list[str]] = {}
    skips = Assignment.objects.filter(item__in=items, state=Assignment.State.SKIPPED).select_related("annotator")
    for skip in skips.order_by("pk"):
        by_item.setdefault(skip.item_id, []).append(f"{skip.annotator.pseudonym}: {skip.get_skip_reason_display()}")
    decided = decisions(collection, criterion) if items else {}
    pairs = [(item, (item.topic.number, item.document.docno)) for item in items]
    return [WithheldPair(item, by_item.get(item.pk, []), decided.get(pair)) for item, pair in pairs]


def judged_batches(collection: Collection, criterion: str = CRITERION) -> list[Batch]:
    """The batches that have a layout or came with judgments, the newest first."""
    batches = visible_batches(collection).filter(criterion=criterion).exclude(state=Batch.State.DRAFT)
    return list(batches.select_related("scale").order_by("-pk"))


def usual_choices(collection: Collection) -> list[BatchChoice]:
    """What pages of quality begin with: all that is judged, batches of one scale together."""
    return [BatchChoice(collection, batches, CRITERION) for batches in by_scale(judged_batches(collection))]
