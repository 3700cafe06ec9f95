"""Deleting vectors that no run rests on."""

from django.db import transaction

from annotation.kernel.audit import record_audit
from annotation.models import User
from evaluation.models import VectorSet
from evaluation.vectors.read import comparisons_from, why_vectors_stay


class VectorsUsedError(Exception):
    """The vectors cannot be deleted; the message says why."""


@transaction.atomic
def delete_vectors(vectors: VectorSet, *, actor: User | None) -> None:
    """What was found of their space and beside other models goes along; their import and the record stay, and their
    file, which is named by its content. Raises `VectorsUsedError`."""
    locked = VectorSet.objects.select_for_update().get(pk=vectors.pk)
    if reason := why_vectors_stay(locked):
        raise VectorsUsedError(f"{reason} The vectors stay.")
    record_audit(
        "vectors deleted", actor=actor, collection=vectors.collection, subject=str(locked), sha256=locked.sha256
    )
    locked.descriptions.all().delete()
    for comparison in comparisons_from(locked):
        comparison.delete()
    locked.delete()
