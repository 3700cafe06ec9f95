"""Whom to believe, and what they say together."""

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.views.decorators.http import require_GET

from annotation.kernel.access import RESEARCH, collection_for
from annotation.kernel.page import render_page
from annotation.kernel.page_tables import cells_of
from annotation.kernel.request import Request
from annotation.trust.pages.choice import choice_in
from annotation.trust.pages.people_columns import columns_on_page, sorted_people
from annotation.trust.pages.report import quality_report
from annotation.trust.read.withheld import withheld_pairs

SHOWN_PAIRS, SHOWN_PEOPLE = 50, 100


@login_required
@require_GET
def quality(request: Request, slug: str) -> HttpResponse:
    collection = collection_for(request.user, slug, RESEARCH)
    choice = choice_in(request.GET, collection)
    if not choice.batches or (choice.is_bound and not choice.is_valid()):
        status = 422 if choice.errors else 200
        return render_page(
            request, "annotation/trust/quality.html", collection=collection, choice=choice, status=status
        )
    batches = choice.chosen_batches()
    report = quality_report(collection, batches, choice.parameters())
    reason = request.GET.get("reason", "")
    sort = request.GET.get("sort", "doubt")
    people = Paginator(sorted_people(report.people, sort), SHOWN_PEOPLE).get_page(request.GET.get("people"))
    columns = columns_on_page(report.people)
    return render_page(
        request,
        "annotation/trust/quality.html",
        collection=collection,
        choice=choice,
        report=report,
        policy=choice.chosen_policy(),
        people=people,
        columns=columns,
        rows=[(person, cells_of(columns, person)) for person in people],
        sort=sort,
        reason=reason,
        page_obj=Paginator(report.dropped(reason), SHOWN_PAIRS).get_page(request.GET.get("page")),
        withheld=withheld_pairs(collection, batches),
        here=request.GET.urlencode(),
    )
