"""Batches: the list, the dry run of one, laying it out, and the steps of its life."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, HttpResponseBadRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_POST

from annotation.batches.forms.batches import BatchStepForm
from annotation.batches.pages.batch_list import batch_list
from annotation.batches.pages.counting import Counting, other_warnings
from annotation.batches.pages.overlap import overlap_after
from annotation.batches.read.batches import counted_batches
from annotation.batches.steps import batches as flow
from annotation.batches.steps.deletion import REQUEST, delete_batch
from annotation.batches.steps.layout import (
    LayoutError,
    layout_jobs,
    pairs_to_plan,
    rehearsal_jobs,
    rehearsed,
    start_layout,
    start_rehearsal,
)
from annotation.batches.views.errors import shown_as_message
from annotation.kernel.access import ADMIN, RESEARCH, batch_for, collection_for, roles_in
from annotation.kernel.listing import render_listing
from annotation.kernel.page import render_page
from annotation.kernel.request import Request
from annotation.models import Batch
from annotation.text.counted import counted

STEPS = {
    "open": flow.open_batch,
    "pause": flow.pause_batch,
    "reopen": flow.reopen_batch,
    "close": flow.close_batch,
}


@login_required
@require_GET
def batches(request: Request, slug: str) -> HttpResponseBase:
    collection = collection_for(request.user, slug, RESEARCH)
    return render_listing(
        request,
        "annotation/batches/batches.html",
        batch_list(collection, may_choose=bool(roles_in(request.user, collection) & ADMIN)),
        counted_batches(collection),
        collection=collection,
    )


@login_required
@require_GET
def batch_dry_run(request: Request, slug: str, token: str) -> HttpResponse:
    batch = batch_for(request.user, slug, token, ADMIN)
    if batch.state != Batch.State.DRAFT:
        return redirect("batch", slug=slug, token=token)
    result = rehearsed(batch)
    if result is None:
        return _large_dry_run(request, batch)
    return render_page(
        request,
        "annotation/batches/batch_dry_run.html",
        collection=batch.collection,
        section="batches",
        batch=batch,
        result=result,
        counting=Counting.of(batch, result),
        warnings=other_warnings(result),
        overlap=overlap_after(batch, result),
        jobs=layout_jobs(batch),
    )


def _large_dry_run(request: Request, batch: Batch) -> HttpResponse:
    return render_page(
        request,
        "annotation/batches/batch_dry_run_large.html",
        collection=batch.collection,
        section="batches",
        batch=batch,
        pairs=counted(pairs_to_plan(batch), "pair"),
        jobs=rehearsal_jobs(batch),
        layout=layout_jobs(batch),
    )


@login_required
@require_POST
def batch_plan(request: Request, slug: str, token: str) -> HttpResponse:
    """The dry run of a draft, in a job."""
    batch = batch_for(request.user, slug, token, ADMIN)
    with shown_as_message(request, LayoutError):
        return redirect("job", token=start_rehearsal(batch, created_by=request.user).token)
    return redirect("batch_dry_run", slug=slug, token=token)


@login_required
@require_POST
def batch_lay_out(request: Request, slug: str, token: str) -> HttpResponse:
    batch = batch_for(request.user, slug, token, ADMIN)
    with shown_as_message(request, LayoutError):
        job = start_layout(batch, created_by=request.user)
        return redirect("job", token=job.token)
    return redirect("batch_dry_run", slug=slug, token=token)


@login_required
@require_POST
def batch_step(request: Request, slug: str, token: str) -> HttpResponse:
    """Open, pause, reopen or close."""
    batch = batch_for(request.user, slug, token, ADMIN)
    form = BatchStepForm(request.POST)
    if not form.is_valid():
        return HttpResponseBadRequest("There is no such step.", content_type="text/plain; charset=utf-8")
    with shown_as_message(request, flow.BatchError):
        STEPS[form.cleaned_data["step"]](batch, actor=request.user)
        messages.success(request, f"The batch is {batch.get_state_display().lower()}.")
    return redirect("batch", slug=slug, token=token)


@login_required
@require_POST
def batch_delete(request: Request, slug: str, token: str) -> HttpResponse:
    batch = batch_for(request.user, slug, token, ADMIN)
    with shown_as_message(request, flow.BatchError):
        delete_batch(batch, actor=request.user, within=REQUEST)
        messages.success(request, f"The batch {batch.name} is deleted.")
        return redirect("batches", slug=slug)
    return redirect("batch", slug=slug, token=token)
