"""Models beside a reference model: what was compared, asking for more, one comparison, its files."""

import json
from typing import Any

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
from evaluation.engine.reference.similarities import NAMES
from evaluation.formats.reference import FAMILIES, as_csv
from evaluation.models import ModelComparison
from evaluation.vectors.forms import ModelComparisonForm
from evaluation.vectors.pages.reference_model import (
    conclusion,
    panels,
    rank_lines,
    similarity_lines,
    test_lines,
)
from evaluation.vectors.read import comparisons_of, models_in
from evaluation.vectors.steps.comparing import COMPARE, ask_comparison

MOST_LISTED = 20


@login_required
@require_http_methods(["GET", "POST"])
def vectors_compare(request: Request, slug: str) -> HttpResponse:
    """Asks for a comparison and lists those there are; while a job works, the page polls."""
    collection = collection_for(request.user, slug, RESEARCH)
    jobs = latest_jobs(jobs_of_kind(collection, COMPARE))
    if request.htmx:
        return render_jobs(request, collection=collection, jobs=jobs)
    form = ModelComparisonForm(request.POST or None, collection=collection)
    if request.method == "POST" and form.is_valid():
        with errors_in(form, ValueError):
            ask_comparison(collection, **form.cleaned_data, created_by=request.user)
            return redirect("vectors_compare", slug=slug)
    return render_page(
        request,
        "evaluation/vectors/vectors_compare.html",
        collection=collection,
        section="vectors",
        form=form,
        jobs=jobs,
        has_models=len(models_in(collection)) > 1,
        stored=[(each, conclusion(each.facts)[0]) for each in comparisons_of(collection)[:MOST_LISTED]],
        status=422 if form.errors else 200,
    )


@login_required
@require_GET
def vectors_comparison(request: Request, slug: str, pk: int) -> HttpResponse:
    """One comparison, as it was made."""
    stored, facts = _stored(request, slug, pk)
    return render_page(
        request,
        "evaluation/vectors/vectors_comparison.html",
        collection=stored.collection,
        section="vectors",
        stored=stored,
        facts=facts,
        conclusion=conclusion(facts),
        panels=panels(facts),
        families=FAMILIES,
        names=NAMES,
        rank_lines=rank_lines(facts),
        similarity_lines=similarity_lines(facts),
        test_lines=test_lines(facts),
    )


@login_required
@require_GET
def vectors_comparison_file(request: Request, slug: str, pk: int) -> HttpResponse:
    """`?form=csv` of the `model`, as `compare_embeddings --out` writes it, or `json` with all of it."""
    stored, facts = _stored(request, slug, pk)
    form, name = request.GET.get("form", "json"), request.GET.get("model", "")
    if form == "json":
        return text_file(slugify(f"{slug}-beside-{stored.reference}"), "json", json.dumps(facts, indent=2) + "\n")
    model = next((one for one in facts["models"] if one["model"] == name), None)
    if form != "csv" or model is None:
        raise Http404("No such file.")
    return text_file(slugify(f"{name}-beside-{stored.reference}"), "csv", as_csv(model))


def _stored(request: Request, slug: str, pk: int) -> tuple[ModelComparison, dict[str, Any]]:
    stored: ModelComparison = get_object_or_404(comparisons_of(collection_for(request.user, slug, RESEARCH)), pk=pk)
    return stored, stored.facts
