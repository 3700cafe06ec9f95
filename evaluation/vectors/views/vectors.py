"""Sets of vectors: the list, one of them, searching. They are brought in on the page of imports."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation.kernel.access import ADMIN, RESEARCH, collection_for
from annotation.kernel.page import render_page
from annotation.kernel.request import Request
from annotation.models import Collection
from evaluation.models import VectorSet
from evaluation.vectors.forms import VectorSearchForm
from evaluation.vectors.read import (
    other_side,
    runs_from,
    searchable_models,
    vectors_named,
    vectors_of,
    why_vectors_stay,
)
from evaluation.vectors.steps.deletion import VectorsUsedError, delete_vectors
from evaluation.vectors.steps.searching import ask_search


def set_of(collection: Collection, side: str, model: str) -> VectorSet:
    vectors = vectors_named(collection, side, model)
    if vectors is None:
        raise Http404("No such vectors.")
    return vectors


@login_required
@require_GET
def vectors(request: Request, slug: str) -> HttpResponse:
    collection = collection_for(request.user, slug, RESEARCH)
    page = Paginator(vectors_of(collection), 100).get_page(request.GET.get("page"))
    return render_page(
        request,
        "evaluation/vectors/vectors.html",
        collection=collection,
        page_obj=page,
        searchable=searchable_models(collection),
    )


@login_required
@require_GET
def vectors_set(request: Request, slug: str, side: str, model: str) -> HttpResponse:
    collection = collection_for(request.user, slug, RESEARCH)
    chosen = set_of(collection, side, model)
    return render_page(
        request,
        "evaluation/vectors/vectors_set.html",
        collection=collection,
        section="vectors",
        vectors=chosen,
        other=other_side(chosen),
        runs=runs_from(chosen),
        stays=why_vectors_stay(chosen),
    )


@login_required
@require_POST
def vectors_delete(request: Request, slug: str, side: str, model: str) -> HttpResponse:
    chosen = set_of(collection_for(request.user, slug, ADMIN), side, model)
    try:
        delete_vectors(chosen, actor=request.user)
    except VectorsUsedError as error:
        messages.error(request, str(error))
        return redirect("vectors_set", slug=slug, side=side, model=model)
    messages.success(request, f"The vectors of {model} for the {side} are deleted.")
    return redirect("vectors", slug=slug)


@login_required
@require_http_methods(["GET", "POST"])
def vectors_search(request: Request, slug: str) -> HttpResponse:
    """Which model, by which similarity, how deep; the job's page leads to the run."""
    collection = collection_for(request.user, slug, RESEARCH)
    initial = {"model": request.GET.get("model", ""), "tag": request.GET.get("model", "")}
    form = VectorSearchForm(request.POST or None, collection=collection, initial=initial)
    if request.method == "POST" and form.is_valid():
        job = ask_search(collection, **form.cleaned_data, created_by=request.user)
        messages.success(request, f"The run {form.cleaned_data['tag']} is being searched.")
        return redirect("job", token=job.token)
    return render_page(
        request,
        "evaluation/vectors/vectors_search.html",
        collection=collection,
        section="vectors",
        form=form,
        status=422 if form.errors else 200,
    )
