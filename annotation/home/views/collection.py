"""A collection at a glance, and who did what in it."""

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET

from annotation.batches.read.finished import finished_batches
from annotation.home.pages.checklist import checklist_of
from annotation.home.read.collection import audit_events, audit_verbs, collection_counts, waiting_in
from annotation.kernel.access import ADMIN, MEMBER, RESEARCH, collection_for, roles_in
from annotation.kernel.page import render_page
from annotation.kernel.request import Request
from annotation.review.read.appeals import n_open_appeals


@login_required
@require_GET
def collection(request: Request, slug: str) -> HttpResponse:
    """Annotators have nothing to browse: their work is on the start page."""
    collection = collection_for(request.user, slug, MEMBER)
    roles = roles_in(request.user, collection)
    if not roles & RESEARCH:
        return redirect("home")
    counts = collection_counts(collection)
    return render_page(
        request,
        "annotation/home/collection.html",
        collection=collection,
        counts=counts,
        checklist=checklist_of(collection, counts, roles),
        events=audit_events(collection)[:8] if roles & ADMIN else [],
        finished=finished_batches(collection),
        n_appeals=n_open_appeals(collection) if roles & ADMIN else 0,
        waiting=waiting_in(collection),
    )


@login_required
@require_GET
def audit(request: Request, slug: str) -> HttpResponse:
    """For admins."""
    collection = collection_for(request.user, slug, ADMIN)
    verb = request.GET.get("verb", "")
    page = Paginator(audit_events(collection, verb=verb), 50).get_page(request.GET.get("page"))
    return render_page(
        request,
        "annotation/home/audit.html",
        collection=collection,
        page_obj=page,
        verb=verb,
        verbs=audit_verbs(collection),
    )
