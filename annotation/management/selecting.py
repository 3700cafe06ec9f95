"""What commands name: batches and snapshots of a collection."""

from collections.abc import Sequence

from django.core.management.base import CommandError

from annotation.management.importing import MISUSED
from annotation.models import Batch, Collection, Snapshot
from annotation.trust.read import judged_batches


def batches_named(collection: Collection, names: Sequence[str] | None) -> list[Batch]:
    """The batches of these names; without names, every one that is laid out."""
    here = {batch.name: batch for batch in judged_batches(collection)}
    if not here:
        raise CommandError("No batch of this collection is laid out.")
    unknown = [name for name in names or () if name not in here]
    if unknown:
        raise CommandError(f"There is no batch {unknown[0]} that is laid out.")
    return [here[name] for name in names or here]


def snapshot_named(collection: Collection, name: str) -> Snapshot:
    snapshot = Snapshot.objects.filter(collection=collection, name=name).first()
    if snapshot is None:
        raise CommandError(f"There is no snapshot {name} in this collection.", returncode=MISUSED)
    return snapshot
