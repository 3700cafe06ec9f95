"""Gold: what there is by topic and grade, and the three ways in. Researchers see it, admins change it."""

import secrets

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.template.defaultfilters import pluralize
from django.views.decorators.http import require_GET, require_http_methods

from annotation.formats.problems import FormatError
from annotation.gold.steps.events import GoldTaken
from annotation.gold.steps.files import take_gold_from_file
from annotation.gold.steps.qrels import take_gold_from_snapshot
from annotation.kernel.access import ADMIN, RESEARCH, collection_for, roles_in
from annotation.kernel.listing import render_listing
from annotation.kernel.page import render_page
from annotation.kernel.request import Request
from annotation.models import Collection
from annotation.review.forms.gold import GoldFileForm, GoldSnapshotForm
from annotation.review.pages.gold_figures import gold_and_supply
from annotation.review.pages.gold_list import listed_gold
from annotation.review.read.appeals import n_open_appeals
from annotation.review.read.qrels import waiting_qrels
from annotation.trust.read.gold_effect import still_held

SHOWN_PROBLEMS = 20


@login_required
@require_GET
def gold(request: Request, slug: str) -> HttpResponseBase:
    collection = collection_for(request.user, slug, RESEARCH)
    assert collection.scale is not None
    is_admin = bool(roles_in(request.user, collection) & ADMIN)
    figures, supply = gold_and_supply(collection)
    listing, rows = listed_gold(collection, collection.scale, figures, request.GET, may_change=is_admin)
    return render_listing(
        request,
        "annotation/review/gold.html",
        listing,
        rows,
        collection=collection,
        balance=figures.balance,
        verdicts=figures.verdicts,
        totals=figures.totals,
        n_gold=sum(figures.totals),
        n_suspects=figures.n_suspects,
        n_weighed=figures.n_weighed,
        n_open=n_open_appeals(collection),
        freed=still_held(collection, figures.freed),
        supply=supply,
        grades=collection.scale.grades,
    )


@login_required
@require_http_methods(["GET", "POST"])
def gold_file(request: Request, slug: str) -> HttpResponse:
    collection = collection_for(request.user, slug, ADMIN)
    form = GoldFileForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        file = form.cleaned_data["file"]
        try:
            taken = take_gold_from_file(
                collection,
                stream=file.file,
                filename=file.name,
                actor=request.user,
                correct=form.cleaned_data["correct"],
                grades=form.cleaned_data["grades"],
                skip_unknown=form.cleaned_data["unknown"] == "skip",
            )
        except FormatError as error:
            return _render_form(request, "annotation/review/gold_file.html", collection, form, error)
        return _taken(request, collection, taken)
    return _render_form(request, "annotation/review/gold_file.html", collection, form)


@login_required
@require_http_methods(["GET", "POST"])
def gold_snapshot(request: Request, slug: str) -> HttpResponse:
    collection = collection_for(request.user, slug, ADMIN)
    form = GoldSnapshotForm(request.POST or None, collection=collection, initial={"seed": secrets.randbelow(2**31)})
    if request.method == "POST" and form.is_valid():
        try:
            taken = take_gold_from_snapshot(collection, **form.arguments(), actor=request.user)
        except FormatError as error:
            return _render_form(request, "annotation/review/gold_snapshot.html", collection, form, error)
        return _taken(request, collection, taken)
    if not form.has_qrels:
        template, waiting = "annotation/review/gold_snapshot_none.html", waiting_qrels(collection)
        return render_page(request, template, collection=collection, section="gold", waiting=waiting)
    return _render_form(request, "annotation/review/gold_snapshot.html", collection, form)


def _taken(request: Request, collection: Collection, taken: GoldTaken) -> HttpResponse:
    parts = [f"{taken.n_set} pair{pluralize(taken.n_set)} set"]
    parts += [f"{taken.n_known} of them were gold already in another way"] if taken.n_known else []
    parts += [f"{taken.n_unlisted} of them unlisted"] if taken.n_unlisted else []
    parts += [f"{taken.n_unchanged} were gold already"] if taken.n_unchanged else []
    parts += [f"{taken.n_unknown} are not in the collection and were left aside"] if taken.n_unknown else []
    parts += taken.notes
    messages.success(request, f"Gold: {', '.join(parts)}.")
    return redirect("gold", slug=collection.slug)


def _render_form(
    request: Request,
    template: str,
    collection: Collection,
    form: GoldFileForm | GoldSnapshotForm,
    error: FormatError | None = None,
) -> HttpResponse:
    return render_page(
        request,
        template,
        collection=collection,
        section="gold",
        form=form,
        problems=error.problems[:SHOWN_PROBLEMS] if error else [],
        n_problems=error.total if error else 0,
        status=422 if error or form.errors else 200,
    )
