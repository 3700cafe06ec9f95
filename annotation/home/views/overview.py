"""A collection at a glance."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET

from annotation.home.read.overview import collection_counts, steps_of
from annotation.home.read.record import audit_events
from annotation.kernel.access import ADMIN, MEMBER, RESEARCH, collection_for, roles_in
from annotation.kernel.page import render_page
from annotation.kernel.request import Request
from annotation.review.read import n_open_appeals


@login_required
@require_GET
def collection(request: Request, slug: str) -> HttpResponse:
    """Annotators have nothing to browse: their work is on the start page."""
    found = collection_for(request.user, slug, MEMBER)
    roles = roles_in(request.user, found)
    if not roles & RESEARCH:
        return redirect("home")
    counts = collection_counts(found)
    steps = steps_of(found, counts)
    return render_page(
        request,
        "annotation/home/collection.html",
        collection=found,
        counts=counts,
        steps=steps,
        next_step=next((step for step in steps if not step.done and not step.optional), None),
        events=audit_events(found)[:8] if roles & ADMIN else [],
        n_appeals=n_open_appeals(found) if roles & ADMIN else 0,
    )
