"""Runs of a collection."""

from django.db.models import QuerySet

from annotation.models import Collection
from evaluation.models import Run


def runs_of(collection: Collection) -> QuerySet[Run]:
    """By tag."""
    return Run.objects.filter(collection=collection).select_related("created_by").order_by("tag")
