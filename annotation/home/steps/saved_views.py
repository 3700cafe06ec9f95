"""Lists kept under a name, each person their own."""

from annotation.kernel.list_views import kept_query
from annotation.models import Collection, SavedView, User


def keep_view(collection: Collection, person: User, *, page: str, name: str, query: str) -> SavedView:
    """One of the same list and name is replaced."""
    kept = {"query": kept_query(query)}
    view, _ = SavedView.objects.update_or_create(
        collection=collection, user=person, page=page, name=name, defaults=kept
    )
    return view


def delete_view(view: SavedView) -> None:
    view.delete()
