"""How a batch does: the page, its moving part, its tables as files, what a judgment of it costs."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils.text import slugify
from django.views.decorators.http import require_GET, require_POST

from annotation.batches.read.batches import machines_in
from annotation.health.forms import CostForm
from annotation.health.pages.cached import cached_report, mark_of
from annotation.health.pages.tables import TABLES, Shown
from annotation.health.read.alerts import shown_alerts
from annotation.health.read.progress import WORKING, cost_of
from annotation.health.steps import state_cost
from annotation.kernel.access import ADMIN, RESEARCH, batch_for
from annotation.kernel.files import csv_file
from annotation.kernel.page import render_polled
from annotation.kernel.request import Request
from annotation.models import Batch

SHOWN_PEOPLE = SHOWN_TOPICS = 100


@login_required
@require_GET
def batch_health(request: Request, slug: str, token: str) -> HttpResponse:
    """A page that asks again sends the mark of what it shows: 204 where nothing has changed since."""
    batch = batch_for(request.user, slug, token, RESEARCH)
    if batch.state == Batch.State.DRAFT:
        return redirect("batch", slug=slug, token=token)
    live, mark = batch.state in WORKING, mark_of(batch)
    if live and request.headers.get("HX-Request") == "true" and request.GET.get("mark") == mark:
        return HttpResponse(status=204)
    cached = cached_report(batch, mark)
    return render_polled(
        request,
        "annotation/health/batch_health.html",
        part="annotation/health/batch_health_live.html",
        live=live,
        collection=batch.collection,
        section="batches",
        batch=batch,
        mark=cached.mark,
        report=cached.report,
        machines=machines_in(batch),
        cost=cost_of(batch, cached.report.progress),
        alerts=shown_alerts(batch, cached.report.alerts),
        people=cached.report.people[:SHOWN_PEOPLE],
        page_obj=Paginator(cached.report.topics, SHOWN_TOPICS).get_page(request.GET.get("page")),
        cost_form=CostForm(initial={"cost_per_judgment": batch.cost_per_judgment}),
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
        messages.success(request, "Saved.")
    else:
        messages.error(request, "A cost is a number from 0 on, with four decimals at most; or nothing.")
    return redirect("batch_health", slug=slug, token=token)
