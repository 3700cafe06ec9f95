"""Descriptions taken away."""

from django.db import transaction

from annotation.kernel.audit import record_audit
from annotation.kernel.jobs import LIVE
from annotation.models import User
from evaluation.beyond.read import description_jobs
from evaluation.beyond.steps.asking import Asked
from evaluation.models import Description


class DescriptionUsedError(Exception):
    """The description cannot be deleted; the message says why."""


@transaction.atomic
def delete_description(description: Description, *, actor: User | None) -> None:
    """The files that were sent for it go with the next sweep of files that nothing names. Raises
    `DescriptionUsedError` while a job describes the same."""
    locked = Description.objects.select_for_update().get(pk=description.pk)
    if description_jobs(locked.collection, locked.key).filter(state__in=LIVE).exists():
        raise DescriptionUsedError("A job describes it anew. It stays.")
    record_audit(
        "description deleted",
        actor=actor,
        collection=locked.collection,
        subject=Asked.of_json(locked.asked).title,
        kind=locked.kind,
        key=locked.key,
    )
    locked.delete()
