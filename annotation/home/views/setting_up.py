"""From an empty collection to its first batch, step by step."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from annotation.exchange.steps.importing import start_import
from annotation.home.pages.setting_up import TEXTS, set_up_steps, texts_on_their_way
from annotation.home.read.collection import collection_counts
from annotation.kernel.access import ADMIN, collection_for
from annotation.kernel.page import render_polled
from annotation.kernel.request import Request
from annotation.models import Collection


@login_required
@require_http_methods(["GET", "POST"])
def collection_start(request: Request, slug: str) -> HttpResponse:
    """For admins. Topics and documents that are sent here are stored at once where nothing is wrong with them; a file
    of gold is sent to the form of its kind, which says so."""
    collection = collection_for(request.user, slug, ADMIN)
    if request.method == "POST":
        if not _started(request, collection):
            messages.error(request, "Choose a file first: topics, documents, or one of each.")
        return redirect("collection_start", slug=slug)
    on_their_way = texts_on_their_way(collection)
    steps = set_up_steps(collection, collection_counts(collection), on_their_way)
    return render_polled(
        request,
        "annotation/home/collection_start.html",
        part="annotation/home/collection_start_steps.html",
        live=any(text.is_live for text in on_their_way.values()),
        collection=collection,
        section="collection",
        steps=steps,
        next=next((step for step in steps if not step.is_done), None),
    )


def _started(request: Request, collection: Collection) -> int:
    """How many files were sent."""
    files: list[tuple[str, Any]] = [(kind, file) for kind in TEXTS for file in request.FILES.getlist(kind)]
    for kind, file in files:
        start_import(
            collection,
            kind=kind,
            stream=file.file,
            filename=file.name,
            created_by=request.user,
            publish=True,
            on_conflict="refuse",
        )
    return len(files)
