"""What commands of annotation name in a collection."""

from collections.abc import Sequence

from annotation.kernel.commands.base import MisuseError, RefusedError
from annotation.kernel.commands.naming import named
from annotation.kernel.visible import visible_batches
from annotation.models import Batch, Collection, Qualification
from annotation.trust.read.withheld import judged_batches


def batch_named(collection: Collection, name: str) -> Batch:
    joined = ("collection__guideline", "pool", "brought_by", "scale", "information", "qualification")
    batch = visible_batches(collection).select_related(*joined).filter(name=name).first()
    if batch is None:
        raise MisuseError(f"There is no batch {name} in this collection.")
    return batch


def round_named(collection: Collection, name: str) -> Qualification:
    rounds = Qualification.objects.select_related("collection", "scale").filter(collection=collection, name=name)
    if (qualification := rounds.first()) is None:
        raise MisuseError(f"There is no qualification round {name} in this collection.")
    return qualification


def batches_named(collection: Collection, names: Sequence[str] | None) -> list[Batch]:
    """The batches of these names; without names, every one that is laid out."""
    batches = {batch.name: batch for batch in judged_batches(collection)}
    if not batches:
        raise RefusedError("No batch of this collection is laid out.")
    return named("laid-out batch", names, batches)
