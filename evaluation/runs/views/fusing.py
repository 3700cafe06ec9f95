"""A new run made of several."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from annotation.kernel.access import RESEARCH, collection_for
from annotation.kernel.page import render_page
from annotation.kernel.request import Request
from evaluation.runs.forms import FusionForm
from evaluation.runs.steps.fusing import ask_fusion


@login_required
@require_http_methods(["GET", "POST"])
def runs_fuse(request: Request, slug: str) -> HttpResponse:
    """Which runs, how, and under which tag; the job's page leads to the run."""
    collection = collection_for(request.user, slug, RESEARCH)
    form = FusionForm(request.POST or None, collection=collection)
    if request.method == "POST" and form.is_valid():
        job = ask_fusion(collection, **form.arguments(), created_by=request.user)
        messages.success(request, f"The run {form.cleaned_data['tag']} is being made.")
        return redirect("job", token=job.token)
    return render_page(
        request,
        "evaluation/runs/runs_fuse.html",
        collection=collection,
        section="runs",
        form=form,
        status=422 if form.errors else 200,
    )
