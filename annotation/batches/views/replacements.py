"""Judgments that are missing since somebody was excluded, what replacing them takes, and what was added so far."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_POST

from annotation.batches.forms.batches import ReplaceForm
from annotation.batches.pages.tables import ADDED, MISSING
from annotation.batches.read.replacements import additions, missing_judgments
from annotation.batches.steps.layout import AddingError
from annotation.batches.steps.replacements import replace_lost, withdraw_spare
from annotation.batches.views.errors import shown_as_message
from annotation.kernel.access import RESEARCH, batch_for, collection_for
from annotation.kernel.files import csv_stream
from annotation.kernel.page import render_page
from annotation.kernel.request import Request
from annotation.text.counted import counted


@login_required
@require_GET
def quality_replacements(request: Request, slug: str) -> HttpResponse:
    collection = collection_for(request.user, slug, RESEARCH)
    return render_page(
        request,
        "annotation/batches/quality_replacements.html",
        collection=collection,
        section="quality",
        missing=missing_judgments(collection),
        additions=additions(collection),
    )


@login_required
@require_POST
def batch_replace(request: Request, slug: str, token: str) -> HttpResponse:
    """Add the slots that were proposed, if the proposal still holds."""
    batch = batch_for(request.user, slug, token)
    form = ReplaceForm(request.POST)
    if form.is_valid():
        with shown_as_message(request, AddingError):
            added = replace_lost(batch, n=form.cleaned_data["n"], actor=request.user)
            messages.success(
                request, f"{batch.name}: {counted(added.n_slots, 'slot')} added to {counted(added.n_items, 'pair')}."
            )
    else:
        messages.error(request, "Nothing was added: say how many.")
    return redirect("quality_replacements", slug=slug)


@login_required
@require_POST
def batch_withdraw(request: Request, slug: str, token: str) -> HttpResponse:
    """Take back the added slots that nobody holds and no pair needs any more."""
    batch = batch_for(request.user, slug, token)
    with shown_as_message(request, AddingError):
        withdrawn = withdraw_spare(batch, actor=request.user)
        messages.success(
            request,
            f"{batch.name}: {counted(withdrawn.n_slots, 'slot')} withdrawn from {counted(withdrawn.n_items, 'pair')}.",
        )
    return redirect("quality_replacements", slug=slug)


@login_required
@require_GET
def missing_csv(request: Request, slug: str) -> StreamingHttpResponse:
    collection = collection_for(request.user, slug, RESEARCH)
    return csv_stream(f"{slug}-missing", MISSING.lines(collection))


@login_required
@require_GET
def added_csv(request: Request, slug: str) -> StreamingHttpResponse:
    collection = collection_for(request.user, slug, RESEARCH)
    return csv_stream(f"{slug}-added", ADDED.lines(collection))
