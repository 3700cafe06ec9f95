"""A collection at a glance, and who did what in it."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_GET

from annotation.home.pages.audit_list import audit_list
from annotation.home.pages.checklist import checklist_of
from annotation.home.pages.led import led
from annotation.home.pages.overview import overview_of
from annotation.home.read.collection import audit_events, audit_verbs, collection_counts
from annotation.home.read.start_page import OwnCollection
from annotation.kernel.access import ADMIN, MEMBER, RESEARCH, collection_for, roles_in
from annotation.kernel.listing import render_listing
from annotation.kernel.page import render_page
from annotation.kernel.request import Request


@login_required
@require_GET
def collection(request: Request, slug: str) -> HttpResponse:
    """Annotators have nothing to browse: their work is on the start page. With `?figures=now` nothing is left to come
    later; asked by htmx, what comes later alone. `?figures=tasks`: so of its part on the start page."""
    collection = collection_for(request.user, slug, MEMBER)
    roles = roles_in(request.user, collection)
    if not roles & RESEARCH:
        return redirect("home")
    if request.GET.get("figures") == "tasks" and request.htmx:
        own = led(OwnCollection(collection, sorted(roles)), request.user, compute=True)
        return render_page(request, "annotation/home/home_collection.html", collection=collection, led=own)
    counts = collection_counts(collection)
    compute = "figures" in request.GET
    return render_page(
        request,
        "annotation/home/collection_now.html" if compute and request.htmx else "annotation/home/collection.html",
        collection=collection,
        counts=counts,
        checklist=checklist_of(collection, counts, roles),
        overview=overview_of(collection, counts, roles=roles, person=request.user, compute=compute),
        events=audit_events(collection)[:5] if roles & ADMIN else [],
    )


@login_required
@require_GET
def audit(request: Request, slug: str) -> HttpResponseBase:
    """For admins."""
    collection = collection_for(request.user, slug, ADMIN)
    verbs = audit_verbs(collection)
    return render_listing(
        request,
        "annotation/home/audit.html",
        audit_list(verbs),
        audit_events(collection),
        collection=collection,
        verbs=verbs,
    )
