"""Drafting a batch and changing a draft: the form, its presets, and the figures beside it."""

import secrets
from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from annotation.batches.forms.batches import NAME_TAKEN, BatchForm
from annotation.batches.forms.drafts import draft_entries, draft_form, entries_of
from annotation.batches.forms.groups import groups_of
from annotation.batches.forms.presets import PRESETS
from annotation.batches.forms.refilling import is_refill, preset_of, refilled
from annotation.batches.pages.estimate import Estimate, estimate_of
from annotation.batches.read.last_round import last_round
from annotation.batches.steps import batches as flow
from annotation.kernel.access import ADMIN, batch_for, collection_for
from annotation.kernel.page import render_page
from annotation.kernel.request import Request
from annotation.kernel.taken import TakenError
from annotation.kernel.visible import visible_pools
from annotation.models import Batch, Collection


@login_required
@require_http_methods(["GET", "POST"])
def batch_new(request: Request, slug: str) -> HttpResponse:
    """`?preset=` begins with one, `?pool=` with a pool by its name; the only pool is chosen already."""
    collection = collection_for(request.user, slug, ADMIN)
    here = visible_pools(collection)
    pools = list((here.filter(name=request.GET["pool"]) if "pool" in request.GET else here)[:2])
    name = f"Round {Batch.objects.filter(collection=collection).count() + 1}"
    initial: dict[str, object] = {"name": name, "seed": secrets.randbelow(2**31), **preset_of(request.GET)}
    initial |= {"pool": pools[0].pk} if len(pools) == 1 else {}
    return _form_page(
        request,
        collection,
        initial,
        store=lambda form: flow.create_batch(collection, **draft_entries(form), actor=request.user),
    )


@login_required
@require_http_methods(["GET", "POST"])
def batch_edit(request: Request, slug: str, token: str) -> HttpResponse:
    batch = batch_for(request.user, slug, token, ADMIN)
    if request.method == "GET" and batch.state != Batch.State.DRAFT:
        return redirect("batch", slug=slug, token=token)

    def store(form: BatchForm) -> Batch:
        flow.change_batch(batch, **draft_entries(form), actor=request.user)
        return batch

    try:
        return _form_page(request, batch.collection, entries_of(batch), store=store, batch=batch)
    except flow.BatchError as error:
        messages.error(request, str(error))
        return redirect("batch", slug=slug, token=token)


@login_required
@require_POST
def batch_estimate(request: Request, slug: str) -> HttpResponse:
    """The figures beside the form as it is being filled in; nothing is stored."""
    collection = collection_for(request.user, slug, ADMIN)
    context = {"collection": collection, "estimate": estimate_of(draft_form(request.POST, collection))}
    return render(request, "annotation/batches/batch_estimate.html", context)


def _form_page(
    request: Request,
    collection: Collection,
    initial: dict[str, object],
    *,
    store: Callable[[BatchForm], Batch],
    batch: Batch | None = None,
) -> HttpResponse:
    """The form; once it is right, what was stored leads to its dry run."""
    if request.method == "POST" and not is_refill(request.POST):
        form = draft_form(request.POST, collection, batch=batch)
        if form.is_valid():
            try:
                stored = store(form)
            except TakenError:
                form.add_error("name", NAME_TAKEN)
            else:
                return redirect("batch_dry_run", slug=collection.slug, token=stored.token)
    else:
        shown = refilled(request.POST, collection) if request.method == "POST" else {}
        form = draft_form(None, collection, initial={**initial, **shown}, batch=batch)
    return render_page(
        request,
        "annotation/batches/batch_edit.html" if batch else "annotation/batches/batch_new.html",
        collection=collection,
        section="batches",
        form=form,
        batch=batch,
        groups=list(groups_of(form)),
        presets=PRESETS.values(),
        last_round=last_round(collection),
        estimate=_estimate(form, collection),
        status=422 if form.errors else 200,
    )


def _estimate(form: BatchForm, collection: Collection) -> Estimate | None:
    """Of a form that is shown: what stands in its fields."""
    return estimate_of(draft_form({name: form[name].value() for name in form.fields}, collection))
