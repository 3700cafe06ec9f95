"""Views that people have kept."""

from django.http import Http404

from annotation.models import SavedView, User


def view_for(person: User, slug: str, pk: int) -> SavedView:
    """One of the person's own; else 404."""
    views = SavedView.objects.filter(user=person, collection__slug=slug, pk=pk).select_related("collection")
    view = views.first()
    if view is None:
        raise Http404("No such view.")
    return view
