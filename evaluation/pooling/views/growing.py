"""Pools that grow: a new one, its portions and what the next one would be, and the sample that it is."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils.text import slugify
from django.views.decorators.http import require_GET, require_http_methods

from annotation.corpus.read.texts import topics_with_text
from annotation.formats.problems import FormatError
from annotation.kernel.access import RESEARCH, collection_for, pool_for
from annotation.kernel.files import text_file
from annotation.kernel.page import render_page
from annotation.kernel.request import Request
from annotation.models import Pool, Snapshot
from evaluation.engine.packed import PackedError
from evaluation.formats.prels import stratified_text
from evaluation.pooling.forms import GrowingForm
from evaluation.pooling.read import GrowingError, next_portion, progress_of, sample_rows
from evaluation.pooling.steps.growing import grow, start_growing

SHOWN, SHOWN_PROBLEMS = 50, 20


@login_required
@require_http_methods(["GET", "POST"])
def pooling_new(request: Request, slug: str) -> HttpResponse:
    """What is posted makes the first portion and leads to it."""
    collection = collection_for(request.user, slug, RESEARCH)
    numbers = list(topics_with_text(collection).values_list("number", flat=True))
    form = GrowingForm(request.POST or None, collection=collection, numbers=numbers)
    problems: FormatError | None = None
    if form.is_valid():
        try:
            pool = start_growing(collection, form.growth(), created_by=request.user)
            return redirect("pooling_portion", slug=slug, pk=pool.pk)
        except FormatError as error:
            problems = error
        except (GrowingError, PackedError, ValueError) as reason:
            form.add_error(None, str(reason))
    return render_page(
        request,
        "evaluation/pooling/pooling_new.html",
        collection=collection,
        section="pools",
        form=form,
        problems=problems.problems[:SHOWN_PROBLEMS] if problems else [],
        n_problems=problems.total if problems else 0,
        status=422 if problems or form.errors else 200,
    )


@login_required
@require_http_methods(["GET", "POST"])
def pooling_portion(request: Request, slug: str, pk: int) -> HttpResponse:
    """The portions of a growing pool and the next pairs; what is posted makes these the next portion."""
    pool = pool_for(request.user, slug, pk)
    try:
        if request.method == "POST":
            portion = grow(pool, created_by=request.user)
            return redirect("pooling_portion", slug=slug, pk=portion.pk)
        progress = progress_of(pool)
        proposed = next_portion(pool.collection, progress)
    except GrowingError as reason:
        if request.method == "GET":
            raise Http404(str(reason)) from reason
        messages.error(request, str(reason))
        return redirect("pooling_portion", slug=slug, pk=pk)
    except (FormatError, PackedError, ValueError) as reason:
        raise Http404(f"The next pairs cannot be chosen: {reason}") from reason
    return render_page(
        request,
        "evaluation/pooling/pooling_portion.html",
        collection=pool.collection,
        section="pools",
        pool=pool,
        progress=progress,
        growth=progress.growth,
        portions=_portions(progress.portions),
        proposed=proposed[:SHOWN],
        n_proposed=len(proposed),
        snapshots=Snapshot.objects.filter(collection=pool.collection).order_by("-id")[:20],
    )


@login_required
@require_GET
def pooling_sample(request: Request, slug: str, pk: int) -> HttpResponse:
    """The pool as a stratified sample, for `evaluate --judgments stratified`; the newest snapshot if none is named."""
    pool = pool_for(request.user, slug, pk)
    snapshots = Snapshot.objects.filter(collection=pool.collection).order_by("-id")
    asked = request.GET.get("snapshot")
    snapshot = (snapshots if asked is None else snapshots.filter(name=asked)).first()
    if snapshot is None:
        raise Http404("No such snapshot.")
    try:
        rows, missing = sample_rows(pool, snapshot)
    except (GrowingError, PackedError, ValueError) as reason:
        messages.error(request, str(reason))
        return redirect("pooling_portion", slug=slug, pk=pk)
    return text_file(slugify(f"{slug}-{pool.origin['series']}"), "prels", stratified_text(rows, missing=missing))


def _portions(pools: list[Pool]) -> list[tuple[Pool, int]]:
    """With how many pairs were judged when each was chosen."""
    return [(pool, int(pool.origin.get("n_judged", 0))) for pool in pools]
