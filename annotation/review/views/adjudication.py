"""Contested pairs: the queue, and one pair from the blind grade to the decision."""

from collections.abc import Callable
from dataclasses import replace

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation.kernel.access import ADMIN, RESEARCH, collection_for, laid_pair_for, roles_in
from annotation.kernel.files import csv_file, csv_stream
from annotation.kernel.listing import listed_rows, render_listing
from annotation.kernel.page import render_page
from annotation.kernel.request import Request
from annotation.kernel.tables import csv_lines, rows_csv
from annotation.models import Collection, Item, Knew
from annotation.review.forms.adjudication import BlindGradeForm, DecisionForm, QueueForm, WithdrawalForm
from annotation.review.pages.contested_list import contested_list
from annotation.review.pages.contested_tables import DECISIONS, MINDS, WAITING
from annotation.review.read.adjudication import (
    WaitingPairs,
    decisions_of,
    figures_of,
    pair_file,
    pair_state,
    recent_decisions,
    shown_document,
    waiting_for,
)
from annotation.review.steps import adjudication as deeds
from annotation.review.steps.adjudication import AdjudicationError
from annotation.review.views.adjudication_address import (
    pair_address,
    queue_address,
    queue_query,
    way_back,
)
from annotation.trust.read.policies import policies_of
from annotation.trust.read.withheld import judged_batches

_VIEWS = {"whole": True, "excerpt": False}


@login_required
@require_GET
def adjudication(request: Request, slug: str) -> HttpResponseBase:
    collection = collection_for(request.user, slug, RESEARCH)
    choice = _choice(request, collection)
    if not choice.batches or (choice.is_bound and not choice.is_valid()):
        status = 422 if choice.errors else 200
        return render_page(
            request, "annotation/review/adjudication.html", collection=collection, choice=choice, status=status
        )
    waiting = _waiting(request, collection, choice)
    return render_listing(
        request,
        "annotation/review/adjudication.html",
        replace(contested_list(waiting, may_decide=bool(roles_in(request.user, collection) & ADMIN)), file=choice.file),
        waiting,
        collection=collection,
        choice=choice,
        policy=choice.chosen_policy(),
        waiting=waiting,
        figures=figures_of(collection, waiting.contested),
        recent=recent_decisions(collection),
        here=queue_query(request),
    )


@login_required
@require_POST
def adjudication_next(request: Request, slug: str) -> HttpResponse:
    """Take the first pair of the list that nobody else has."""
    return _next(request, collection_for(request.user, slug, ADMIN))


@login_required
@require_http_methods(["GET", "POST"])
@never_cache
def adjudicate(request: Request, slug: str) -> HttpResponse:
    """One pair as far as the person may see it; a POST is their decision."""
    item = _item(request, slug)
    if request.method == "GET":
        return _pair_page(request, item)
    form = DecisionForm(request.POST, scale=item.scale)
    if not form.is_valid():
        return _pair_page(request, item, form)
    try:
        deeds.decide(item, **form.cleaned_data, actor=request.user, moment=timezone.now())
    except AdjudicationError as error:
        form.add_error(None, str(error))
        return _pair_page(request, item, form)
    messages.success(request, f"Topic {item.topic.number}, document {item.document.docno} is decided.")
    return _next(request, item.collection) if "next" in request.POST else redirect(way_back(request, slug))


@login_required
@require_POST
def adjudicate_open(request: Request, slug: str) -> HttpResponse:
    """Have a pair of a list to oneself, as with the next one of the queue, and read it."""
    return _do(request, _item(request, slug), deeds.open_pair, reader=request.user, knew=_knew_before(request))


@login_required
@require_POST
def adjudicate_blind(request: Request, slug: str) -> HttpResponse:
    """The person's own grade; the page then shows the others'."""
    item = _item(request, slug)
    form = BlindGradeForm(request.POST, scale=item.scale)
    if not form.is_valid():
        return _pair_page(request, item, form)
    knew = _knew_before(request)
    return _do(request, item, deeds.grade_blind, **form.cleaned_data, reader=request.user, knew=knew)


@login_required
@require_POST
def adjudicate_look(request: Request, slug: str) -> HttpResponse:
    return _do(request, _item(request, slug), deeds.look_at_pair, reader=request.user)


@login_required
@require_POST
def adjudicate_leave(request: Request, slug: str) -> HttpResponse:
    item = _item(request, slug)
    deeds.leave_pair(item, reader=request.user)
    messages.success(request, f"Topic {item.topic.number}, document {item.document.docno} is left for others.")
    return _next(request, item.collection) if "next" in request.POST else redirect(way_back(request, slug))


@login_required
@require_POST
def adjudicate_withdraw(request: Request, slug: str) -> HttpResponse:
    item = _item(request, slug)
    form = WithdrawalForm(request.POST)
    if not form.is_valid():
        messages.error(request, "A withdrawal needs a reason.")
        return redirect(pair_address(request, item))
    success = "The decision is withdrawn; the pair is left to its judgments."
    return _do(request, item, deeds.withdraw_decision, success, **form.cleaned_data, actor=request.user)


@login_required
@require_GET
def adjudications_csv(request: Request, slug: str) -> StreamingHttpResponse:
    collection = collection_for(request.user, slug, RESEARCH)
    return csv_stream(f"{slug}-decisions", csv_lines(DECISIONS, decisions_of(collection)))


@login_required
@require_GET
def adjudication_csv(request: Request, slug: str, table: str) -> HttpResponse | StreamingHttpResponse:
    """Of the batches, the policy, the reason and the topic that the address names, as the page has them."""
    collection = collection_for(request.user, slug, RESEARCH)
    choice = _choice(request, collection)
    if table not in {"waiting", "minds"} or not choice.batches or (choice.is_bound and not choice.is_valid()):
        raise Http404("There is no such table.")
    waiting = _waiting(request, collection, choice)
    name = f"{slug}-contested-{table}"
    if table == "waiting":
        return csv_stream(name, csv_lines(WAITING, waiting[:]))
    return csv_file(name, rows_csv(MINDS, figures_of(collection, waiting.contested).shares))


def _do(
    request: Request, item: Item, step: Callable[..., object], success: str = "", **options: object
) -> HttpResponse:
    """Take the step and go on to the pair, which says so, or why it cannot be."""
    try:
        step(item, **options, moment=timezone.now())
    except AdjudicationError as error:
        messages.error(request, str(error))
    else:
        if success:
            messages.success(request, success)
    return redirect(pair_address(request, item))


def _pair_page(request: Request, item: Item, form: BlindGradeForm | None = None) -> HttpResponse:
    state = pair_state(item, request.user, moment=timezone.now())
    file = pair_file(item) if state.seen else None
    whole = _VIEWS.get(request.GET.get("view", ""))
    own = state.reading.grade if state.reading else None
    n_decisions = len(state.decisions)
    refused_form = None if state.seen and not isinstance(form, DecisionForm) else form
    return render_page(
        request,
        "annotation/review/adjudicate.html",
        collection=item.collection,
        section="adjudication",
        item=item,
        scale=item.scale.grades,
        state=state,
        file=file,
        card=shown_document(item, whole=whole, judgments=file.judgments if file else ()),
        form=refused_form or DecisionForm(scale=item.scale, grade=own, based_on=n_decisions),
        withdrawal=WithdrawalForm(initial={"based_on": n_decisions}, prefix=None, auto_id="withdraw_%s"),
        here=request.GET.urlencode(),
        back=way_back(request, item.collection.slug),
        batch=item.batch,
        listed="back" in request.GET,
        status=422 if form else 200,
    )


def _knew_before(request: Request) -> Knew | None:
    """What the list that they came from has told them: that of the page Quality shows grades."""
    return Knew.SEEN if "back" in request.GET else None


def _item(request: Request, slug: str) -> Item:
    return laid_pair_for(request.user, slug, request.GET.get("number", ""), request.GET.get("docno", ""))


def _next(request: Request, collection: Collection) -> HttpResponse:
    choice = _choice(request, collection)
    if not choice.batches or (choice.is_bound and not choice.is_valid()):
        raise Http404("No such batch or policy.")
    waiting = _waiting(request, collection, choice)
    narrowed = listed_rows(contested_list(waiting, may_decide=True), waiting, request.GET).matches
    pairs = waiting.pairs() if narrowed is waiting else waiting.pairs(narrowed)
    item = deeds.open_next(collection, pairs, reader=request.user, moment=timezone.now())
    if item is None:
        messages.info(request, "Nothing waits for you here: the rest is decided, held by others, or skipped by you.")
        return redirect(queue_address(request, collection.slug))
    return redirect(pair_address(request, item))


def _choice(request: Request, collection: Collection) -> QueueForm:
    data = request.GET if {"batch", "policy"} & request.GET.keys() else None
    return QueueForm(data, batches=judged_batches(collection), policies=policies_of(collection))


def _waiting(request: Request, collection: Collection, choice: QueueForm) -> WaitingPairs:
    return waiting_for(request.user, collection, choice, request.GET, moment=timezone.now())
