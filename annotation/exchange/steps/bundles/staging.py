"""A collection on its way in: hidden under a name of its own and without a member until it is whole.

Nobody belongs to it, so that no page and no address of the API shows it; it gets its name and its
admin in one transaction.
"""

import logging
from collections.abc import Mapping
from typing import Any

from django.core.validators import slug_re
from django.db import transaction
from django.db.models import QuerySet
from django.db.models.base import Model
from django.utils import timezone

from annotation.corpus.steps.document_index import remove_portion
from annotation.exchange.steps.bundles.parts.part import part_classes
from annotation.kernel.audit import record_audit
from annotation.kernel.clearing import Guard, delete_in_portions, no_guard
from annotation.kernel.jobs import LIVE, JobRefusedError, JobRun, end_lost_jobs
from annotation.kernel.visible import STAGED
from annotation.models import AuditEvent, Collection, Import, Job, Membership, User

logger = logging.getLogger(__name__)

LONGEST_SLUG = 60  # characters

Result = dict[str, Any]


def staged_slug(job: Job) -> str:
    return STAGED + job.token


def stage_collection(run: JobRun, *, options: Mapping[str, str], **columns: object) -> Import:
    """The hidden collection, and the import that stands for its file; in a transaction of the job."""
    collection = Collection.objects.create(slug=staged_slug(run.job), **columns)
    return Import.objects.create(
        collection=collection,
        kind=Import.Kind.COLLECTION,
        state=Import.State.CHECKED,
        filename=run.job.payload["filename"],
        options={"job": run.job.token, **options},
        created_by=run.job.created_by,
    )


def finish_import(run: JobRun, record: Import, **details: str) -> None:
    """Say that the collection is there; in the transaction that publishes it."""
    collection = record.collection
    record.state, record.published_at = Import.State.PUBLISHED, timezone.now()
    record.save(update_fields=["state", "published_at", "preview", "sha256"])
    actor = run.job.created_by
    record_audit("collection imported", actor=actor, collection=collection, subject=collection.slug, **details)
    run.finish(result_of(record))


def result_of(record: Import) -> Result:
    return {"collection": record.collection.slug, "counts": record.preview["counts"]}


def check_slug(slug: str, actor: User | None) -> None:
    """Raise `JobRefusedError` unless there can be a new collection of this name, led by `actor`."""
    if actor is None:
        raise JobRefusedError("A collection needs an admin: say whose it becomes.")
    if not slug_re.match(slug) or len(slug) > LONGEST_SLUG:
        raise JobRefusedError(f"{slug} is no short name: it has letters, digits, - and _ only, {LONGEST_SLUG} at most.")
    if Collection.objects.filter(slug=slug).exists():
        raise JobRefusedError(f"There is a collection {slug} already. Choose another short name.")


def sweep_staged() -> int:
    """Remove what was staged by jobs that have ended without it; returns how many collections."""
    end_lost_jobs()
    n_removed = 0
    for collection in Collection.objects.filter(slug__startswith=STAGED, memberships=None):
        token = collection.slug.removeprefix(STAGED)
        if len(token) == 22 and not Job.objects.filter(token=token, state__in=LIVE).exists():
            remove_staged(collection.slug)
            logger.info("staged collection %s swept", collection.slug)
            n_removed += 1
    return n_removed


def remove_staged(slug: str, *, guard: Guard = no_guard) -> None:
    """Remove a staged collection and all that is in it, in short transactions; `guard` is called first in each.

    A collection that has a member is not staged: it is left alone.
    """
    collection = Collection.objects.filter(slug=slug, memberships=None).first()
    if collection is None:
        return

    def require_staged() -> None:
        guard()
        if Membership.objects.filter(collection=collection).exists():
            raise RuntimeError("this collection is not staged")

    Collection.objects.filter(pk=collection.pk).update(scale=None, guideline=None)
    while _take_from_index(collection, require_staged):
        pass
    for rows in _staged_tables(collection):
        delete_in_portions(rows, require_staged)
    with transaction.atomic():
        guard()
        Collection.objects.filter(pk=collection.pk, memberships=None).delete()


@transaction.atomic
def _take_from_index(collection: Collection, guard: Guard) -> int:
    """None is in it, but where a worker of an earlier version has been at it."""
    guard()
    return remove_portion(collection)


def _staged_tables(collection: Collection) -> list["QuerySet[Model]"]:
    """What refers to other rows before these."""
    parts = [part.table(collection) for part in reversed(part_classes())]
    other = [model._default_manager.filter(collection=collection) for model in (Import, AuditEvent)]  # noqa: SLF001
    return [*parts, *other]
