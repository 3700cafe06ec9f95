"""From an empty collection to its first batch, step by step."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.views.decorators.http import require_GET

from annotation.home.pages.setting_up import set_up_steps
from annotation.home.read.collection import collection_counts
from annotation.kernel.access import ADMIN, collection_for
from annotation.kernel.page import render_page
from annotation.kernel.request import Request


@login_required
@require_GET
def collection_start(request: Request, slug: str) -> HttpResponse:
    """For admins. A file that is chosen here is sent to the form of its kind, which says what is wrong with it."""
    collection = collection_for(request.user, slug, ADMIN)
    steps = set_up_steps(collection, collection_counts(collection))
    return render_page(
        request,
        "annotation/home/collection_start.html",
        collection=collection,
        section="collection",
        steps=steps,
        next=next((step for step in steps if not step.is_done), None),
    )
