"""Deleting imported qrels on which nothing rests. What was frozen from judgments stays."""

from django.db import transaction

from annotation.kernel.audit import record_audit
from annotation.models import Snapshot, User
from annotation.trust.read.snapshots import why_snapshot_stays


class SnapshotUsedError(Exception):
    """The snapshot cannot be deleted; the message says why."""


@transaction.atomic
def delete_snapshot(snapshot: Snapshot, *, actor: User | None) -> None:
    """Its import and the record stay, and its file, which is named by its content. Raises `SnapshotUsedError`.

    Gold that was taken from it is gold by events of its own, and stays.
    """
    locked = Snapshot.objects.select_for_update().get(pk=snapshot.pk)
    if reason := why_snapshot_stays(locked):
        raise SnapshotUsedError(f"{reason} The snapshot stays.")
    facts = {"subject": snapshot.name, "sha256": snapshot.qrels_sha256}
    record_audit("snapshot deleted", actor=actor, collection=snapshot.collection, **facts)
    locked.delete()
