"""Descriptions of a collection, and the jobs that make them."""

from django.db.models import QuerySet

from annotation.models import Collection, Job
from evaluation.models import Description

DESCRIBE = "describe_beyond"


def descriptions_of(collection: Collection) -> QuerySet[Description]:
    """The newest first."""
    return Description.objects.filter(collection=collection).order_by("-made_at", "-pk")


def description_named(collection: Collection, key: str) -> Description | None:
    return Description.objects.filter(collection=collection, key=key).first()


def description_jobs(collection: Collection, key: str) -> QuerySet[Job]:
    """Those that were asked for this very description, the newest first."""
    return Job.objects.filter(collection=collection, kind=DESCRIBE, payload__key=key).order_by("-pk")
