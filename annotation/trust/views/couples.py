"""Every two people side by side."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, StreamingHttpResponse
from django.views.decorators.http import require_GET

from annotation.kernel.access import RESEARCH, collection_for
from annotation.kernel.files import csv_stream
from annotation.kernel.page import render_page
from annotation.kernel.request import Request
from annotation.trust.pages.choice import choice_of, judged_choice
from annotation.trust.pages.couples import COUPLES, couples_report


@login_required
@require_GET
def quality_couples(request: Request, slug: str) -> HttpResponse:
    collection = collection_for(request.user, slug, RESEARCH)
    choice = choice_of(request, collection)
    return render_page(
        request,
        "annotation/trust/quality_couples.html",
        collection=collection,
        section="quality",
        choice=choice,
        report=couples_report(collection, choice.chosen_batches()) if choice.batches else None,
    )


@login_required
@require_GET
def couples_csv(request: Request, slug: str) -> StreamingHttpResponse:
    collection = collection_for(request.user, slug, RESEARCH)
    report = couples_report(collection, judged_choice(request, collection).chosen_batches())
    return csv_stream(f"{slug}-couples", COUPLES.lines(report))
