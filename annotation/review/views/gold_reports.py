"""Gold itself: which of it may be wrong, how much of it is left for whom, all of it as CSV."""

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_GET

from annotation.gold.read.current import gold_rows
from annotation.kernel.access import RESEARCH, collection_for
from annotation.kernel.files import csv_stream
from annotation.kernel.listing import render_listing
from annotation.kernel.page import render_page
from annotation.kernel.request import Request
from annotation.kernel.tables import csv_lines
from annotation.review.pages.gold_figures import gold_figures
from annotation.review.pages.gold_tables import GOLD, GOLD_TABLES
from annotation.review.pages.supply import supply_list
from annotation.review.pages.suspects import shown_suspects
from annotation.review.pages.wear import worn_gold
from annotation.review.read.supply import supply_now
from annotation.review.read.suspects import suspects_of

SHOWN_SUSPECTS = 20


@login_required
@require_GET
def gold_suspects(request: Request, slug: str) -> HttpResponse:
    collection = collection_for(request.user, slug, RESEARCH)
    assert collection.scale is not None
    suspects = suspects_of(collection)
    page = Paginator(suspects.ranked, SHOWN_SUSPECTS).get_page(request.GET.get("page"))
    return render_page(
        request,
        "annotation/review/gold_suspects.html",
        collection=collection,
        section="gold",
        suspects=suspects,
        page_obj=page,
        shown=shown_suspects(suspects, list(page), collection.scale),
        threshold_percent=round(100 * suspects.threshold),
    )


@login_required
@require_GET
def gold_supply(request: Request, slug: str) -> HttpResponseBase:
    collection = collection_for(request.user, slug, RESEARCH)
    supply = supply_now(collection)
    return render_listing(
        request,
        "annotation/review/gold_supply.html",
        supply_list(collection),
        supply.people,
        collection=collection,
        section="gold",
        supply=supply,
    )


@login_required
@require_GET
def gold_csv(request: Request, slug: str) -> StreamingHttpResponse:
    collection = collection_for(request.user, slug, RESEARCH)
    worn = worn_gold(collection, gold_rows(collection), gold_figures(collection).wear)
    return csv_stream(f"{slug}-gold", csv_lines(GOLD, worn))


@login_required
@require_GET
def gold_table_csv(request: Request, slug: str, table: str) -> StreamingHttpResponse:
    collection = collection_for(request.user, slug, RESEARCH)
    if table not in GOLD_TABLES:
        raise Http404("There is no such table.")
    return csv_stream(f"{slug}-gold-{table}", GOLD_TABLES[table].lines(collection))
