"""Deleting a collection: from the first moment nobody sees it, and its short name is free; a job clears it away.

Files stay: they are named by their content, and another collection may name the same ones.
"""

import logging
from typing import Any

from django.db import transaction
from django.db.models import Q

from annotation.corpus.steps.document_index import remove_portion
from annotation.exchange.read.deletion import why_collection_stays
from annotation.exchange.steps.deletion.tables import tables_of
from annotation.kernel.audit import record_audit
from annotation.kernel.clearing import delete_in_portions
from annotation.kernel.jobs import LIVE, JobRun, claim_job, enqueue, heartbeat, put_back, run_job
from annotation.kernel.visible import CLOSING
from annotation.models import AuditEvent, Collection, Invitation, Job, Membership, User
from annotation.text.watch import Watch

logger = logging.getLogger(__name__)

DELETE = "delete_collection"
PREFIX = CLOSING  # of the name that it has meanwhile; the token of the job follows


class CollectionUsedError(Exception):
    """The collection cannot be deleted; the message says why."""


@transaction.atomic
def start_deletion(collection: Collection, *, actor: User) -> Job:
    """Take every member off the collection and queue the rest. Raises `CollectionUsedError`."""
    locked = Collection.objects.select_for_update().get(pk=collection.pk)
    if reason := why_collection_stays(locked):
        raise CollectionUsedError(reason)
    job = enqueue(DELETE, collection=None, created_by=actor, deleted=locked.pk, slug=locked.slug, about=locked.name)
    _rename(locked, job)
    Membership.objects.filter(collection=locked).delete()
    Invitation.objects.filter(collection=locked).delete()
    record_audit("collection deleted", actor=actor, collection=None, subject=collection.slug, name=collection.name)
    return job


def run_deletion(run: JobRun) -> dict[str, Any]:
    """The job: table after table in short transactions. What a lost attempt left, the next one clears."""
    slug = run.job.payload["slug"]
    collection = Collection.objects.filter(slug=PREFIX + run.job.token, memberships=None).first()
    if collection is None:
        return {"deleted": slug}
    Collection.objects.filter(pk=collection.pk).update(scale=None, guideline=None, pausing={})
    while _taken_from_index(collection, run):
        pass
    tables = tables_of(collection)
    for n, rows in enumerate(tables):
        run.report(done=n, total=len(tables), message=f"Clearing {rows.model._meta.verbose_name_plural}")  # noqa: SLF001
        delete_in_portions(rows, run.fence)
    with transaction.atomic():
        run.fence()
        _keep_record(collection, slug)
        collection.delete()
        run.finish({"deleted": slug})
    return {"deleted": slug}


@transaction.atomic
def _taken_from_index(collection: Collection, run: JobRun) -> int:
    run.fence()
    return remove_portion(collection)


def delete_here(job: Job, *, watch: Watch) -> None:
    """Do the job in this process, for commands, unless a worker has it. Stopped, it is left to a worker."""
    run = claim_job(among=Q(pk=job.pk))
    if run is None:
        return
    run.watch = watch
    try:
        with heartbeat(run):
            run_job(run)
    except KeyboardInterrupt:
        put_back(run)
        raise


def sweep_deletions() -> int:
    """Queue anew what a job has not brought to its end; returns how many collections."""
    n_begun = 0
    for collection in Collection.objects.filter(slug__startswith=PREFIX, memberships=None):
        last = Job.objects.filter(kind=DELETE, token=collection.slug.removeprefix(PREFIX)).first()
        if last is None or last.state in LIVE:
            continue
        with transaction.atomic():
            _rename(collection, enqueue(DELETE, collection=None, created_by=last.created_by, **last.payload))
        logger.info("deletion of %s begun anew", last.payload["slug"])
        n_begun += 1
    return n_begun


def _rename(collection: Collection, job: Job) -> None:
    collection.slug = PREFIX + job.token
    collection.save(update_fields=["slug"])


def _keep_record(collection: Collection, slug: str) -> None:
    """The events stay, and say in words of which collection they were."""
    events = list(AuditEvent.objects.filter(collection=collection))
    for event in events:
        event.collection, event.detail = None, {**event.detail, "collection": slug}
    AuditEvent.objects.bulk_update(events, ["collection", "detail"], batch_size=500)
