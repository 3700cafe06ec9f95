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
    here = collection_for(request.user, slug, MEMBER)
    roles = roles_in(request.user, here)
    if not roles & RESEARCH:
        return redirect("home")
    counts = collection_counts(here)
    steps = steps_of(here, counts)
    return render_page(
        request,
        "annotation/home/collection.html",
        collection=here,
        counts=counts,
        steps=steps,
        next_step=next((step for step in steps if not step.done and not step.optional), None),
        events=audit_events(here)[:8] if roles & ADMIN else [],
        n_appeals=n_open_appeals(here) if roles & ADMIN else 0,
    )
