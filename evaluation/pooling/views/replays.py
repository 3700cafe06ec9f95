"""Replays of ways to choose judgments: those there are and asking for another, one with its plots, and its files."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.text import slugify
from django.views.decorators.http import require_GET, require_http_methods

from annotation.kernel.access import RESEARCH, collection_for
from annotation.kernel.files import text_file
from annotation.kernel.forms import errors_in
from annotation.kernel.jobs.latest import jobs_of_kind, latest_jobs
from annotation.kernel.page import render_jobs, render_page
from annotation.kernel.request import Request
from annotation.models import Snapshot
from evaluation.formats.pooling_replay import FILES
from evaluation.models import PoolingReplay
from evaluation.pooling.forms import ReplayForm
from evaluation.pooling.pages.replays import replay_command, replay_parts, replay_words
from evaluation.pooling.read import replays_of
from evaluation.pooling.steps.replaying import REPLAY, ask_replay

MOST_LISTED = 20


@login_required
@require_http_methods(["GET", "POST"])
def pooling_replays(request: Request, slug: str) -> HttpResponse:
    """While a job works, the page polls."""
    collection = collection_for(request.user, slug, RESEARCH)
    jobs = latest_jobs(jobs_of_kind(collection, REPLAY))
    if request.htmx:
        return render_jobs(request, collection=collection, jobs=jobs)
    form = ReplayForm(request.POST or None, collection=collection)
    if request.method == "POST" and form.is_valid():
        with errors_in(form, ValueError):
            ask_replay(*form.arguments(), created_by=request.user)
            return redirect("pooling_replays", slug=slug)
    return render_page(
        request,
        "evaluation/pooling/pooling_replays.html",
        collection=collection,
        section="pools",
        form=form,
        jobs=jobs,
        stored=replays_of(collection)[:MOST_LISTED],
        has_snapshots=Snapshot.objects.filter(collection=collection).exists(),
        status=422 if form.errors else 200,
    )


@login_required
@require_GET
def pooling_replay(request: Request, slug: str, pk: int) -> HttpResponse:
    """One replay, as it was made: in words, drawn, and in a table."""
    collection = collection_for(request.user, slug, RESEARCH)
    stored: PoolingReplay = get_object_or_404(replays_of(collection), pk=pk)
    return render_page(
        request,
        "evaluation/pooling/pooling_replay.html",
        collection=collection,
        section="pools",
        stored=stored,
        replayed=stored.result,
        parts=replay_parts(stored.result),
        said=replay_words(stored.result),
        command=replay_command(stored.result),
    )


@login_required
@require_GET
def pooling_replay_file(request: Request, slug: str, pk: int) -> HttpResponse:
    """`?form=`: `csv` or `json`, the command's."""
    collection = collection_for(request.user, slug, RESEARCH)
    stored: PoolingReplay = get_object_or_404(replays_of(collection), pk=pk)
    form = request.GET.get("form", "csv")
    if form not in FILES:
        raise Http404("No such form.")
    return text_file(slugify(f"{slug}-{stored.snapshot.name}-replay"), form, FILES[form](stored.result))
