"""Deleting a run that nothing was made with. What was made with one, stays, and so does the run."""

from django.db import transaction

from annotation.kernel.audit import record_audit
from annotation.models import User
from evaluation.models import Run
from evaluation.runs.read import why_run_stays


class RunUsedError(Exception):
    """The run cannot be deleted; the message says why."""


@transaction.atomic
def delete_run(run: Run, *, actor: User | None) -> None:
    """Its import and the record stay, and its file, which is named by its content. Raises `RunUsedError`."""
    locked = Run.objects.select_for_update().get(pk=run.pk)
    if reason := why_run_stays(locked):
        raise RunUsedError(f"{reason} The run stays.")
    record_audit("run deleted", actor=actor, collection=run.collection, subject=run.tag, sha256=run.sha256)
    locked.delete()
