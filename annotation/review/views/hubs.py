"""A topic and a document, each with its texts and all that was judged of it."""

from collections.abc import Sequence
from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_GET

from annotation.corpus.read.texts import (
    current_document_versions,
    current_topic_versions,
    document_versions,
    topic_versions,
    visible_documents,
    visible_topics,
)
from annotation.gold.read.known_grades import Pair
from annotation.kernel.access import ADMIN, RESEARCH, collection_for, roles_in
from annotation.kernel.page import render_page
from annotation.kernel.request import Request
from annotation.models import Collection, Document, Topic
from annotation.review.pages.hubs import MOST_PEOPLE, SORTS, Hub, PairRow
from annotation.review.read.judged_pairs import JudgedPair, judged_pairs
from annotation.review.read.undecided import undecided_pairs

PAGE = 25


@login_required
@require_GET
def topic(request: Request, slug: str, number: str) -> HttpResponse:
    collection = collection_for(request.user, slug, RESEARCH)
    topic = get_object_or_404(visible_topics(collection), number=number)
    hub = _hub(collection, judged_pairs(collection, topic=topic, kept=_kept(request, collection, topic=topic)))
    page = _page(request, hub)
    current = current_document_versions(collection).filter(document__docno__in=[pair.docno for pair in page])
    titles = dict(current.values_list("document__docno", "title"))
    rows = [PairRow(pair, titles.get(pair.docno, "")) for pair in page]
    return _render(request, "topic", topic, topic_versions(topic), hub=hub, page=page, rows=rows)


@login_required
@require_GET
def document(request: Request, slug: str, docno: str) -> HttpResponse:
    collection = collection_for(request.user, slug, RESEARCH)
    document = get_object_or_404(visible_documents(collection), docno=docno)
    kept = _kept(request, collection, document=document)
    hub = _hub(collection, judged_pairs(collection, document=document, kept=kept))
    page = _page(request, hub)
    current = current_topic_versions(collection).filter(topic__number__in=[pair.number for pair in page])
    titles = dict(current.values_list("topic__number", "title"))
    rows = [PairRow(pair, titles.get(pair.number, "")) for pair in page]
    return _render(request, "document", document, document_versions(document), hub=hub, page=page, rows=rows)


def _kept(request: Request, collection: Collection, **of_items: object) -> set[Pair]:
    """Admins may have to decide; researchers never do."""
    if not roles_in(request.user, collection) & ADMIN:
        return set()
    return undecided_pairs(collection, request.user, of_items=of_items)


def _hub(collection: Collection, pairs: Sequence[JudgedPair]) -> Hub:
    return Hub(pairs, collection.scale.grades if collection.scale else [])


def _page(request: Request, hub: Hub) -> "Page[JudgedPair]":
    chosen = hub.chosen(grade=request.GET.get("grade", ""), sort=_sort(request))
    return Paginator(chosen, PAGE).get_page(request.GET.get("page"))


def _sort(request: Request) -> str:
    sort = request.GET.get("sort", "")
    return sort if sort in SORTS else SORTS[0]


def _render(
    request: Request,
    name: str,
    subject: Topic | Document,
    versions: QuerySet[Any],
    *,
    hub: Hub,
    page: "Page[JudgedPair]",
    rows: Sequence[PairRow],
) -> HttpResponse:
    return render_page(
        request,
        f"annotation/review/{name}.html",
        collection=subject.collection,
        section=f"{name}s",
        versions=versions,
        hub=hub,
        page_obj=page,
        rows=rows,
        people=hub.people[:MOST_PEOPLE],
        grade=request.GET.get("grade", ""),
        sort=_sort(request),
        **{name: subject},  # type: ignore[arg-type]
    )
