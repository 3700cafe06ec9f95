"""Lists kept under a name: which can be, and what of their address is."""

from django.db.models import QuerySet
from django.http import QueryDict
from django.urls import reverse

from annotation.models import Collection, SavedView, User

LISTS = (  # names of the addresses whose lists can be kept as views: those of a collection, not of one thing in it
    "adjudication",
    "audit",
    "batches",
    "documents",
    "gold",
    "gold_appeals",
    "gold_supply",
    "imports",
    "jobs",
    "outgoing",
    "people",
    "pools",
    "quality_annotators",
    "quality_pairs",
    "runs",
    "series_list",
    "snapshots",
    "topics",
)
OF_MOMENT = ("page", "after", "before", "as")  # what of an address a view does not keep


def views_of(person: User, collection: Collection) -> QuerySet[SavedView]:
    """Those that the person has kept in the collection, by page and name."""
    views = SavedView.objects.filter(user=person, collection=collection).select_related("collection")
    return views.order_by("page", "name")


def address_of(view: SavedView) -> str:
    return reverse(view.page, args=[view.collection.slug], query=QueryDict(view.query))


def kept_query(query: str) -> str:
    """Without what holds of the moment alone."""
    chosen = QueryDict(query, mutable=True)
    for name in list(chosen):
        if name.rpartition("-")[2] in OF_MOMENT:
            chosen.pop(name)
    return chosen.urlencode()
