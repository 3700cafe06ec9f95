"""Closing a batch, and freezing what it has in the same deed."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from annotation.batches.forms.closing import CloseForm
from annotation.batches.read.batches import batch_judged, judgments_left
from annotation.batches.steps.batches import BatchError, close_batch
from annotation.kernel.access import ADMIN, batch_for
from annotation.kernel.forms import errors_in
from annotation.kernel.page import render_page
from annotation.kernel.request import Request
from annotation.models import Batch
from annotation.trust.pages.choice import ChoiceOfBatches, choice_in
from annotation.trust.pages.report import quality_report
from annotation.trust.read.policies import default_policy
from annotation.trust.steps.snapshots import FreezeError, start_freezing


@login_required
@require_http_methods(["GET", "POST"])
def batch_close(request: Request, slug: str, token: str) -> HttpResponse:
    """GET says what a snapshot of the batch would keep now. POST closes the batch and asks for the freezing, both or
    neither; where nothing would be kept, neither."""
    batch = batch_for(request.user, slug, token, ADMIN)
    if batch.state not in Batch.TO_JUDGE:
        return redirect("batch", slug=slug, token=token)
    choice = _choice_of(batch)
    report = quality_report(batch.collection, [batch], choice.parameters()) if batch_judged(batch) else None
    form = CloseForm(request.POST if request.method == "POST" else None, batch=batch)
    if report and report.outcome.n_kept and form.is_valid():
        with errors_in(form, BatchError, FreezeError), transaction.atomic():
            job = start_freezing(
                batch.collection,
                name=form.cleaned_data["name"],
                batches=[batch],
                policy=choice.chosen_policy(),
                created_by=request.user,
            )
            close_batch(batch, actor=request.user)
            messages.success(request, f"{batch.name} is closed.")
            return redirect("job", token=job.token)
    return render_page(
        request,
        "annotation/batches/batch_close.html",
        collection=batch.collection,
        section="batches",
        batch=batch,
        n_missing=judgments_left(batch),
        choice=choice,
        policy=choice.chosen_policy(),
        report=report,
        form=form,
        status=422 if form.is_bound else 200,
    )


def _choice_of(batch: Batch) -> ChoiceOfBatches:
    """The batch alone, under the default policy."""
    query = QueryDict(mutable=True)
    query.update({"batch": batch.token, "policy": str(default_policy(batch.collection))})
    choice = choice_in(query, batch.collection)
    assert choice.is_valid()
    return choice
