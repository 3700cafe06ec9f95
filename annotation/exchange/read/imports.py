"""Imports of a collection, the newest first."""

from collections.abc import Iterable

from django.db.models import QuerySet
from django.db.models.fields.json import KT

from annotation.models import Collection, Import, Job

CHECK, STORE = "check_import", "store_import"


def imports_of(collection: Collection) -> QuerySet[Import]:
    """Without previews and problems, which may be long; `read_as` is the title of the format, once that is known."""
    records = Import.objects.filter(collection=collection).select_related("created_by")
    return records.defer("preview", "problems").annotate(read_as=KT("preview__format__title")).order_by("-pk")


def ready_imports(collection: Collection, kinds: Iterable[str]) -> QuerySet[Import]:
    """Imports of these kinds that were checked and wait to be published, the oldest first."""
    return imports_of(collection).filter(kind__in=list(kinds), state=Import.State.CHECKED).order_by("pk")


def imports_in_work(collection: Collection) -> dict[int, str]:
    """By primary key of the import: the kind of the job that works on it, or that it waits for."""
    live = Job.objects.filter(collection=collection, state__in=[Job.State.QUEUED, Job.State.RUNNING])
    rows = live.filter(kind__in=[CHECK, STORE]).order_by("pk").values_list("payload__import", "kind")
    return {pk: kind for pk, kind in rows if pk}


def job_of(record: Import, kind: str = "") -> Job | None:
    """The last job that worked or works on an import."""
    jobs = Job.objects.filter(collection_id=record.collection_id, kind__in=[kind] if kind else [CHECK, STORE])
    return jobs.filter(payload__import=record.pk).order_by("-pk").first()


def is_awaited(state: str, work: str | None) -> bool:
    """Whether an import was told to be published and is not in the worker's hands yet."""
    return state == Import.State.CHECKED and work == STORE
