"""Whom to believe, and what they say together: a subject in parts, each reading only what it shows."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from annotation.corpus.steps.pooling import create_pool_from_list
from annotation.formats.problems import FormatError
from annotation.kernel.access import ADMIN, RESEARCH, collection_for, roles_in
from annotation.kernel.forms import POOL_NAME_TAKEN, PoolNameForm
from annotation.kernel.listing import Listing, render_listing
from annotation.kernel.navigation import QUALITY
from annotation.kernel.page import render_page
from annotation.kernel.request import Request
from annotation.kernel.taken import TakenError
from annotation.models import Collection
from annotation.text.counted import counted
from annotation.trust.pages.choice import ChoiceOfBatches, choice_in
from annotation.trust.pages.pair_list import chosen_pairs, pair_list
from annotation.trust.pages.people_columns import annotator_list, sorted_people
from annotation.trust.pages.report import QualityReport, quality_report
from annotation.trust.pages.topics_people import agreement_map
from annotation.trust.read.withheld import withheld_pairs

SHOWN_TOPICS = 100

# What addresses asked for when all parts were one page, and the part that answers it now.
MOVED = {
    "sort": "quality_annotators",
    "people": "quality_annotators",
    "reason": "quality_pairs",
    "page": "quality_pairs",
}


@dataclass(frozen=True)
class Asked:
    """`report`: None where nothing has been judged, or where the choice makes no sense."""

    collection: Collection
    choice: ChoiceOfBatches
    report: QualityReport | None


@login_required
@require_GET
def quality(request: Request, slug: str) -> HttpResponseBase:
    """The summary. An address of old that asks for another part leads there."""
    asked = _asked(request, slug)
    part = next((MOVED[name] for name in MOVED if name in request.GET), None)
    if part:
        return redirect(f"{reverse(part, kwargs={'slug': slug})}?{request.GET.urlencode()}")
    return _render(request, "quality", asked)


@login_required
@require_GET
def quality_annotators(request: Request, slug: str) -> HttpResponseBase:
    asked, sort = _asked(request, slug), request.GET.get("sort", "doubt")
    if asked.report is None:
        return _render(request, "quality_annotators", asked)
    everybody = sorted_people(asked.report.people, sort if sort.lstrip("-") == "doubt" else "name")
    listing = annotator_list(everybody, may_change=_is_admin(request, asked))
    return _render(request, "quality_annotators", asked, listing, everybody)


@login_required
@require_GET
def quality_agreement(request: Request, slug: str) -> HttpResponseBase:
    asked = _asked(request, slug)
    if asked.report is None:
        return _render(request, "quality_agreement", asked)
    report = asked.report
    topics = Paginator(report.topics, SHOWN_TOPICS).get_page(request.GET.get("page"))
    drawn = agreement_map(report.cells, report.outcome.table, slug, asked.choice.query())
    return _render(request, "quality_agreement", asked, page_obj=topics, map=drawn)


@login_required
@require_GET
def quality_pairs(request: Request, slug: str) -> HttpResponseBase:
    asked = _asked(request, slug)
    if asked.report is None:
        return _render(request, "quality_pairs", asked)
    listing = pair_list(asked.collection, asked.report, may_decide=_is_admin(request, asked))
    dropped = asked.report.dropped(request.GET.get("reason", ""))
    withheld = withheld_pairs(asked.collection, asked.report.batches)
    return _render(request, "quality_pairs", asked, listing, dropped, withheld=withheld)


@login_required
@require_POST
def quality_pairs_pool(request: Request, slug: str) -> HttpResponseBase:
    """A pool of the pairs that were ticked, or of all that the address finds."""
    asked = _asked(request, slug)
    form = PoolNameForm(request.POST, collection=asked.collection)
    try:
        pairs = chosen_pairs(asked.collection, asked.report, request.POST, request.GET)
        if form.is_valid() and pairs:
            name = form.cleaned_data["name"]
            pool = create_pool_from_list(
                asked.collection, name=name, pairs=pairs, created_by=request.user, kind="chosen"
            )
            messages.success(request, f"The pool {pool.name} has {counted(pool.n_pairs, 'pair')}.")
            return redirect("pool", slug=slug, pk=pool.pk)
        wrong = " ".join(map(str, form.errors.get("name", ()))) if pairs else "Tick pairs in the table first."
    except TakenError:
        wrong = POOL_NAME_TAKEN
    except FormatError as error:
        wrong = str(error)
    messages.error(request, f"No pool was made. {wrong}")
    return redirect(f"{reverse('quality_pairs', kwargs={'slug': slug})}?{request.GET.urlencode()}")


@login_required
@require_GET
def quality_machines(request: Request, slug: str) -> HttpResponseBase:
    return _render(request, "quality_machines", _asked(request, slug))


def _asked(request: Request, slug: str) -> Asked:
    collection = collection_for(request.user, slug, RESEARCH)
    choice = choice_in(request.GET, collection)
    if not choice.batches or (choice.is_bound and not choice.is_valid()):
        return Asked(collection, choice, None)
    return Asked(collection, choice, quality_report(collection, choice.chosen_batches(), choice.parameters()))


def _is_admin(request: Request, asked: Asked) -> bool:
    return bool(roles_in(request.user, asked.collection) & ADMIN)


def _render(
    request: Request,
    page: str,
    asked: Asked,
    listing: Listing[Any] | None = None,
    rows: Sequence[Any] = (),
    **context: object,
) -> HttpResponseBase:
    """`listing`: of the rows, where the part has one."""
    is_wrong = bool(asked.choice.errors)
    full_context: dict[str, Any] = {
        "collection": asked.collection,
        "section": "quality",
        "parts": QUALITY.parts,
        "choice": asked.choice,
        "chosen": "" if is_wrong or not asked.choice.is_bound else asked.choice.query(),
        "report": asked.report,
        "policy": asked.choice.chosen_policy() if asked.report else None,
        "here": request.GET.urlencode(),
        "status": 422 if is_wrong else 200,
        **context,
    }
    template = f"annotation/trust/{page}.html"
    return (
        render_listing(request, template, replace(listing, file=asked.choice.file), rows, **full_context)
        if listing
        else render_page(request, template, **full_context)
    )
