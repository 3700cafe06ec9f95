"""Policies side by side on the same judgments, by what each does to the ranking of runs."""

from functools import partial

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_GET, require_http_methods

from annotation.kernel.access import RESEARCH, collection_for
from annotation.kernel.jobs.latest import jobs_of_kind, latest_jobs
from annotation.kernel.page import render_jobs, render_page
from annotation.kernel.request import Request
from annotation.trust.read.policies import policies_of
from annotation.trust.read.withheld import judged_batches
from evaluation.accounting.forms import PoliciesForm
from evaluation.accounting.pages import measure_views, overall, run_links, shown_measure
from evaluation.accounting.read import accounted_in, accountings_of, compared_policies, runs_since
from evaluation.accounting.steps.requests import POLICIES, ask_policies
from evaluation.accounting.views.accounting import try_asking
from evaluation.models import Accounting

MOST_LISTED = 20


@login_required
@require_http_methods(["GET", "POST"])
def accounting_policies(request: Request, slug: str) -> HttpResponse:
    """Chooses what to compare and lists what was compared; while a job computes, the page polls."""
    collection = collection_for(request.user, slug, RESEARCH)
    jobs = latest_jobs(jobs_of_kind(collection, POLICIES))
    if request.htmx:
        return render_jobs(request, collection=collection, jobs=jobs)
    form = PoliciesForm(
        request.POST or None,
        collection=collection,
        batches=judged_batches(collection),
        policies=policies_of(collection),
    )
    ask = partial(ask_policies, collection, created_by=request.user)
    if request.method == "POST" and form.is_valid() and try_asking(form, ask):
        return redirect("accounting_policies", slug=slug)
    return render_page(
        request,
        "evaluation/accounting/accounting_policies.html",
        collection=collection,
        section="policies",
        form=form,
        jobs=jobs,
        stored=accountings_of(collection).filter(snapshot=None)[:MOST_LISTED],
        status=422 if form.errors else 200,
    )


@login_required
@require_GET
def accounting_compared(request: Request, slug: str, pk: int) -> HttpResponse:
    """One comparison, as it was computed."""
    collection = collection_for(request.user, slug, RESEARCH)
    stored: Accounting = get_object_or_404(accountings_of(collection).filter(snapshot=None), pk=pk)
    result = accounted_in(stored)
    views = measure_views(result, against_first=False)
    return render_page(
        request,
        "evaluation/accounting/accounting_compared.html",
        collection=collection,
        section="policies",
        stored=stored,
        result=result,
        policies=compared_policies(stored, result),
        views=views,
        **shown_measure(views, request.GET.get("measure", ""), run_links(collection)),
        overall=overall(views),
        since=runs_since(collection, result),
    )
