"""Clicks that were set beside judgments."""

from django.db.models import QuerySet

from annotation.models import Collection
from evaluation.models import ClickComparison


def comparisons_of(collection: Collection) -> QuerySet[ClickComparison]:
    """The newest first."""
    comparisons = ClickComparison.objects.filter(collection=collection)
    return comparisons.select_related("snapshot", "brought_by__created_by").order_by("-pk")


def comparison_named(collection: Collection, name: str) -> ClickComparison | None:
    return None if "\0" in name else comparisons_of(collection).filter(name=name).first()
