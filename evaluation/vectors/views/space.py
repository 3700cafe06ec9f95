"""The space that vectors lie in: the verdict, the figures, what they look like."""

from collections.abc import Callable
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from annotation.kernel.access import RESEARCH, collection_for
from annotation.kernel.jobs.latest import latest_jobs
from annotation.kernel.page import render_jobs, render_page
from annotation.kernel.request import Request
from evaluation.models import SpaceDescription, VectorSet
from evaluation.vectors.forms import ColourForm, SpaceForm
from evaluation.vectors.pages.drawings import (
    cosine_plot,
    group_lines,
    map_plot,
    plane_words,
    spectrum_plot,
    spectrum_words,
)
from evaluation.vectors.pages.findings import figure_lines, findings_of, resemblance_words, verdict
from evaluation.vectors.read import DOCUMENTS, grades_of, newest_description, space_jobs, titles_of
from evaluation.vectors.steps.describing import DESCRIBE, ask_description
from evaluation.vectors.views.vectors import set_of


@login_required
@require_http_methods(["GET", "POST"])
def vectors_space(request: Request, slug: str, side: str, model: str) -> HttpResponse:
    """While a job computes, the page polls; it reloads once the job has ended."""
    vectors = set_of(collection_for(request.user, slug, RESEARCH), side, model)
    form = SpaceForm(request.POST or None, vectors=vectors)
    if request.method == "POST" and form.is_valid():
        ask_description(vectors, **form.cleaned_data, created_by=request.user)
        return redirect("vectors_space", slug=slug, side=side, model=model)
    jobs = latest_jobs(space_jobs(vectors, DESCRIBE))
    if request.htmx:
        return render_jobs(request, collection=vectors.collection, jobs=jobs)
    stored = newest_description(vectors)
    return render_page(
        request,
        "evaluation/vectors/vectors_space.html",
        collection=vectors.collection,
        section="vectors",
        vectors=vectors,
        form=form,
        jobs=jobs,
        stored=stored,
        **(_description_context(request, vectors, stored) if stored else {}),
        status=422 if form.errors else 200,
    )


def _page_of_text(vectors: VectorSet) -> Callable[[str], str]:
    name = "document" if vectors.side == DOCUMENTS else "topic"
    return lambda of: reverse(name, args=[vectors.collection.slug, of])


def _description_context(request: Request, vectors: VectorSet, stored: SpaceDescription) -> dict[str, Any]:
    drawing, findings = stored.drawing, findings_of(stored.figures)
    against = stored.rests_on.get("against")
    titles = titles_of(vectors, drawing["ids"])
    asked = request.GET if {"snapshot", "topic"} & {*request.GET} else None
    colour = ColourForm(asked, collection=vectors.collection) if vectors.side == DOCUMENTS else None
    is_umap = request.GET.get("map") == "umap" and "umap" in drawing
    grades = grades_of(**colour.cleaned_data) if colour and colour.is_valid() else None
    return {
        "verdict": verdict(stored.figures),
        "findings": findings,
        "resemblance": resemblance_words(stored.figures, against["model"]) if against else "",
        "figures": figure_lines(stored.figures),
        "spectrum": spectrum_plot(drawing),
        "spectrum_words": spectrum_words(drawing),
        "cosines": cosine_plot(drawing),
        "plane_words": plane_words(drawing),
        "map": map_plot(drawing, titles, grades, _page_of_text(vectors), layout="umap" if is_umap else "place"),
        "is_umap": is_umap,
        "groups": group_lines(drawing, titles) if grades is None else [],
        "colour": colour,
        "n_judged": len(grades or ()),
    }
