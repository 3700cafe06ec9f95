"""Who did what in a collection, for its admins."""

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.views.decorators.http import require_GET

from annotation.home.read.record import audit_events, audit_verbs
from annotation.kernel.access import ADMIN, collection_for
from annotation.kernel.page import render_page
from annotation.kernel.request import Request


@login_required
@require_GET
def audit(request: Request, slug: str) -> HttpResponse:
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
