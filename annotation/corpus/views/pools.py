"""Pools: the list, one pool, a pool from a file. Pools from runs have their page in evaluation."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation.corpus.forms.pools import PoolFileForm
from annotation.corpus.pages.pool_list import pool_list
from annotation.corpus.read.pools import batches_of, pool_topics, pools_of
from annotation.corpus.steps.pooling import PoolError, create_pool_from_file, delete_pool
from annotation.formats.problems import FormatError
from annotation.kernel.access import ADMIN, RESEARCH, collection_for, pool_for
from annotation.kernel.forms import POOL_NAME_TAKEN
from annotation.kernel.listing import render_listing
from annotation.kernel.page import render_page
from annotation.kernel.request import Request
from annotation.kernel.taken import TakenError

SHOWN_PROBLEMS = 20
SHOWN_TOPICS = 500


@login_required
@require_GET
def pools(request: Request, slug: str) -> HttpResponseBase:
    collection = collection_for(request.user, slug, RESEARCH)
    rows = pools_of(collection)
    return render_listing(request, "annotation/corpus/pools.html", pool_list(collection), rows, collection=collection)


@login_required
@require_GET
def pool(request: Request, slug: str, pk: int) -> HttpResponse:
    pool = pool_for(request.user, slug, pk)
    page = Paginator(pool_topics(pool), SHOWN_TOPICS).get_page(request.GET.get("page"))
    return render_page(
        request,
        "annotation/corpus/pool.html",
        collection=pool.collection,
        section="pools",
        pool=pool,
        page_obj=page,
        batches=batches_of(pool),
    )


@login_required
@require_http_methods(["GET", "POST"])
def pool_file(request: Request, slug: str) -> HttpResponse:
    collection = collection_for(request.user, slug, RESEARCH)
    form = PoolFileForm(request.POST or None, request.FILES or None, collection=collection)
    error: FormatError | None = None
    if request.method == "POST" and form.is_valid():
        file, name = form.cleaned_data["file"], form.cleaned_data["name"]
        try:
            pool = create_pool_from_file(
                collection,
                name=name,
                stream=file.file,
                filename=file.name,
                created_by=request.user,
                skip_unknown=form.cleaned_data["unknown"] == "skip",
            )
        except FormatError as fault:
            error = fault
        except TakenError:
            form.add_error("name", POOL_NAME_TAKEN)
        else:
            return redirect("pool", slug=slug, pk=pool.pk)
    return render_page(
        request,
        "annotation/corpus/pool_file.html",
        collection=collection,
        section="pools",
        form=form,
        problems=error.problems[:SHOWN_PROBLEMS] if error else [],
        n_problems=error.total if error else 0,
        status=422 if error or form.errors else 200,
    )


@login_required
@require_POST
def pool_delete(request: Request, slug: str, pk: int) -> HttpResponse:
    pool = pool_for(request.user, slug, pk, ADMIN)
    try:
        delete_pool(pool, actor=request.user)
    except PoolError as error:
        messages.error(request, str(error))
        return redirect("pool", slug=slug, pk=pk)
    messages.success(request, f"The pool {pool.name} is deleted.")
    return redirect("pools", slug=slug)
