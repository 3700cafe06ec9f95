"""Whom to believe, and what they say together."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods

from annotation.access import RESEARCH, collection_for, laid_pair_for
from annotation.forms.quality import AdjudicationForm, ChoiceOfBatches
from annotation.queries.adjudication import pair_file
from annotation.queries.policies import parameters_of, policies_of
from annotation.queries.quality import judged_batches, quality_report, sorted_people, withheld_pairs
from annotation.views.page import render_page
from annotation.views.request import Request
from annotation.workflow.adjudication import AdjudicationRefused
from annotation.workflow.adjudication import adjudicate as decide

SHOWN_PAIRS = 50


@login_required
@require_GET
def quality(request: Request, slug: str) -> HttpResponse:
    collection = collection_for(request.user, slug, RESEARCH)
    choice = ChoiceOfBatches(
        request.GET if {"batch", "policy"} & request.GET.keys() else None,
        batches=judged_batches(collection),
        policies=policies_of(collection),
    )
    if not choice.batches or (choice.is_bound and not choice.is_valid()):
        status = 422 if choice.errors else 200
        return render_page(request, "annotation/quality.html", collection=collection, choice=choice, status=status)
    batches, policy = choice.chosen_batches(), choice.chosen_policy()
    report = quality_report(collection, batches, parameters_of(policy))
    reason = request.GET.get("reason", "")
    sort = request.GET.get("sort", "accuracy")
    return render_page(
        request,
        "annotation/quality.html",
        collection=collection,
        choice=choice,
        report=report,
        policy=policy,
        people=sorted_people(report.people, sort),
        sort=sort,
        reason=reason,
        page_obj=Paginator(report.dropped(reason), SHOWN_PAIRS).get_page(request.GET.get("page")),
        withheld=withheld_pairs(collection, batches),
        here=request.GET.urlencode(),
    )


@login_required
@require_http_methods(["GET", "POST"])
def adjudicate(request: Request, slug: str) -> HttpResponse:
    item = laid_pair_for(request.user, slug, request.GET.get("number", ""), request.GET.get("docno", ""))
    form = AdjudicationForm(request.POST or None, scale=item.scale)
    if request.method == "POST" and form.is_valid():
        try:
            decide(item, **form.cleaned_data, actor=request.user)
        except AdjudicationRefused as refused:
            form.add_error(None, str(refused))
        else:
            messages.success(request, f"Topic {item.topic.number}, document {item.document.docno} is decided.")
            return _back(request, item.collection.slug)
    return render_page(
        request,
        "annotation/quality_adjudicate.html",
        collection=item.collection,
        section="quality",
        item=item,
        file=pair_file(item),
        form=form,
        back=_back_query(request),
        status=422 if form.errors else 200,
    )


def _back_query(request: Request) -> str:
    """The query of the quality page one came from; only ever a query, never an address."""
    return QueryDict(request.GET.get("back", "")).urlencode()


def _back(request: Request, slug: str) -> HttpResponse:
    return redirect(f"{reverse('quality', kwargs={'slug': slug})}?{_back_query(request)}")
