"""A snapshot accounted for: what was dropped and why, and what the runs would be worth had it been counted."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.text import slugify
from django.views.decorators.http import require_GET, require_http_methods

from annotation.kernel.access import RESEARCH, collection_for, snapshot_for
from annotation.kernel.files import csv_file, csv_stream
from annotation.kernel.jobs.latest import jobs_of_kind, latest_jobs
from annotation.kernel.page import render_jobs, render_page
from annotation.kernel.request import Request
from annotation.models import Job, Snapshot
from evaluation.accounting.forms import AccountingForm
from evaluation.accounting.pages import (
    dropped_plot,
    measure_views,
    overall,
    run_links,
    share_plot,
    share_rows,
    shown_measure,
)
from evaluation.accounting.read import Dropped, accounted_in, accountings_of, dropped_in, newest_accounting, runs_since
from evaluation.accounting.steps.requests import SNAPSHOT, ask_accounting
from evaluation.formats.accounting import FORMS, dropped_csv_lines
from evaluation.models import Accounting

SHOWN_TOPICS = 200  # on a page of what dropped
TABLES = ("orders", "swaps")  # CSV beside that of the values


def try_asking(form: AccountingForm, ask: Callable[..., Job]) -> bool:
    """Queue what the form asks for; what the step refuses becomes an error of the form."""
    try:
        ask(**form.arguments())
    except ValueError as error:
        form.add_error("measures", str(error))
        return False
    return True


@login_required
@require_GET
def accounting(request: Request, slug: str, pk: int) -> HttpResponse:
    """While a job computes, the page polls; it reloads once the job has ended."""
    snapshot = snapshot_for(request.user, slug, pk)
    jobs = latest_jobs(jobs_of_kind(snapshot.collection, SNAPSHOT, snapshot))
    if request.htmx:
        return render_jobs(request, collection=snapshot.collection, jobs=jobs)
    stored = newest_accounting(snapshot)
    dropped = dropped_in(snapshot)
    return render_page(
        request,
        "evaluation/accounting/accounting.html",
        collection=snapshot.collection,
        section="snapshots",
        snapshot=snapshot,
        **(_dropped_context(request, slug, dropped) if dropped else {}),
        stored=stored,
        jobs=jobs,
        **(_result_context(request, snapshot, stored) if stored else {}),
    )


@login_required
@require_http_methods(["GET", "POST"])
def accounting_ask(request: Request, slug: str, pk: int) -> HttpResponse:
    """Which runs, by which measures, how deep."""
    snapshot = snapshot_for(request.user, slug, pk)
    form = AccountingForm(request.POST or None, collection=snapshot.collection)
    ask = partial(ask_accounting, snapshot, created_by=request.user)
    if request.method == "POST" and form.is_valid() and try_asking(form, ask):
        return redirect("accounting", slug=slug, pk=pk)
    return render_page(
        request,
        "evaluation/accounting/accounting_ask.html",
        collection=snapshot.collection,
        section="snapshots",
        snapshot=snapshot,
        form=form,
        status=422 if form.errors else 200,
    )


@login_required
@require_GET
def accounting_file(request: Request, slug: str, pk: int) -> HttpResponse:
    """`?form=`: `csv` of values, `orders` of how they order the runs, `swaps` of runs that change places, `json` with
    all of it."""
    collection = collection_for(request.user, slug, RESEARCH)
    stored: Accounting = get_object_or_404(accountings_of(collection).select_related("snapshot"), pk=pk)
    form = request.GET.get("form", "csv")
    if form not in FORMS:
        raise Http404("No such form.")
    about = slugify(f"{slug}-{stored.snapshot.name if stored.snapshot else 'policies'}-accounting")
    text = FORMS[form](accounted_in(stored))
    if form == "json":
        headers = {"Content-Disposition": f'attachment; filename="{about}.json"'}
        return HttpResponse(text, content_type="application/json", headers=headers)
    return csv_file(f"{about}-{form}" if form in TABLES else about, text.encode())


@login_required
@require_GET
def accounting_dropped_csv(request: Request, slug: str, pk: int) -> StreamingHttpResponse:
    """What the policy of a snapshot dropped, topic by topic and by reason."""
    snapshot = snapshot_for(request.user, slug, pk)
    dropped = dropped_in(snapshot)
    if dropped is None:
        raise Http404("These qrels were imported: what their makers left out is not known here.")
    topics = [(each.number, each.n_pairs, each.n_dropped, each.by_reason) for each in dropped.topics]
    name = slugify(f"{slug}-{snapshot.name}-dropped")
    return csv_stream(name, dropped_csv_lines([reason.key for reason in dropped.reasons], topics))


def _dropped_context(request: Request, slug: str, dropped: Dropped) -> dict[str, Any]:
    page = Paginator(dropped.topics, SHOWN_TOPICS).get_page(request.GET.get("page"))
    return {
        "dropped": dropped,
        "dropped_plot": dropped_plot(dropped.topics, slug),
        "dropped_lines": dropped.lines(page),
        "page_obj": page,
    }


def _result_context(request: Request, snapshot: Snapshot, stored: Accounting) -> dict[str, Any]:
    result = accounted_in(stored)
    views = measure_views(result, against_first=True)
    shares, links = share_rows(result), run_links(snapshot.collection)
    return {
        "result": result,
        "views": views,
        **shown_measure(views, request.GET.get("measure", ""), links),
        "overall": overall(views),
        "shares": shares,
        "share_plot": share_plot(shares, links),
        "since": runs_since(snapshot.collection, result),
    }
