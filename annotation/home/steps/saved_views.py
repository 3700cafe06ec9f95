"""Lists kept under a name, each person their own."""

from annotation.kernel.list_views import kept_query
from annotation.kernel.taken import unless_taken
from annotation.models import Collection, SavedView, User

VIEW_NAME_TAKEN = "You have another view of this list under that name."


def keep_view(collection: Collection, person: User, *, page: str, name: str, query: str) -> SavedView:
    """One of the same list and name is replaced."""
    kept = {"query": kept_query(query)}
    view, _ = SavedView.objects.update_or_create(
        collection=collection, user=person, page=page, name=name, defaults=kept
    )
    return view


def rename_view(view: SavedView, name: str) -> None:
    """Raises `TakenError` where the person has another view of the list under that name."""
    others = SavedView.objects.filter(collection=view.collection_id, user=view.user_id, page=view.page, name=name)
    with unless_taken(others):
        SavedView.objects.filter(pk=view.pk).update(name=name)
    view.name = name


def delete_view(view: SavedView) -> None:
    view.delete()
