"""Clicks beside judgments: the list, and one of them. Logs are brought in on the page of imports."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_POST

from annotation.kernel.access import ADMIN, RESEARCH, collection_for
from annotation.kernel.page import render_page
from annotation.kernel.request import Request
from evaluation.clicks.pages import MOST_SHOWN, looks_plot, rate_plot
from evaluation.clicks.read import comparison_named, comparisons_of
from evaluation.clicks.steps import delete_comparison


@login_required
@require_GET
def clicks(request: Request, slug: str) -> HttpResponse:
    collection = collection_for(request.user, slug, RESEARCH)
    page = Paginator(comparisons_of(collection), 50).get_page(request.GET.get("page"))
    return render_page(request, "evaluation/clicks/clicks.html", collection=collection, page_obj=page)


@login_required
@require_GET
def click_comparison(request: Request, slug: str, name: str) -> HttpResponse:
    collection = collection_for(request.user, slug, RESEARCH)
    stored = comparison_named(collection, name)
    if stored is None:
        raise Http404("No such clicks.")
    return render_page(
        request,
        "evaluation/clicks/click_comparison.html",
        collection=collection,
        section="clicks",
        stored=stored,
        figures=stored.figures,
        contradictions=stored.figures["contradictions"][:MOST_SHOWN],
        rates=rate_plot(stored.figures, stored.drawing),
        looks=looks_plot(stored.figures),
    )


@login_required
@require_POST
def click_comparison_delete(request: Request, slug: str, name: str) -> HttpResponse:
    stored = comparison_named(collection_for(request.user, slug, ADMIN), name)
    if stored is None:
        raise Http404("No such clicks.")
    delete_comparison(stored, actor=request.user)
    messages.success(request, f"The clicks {name} are deleted.")
    return redirect("clicks", slug=slug)
