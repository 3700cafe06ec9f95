"""How a batch does: the page, its moving part, its tables as files; what a judgment of it costs, when it is due."""

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.text import slugify
from django.views.decorators.http import require_GET, require_POST

from annotation.batches.read.batches import machines_in
from annotation.batches.steps.batches import BatchError
from annotation.health.forms import CostForm, DueForm
from annotation.health.pages.cached import cached_report, mark_of
from annotation.health.pages.due import due_standing, plan_of
from annotation.health.pages.lists import person_listing, topic_listing
from annotation.health.pages.tables import TABLES, Shown
from annotation.health.read.alerts import shown_alerts
from annotation.health.read.progress import cost_of
from annotation.health.steps import set_due, state_cost
from annotation.kernel.access import ADMIN, RESEARCH, batch_for
from annotation.kernel.files import csv_file
from annotation.kernel.forms import errors_in
from annotation.kernel.listing import render_listing
from annotation.kernel.request import Request
from annotation.models import Batch


@login_required
@require_GET
def batch_health(request: Request, slug: str, token: str) -> HttpResponseBase:
    """A page that asks again sends the mark of what it shows: 204 where nothing has changed since."""
    batch = batch_for(request.user, slug, token, RESEARCH)
    if batch.state == Batch.State.DRAFT:
        return redirect("batch", slug=slug, token=token)
    live, mark = batch.state in Batch.RUNNING, mark_of(batch)
    if live and request.headers.get("HX-Request") == "true" and request.GET.get("mark") == mark:
        return HttpResponse(status=204)
    cached = cached_report(batch, mark)
    report = cached.report
    return render_listing(
        request,
        "annotation/health/batch_health.html",
        topic_listing(batch),
        report.topics,
        others={"people": (person_listing(batch, report), report.people)},
        part="annotation/health/batch_health_live.html",
        live=live,
        collection=batch.collection,
        section="batches",
        batch=batch,
        mark=cached.mark,
        report=report,
        machines=machines_in(batch),
        cost=cost_of(batch, report.progress),
        alerts=shown_alerts(batch, report.alerts),
        due=due_standing(batch, report),
        plan=plan_of(batch, report),
        cost_form=CostForm(initial={"cost_per_judgment": batch.cost_per_judgment}),
        due_form=None if batch.state == Batch.State.CLOSED else DueForm(initial={"due": batch.due}),
    )


@login_required
@require_GET
def batch_health_csv(request: Request, slug: str, token: str, table: str) -> HttpResponse:
    batch = batch_for(request.user, slug, token, RESEARCH)
    if table not in TABLES or batch.state == Batch.State.DRAFT:
        raise Http404("There is no such table.")
    report = cached_report(batch, mark_of(batch)).report
    lines = TABLES[table].csv(Shown(report, shown_alerts(batch, report.alerts)))
    name = slugify(batch.name) or "batch"
    return csv_file(f"{name}-{table}", lines)


@login_required
@require_POST
def batch_cost(request: Request, slug: str, token: str) -> HttpResponse:
    batch = batch_for(request.user, slug, token, ADMIN)
    form = CostForm(request.POST)
    if form.is_valid():
        state_cost(batch, cost=form.cleaned_data["cost_per_judgment"], actor=request.user)
    return _back(request, batch, form, wrong="A cost is a number from 0 on, with four decimals at most; or nothing.")


@login_required
@require_POST
def batch_due(request: Request, slug: str, token: str) -> HttpResponse:
    batch = batch_for(request.user, slug, token, ADMIN)
    form = DueForm(request.POST)
    if form.is_valid():
        with errors_in(form, BatchError):
            set_due(batch, due=form.cleaned_data["due"], actor=request.user)
    return _back(request, batch, form, wrong="A due date is a day as 2026-12-24, or nothing.")


def _back(request: Request, batch: Batch, form: forms.Form, *, wrong: str) -> HttpResponse:
    """To the page, which says that it is saved, or what is wrong."""
    if form.is_valid():
        messages.success(request, "Saved.")
    else:
        messages.error(request, str(next(iter(form.non_field_errors()), wrong)))
    return redirect("batch_health", slug=batch.collection.slug, token=batch.token)
