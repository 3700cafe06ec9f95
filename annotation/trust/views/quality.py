"""Whom to believe, and what they say together: a subject in parts, each reading only what it shows."""

from dataclasses import dataclass

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_GET

from annotation.kernel.access import RESEARCH, collection_for
from annotation.kernel.navigation import QUALITY
from annotation.kernel.page import render_page
from annotation.kernel.page_tables import cells_of
from annotation.kernel.request import Request
from annotation.models import Collection
from annotation.trust.pages.choice import ChoiceOfBatches, choice_in
from annotation.trust.pages.people_columns import columns_on_page, columns_to_choose, sorted_people
from annotation.trust.pages.report import QualityReport, quality_report
from annotation.trust.read.withheld import withheld_pairs

SHOWN_PAIRS, SHOWN_PEOPLE, SHOWN_TOPICS = 50, 100, 100
KEPT = ("batch", "policy", "sort")  # what stays in the address when columns are chosen
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
def quality(request: Request, slug: str) -> HttpResponse:
    """The summary. An address of old that asks for another part leads there."""
    asked = _asked(request, slug)
    part = next((MOVED[name] for name in MOVED if name in request.GET), None)
    if part:
        return redirect(f"{reverse(part, kwargs={'slug': slug})}?{request.GET.urlencode()}")
    return _render(request, "quality", asked)


@login_required
@require_GET
def quality_annotators(request: Request, slug: str) -> HttpResponse:
    asked, sort = _asked(request, slug), request.GET.get("sort", "doubt")
    if asked.report is None:
        return _render(request, "quality_annotators", asked)
    everybody = asked.report.people
    people = Paginator(sorted_people(everybody, sort), SHOWN_PEOPLE).get_page(request.GET.get("people"))
    columns = columns_on_page(everybody, request.GET.getlist("columns"), sort)
    rows = [(person, cells_of(columns, person)) for person in people]
    return _render(
        request,
        "quality_annotators",
        asked,
        people=people,
        columns=columns,
        to_choose=columns_to_choose(everybody),
        kept=[(name, value) for name in KEPT for value in request.GET.getlist(name)],
        rows=rows,
        sort=sort,
    )


@login_required
@require_GET
def quality_agreement(request: Request, slug: str) -> HttpResponse:
    asked = _asked(request, slug)
    if asked.report is None:
        return _render(request, "quality_agreement", asked)
    topics = Paginator(asked.report.topics, SHOWN_TOPICS).get_page(request.GET.get("page"))
    return _render(request, "quality_agreement", asked, page_obj=topics)


@login_required
@require_GET
def quality_pairs(request: Request, slug: str) -> HttpResponse:
    asked, reason = _asked(request, slug), request.GET.get("reason", "")
    if asked.report is None:
        return _render(request, "quality_pairs", asked)
    dropped = Paginator(asked.report.dropped(reason), SHOWN_PAIRS).get_page(request.GET.get("page"))
    withheld = withheld_pairs(asked.collection, asked.report.batches)
    return _render(request, "quality_pairs", asked, page_obj=dropped, reason=reason, withheld=withheld)


@login_required
@require_GET
def quality_machines(request: Request, slug: str) -> HttpResponse:
    return _render(request, "quality_machines", _asked(request, slug))


def _asked(request: Request, slug: str) -> Asked:
    collection = collection_for(request.user, slug, RESEARCH)
    choice = choice_in(request.GET, collection)
    if not choice.batches or (choice.is_bound and not choice.is_valid()):
        return Asked(collection, choice, None)
    return Asked(collection, choice, quality_report(collection, choice.chosen_batches(), choice.parameters()))


def _render(request: Request, page: str, asked: Asked, **context: object) -> HttpResponse:
    is_wrong = bool(asked.choice.errors)
    return render_page(
        request,
        f"annotation/trust/{page}.html",
        collection=asked.collection,
        section="quality",
        parts=QUALITY.parts,
        choice=asked.choice,
        chosen="" if is_wrong or not asked.choice.is_bound else asked.choice.query(),
        report=asked.report,
        policy=asked.choice.chosen_policy() if asked.report else None,
        here=request.GET.urlencode(),
        status=422 if is_wrong else 200,
        **context,
    )
