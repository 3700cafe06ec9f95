"""A topic and a document, each with its texts and all that was judged of it."""

from collections.abc import Sequence
from typing import Any, Literal

from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http.response import HttpResponseBase
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
from annotation.kernel.listing import render_listing
from annotation.kernel.request import Request
from annotation.models import Collection, Document, Topic
from annotation.review.pages.hub_pairs import Titles, hub_pair_list, pairs_of
from annotation.review.pages.hubs import MOST_PEOPLE, Hub
from annotation.review.read.judged_pairs import JudgedPair, judged_pairs
from annotation.review.read.undecided import undecided_pairs


@login_required
@require_GET
def topic(request: Request, slug: str, number: str) -> HttpResponseBase:
    collection = collection_for(request.user, slug, RESEARCH)
    topic = get_object_or_404(visible_topics(collection), number=number)
    pairs = judged_pairs(collection, topic=topic, kept=_kept(request, collection, topic=topic))

    def titles(docnos: Sequence[str]) -> dict[str, str]:
        current = current_document_versions(collection).filter(document__docno__in=docnos)
        return dict(current.values_list("document__docno", "title"))

    return _render(request, "topic", topic, pairs, titles=titles, versions=topic_versions(topic))


@login_required
@require_GET
def document(request: Request, slug: str, docno: str) -> HttpResponseBase:
    collection = collection_for(request.user, slug, RESEARCH)
    document = get_object_or_404(visible_documents(collection), docno=docno)
    pairs = judged_pairs(collection, document=document, kept=_kept(request, collection, document=document))

    def titles(numbers: Sequence[str]) -> dict[str, str]:
        current = current_topic_versions(collection).filter(topic__number__in=numbers)
        return dict(current.values_list("topic__number", "title"))

    return _render(request, "document", document, pairs, titles=titles, versions=document_versions(document))


def _kept(request: Request, collection: Collection, **of_items: object) -> set[Pair]:
    """Admins may have to decide; researchers never do."""
    if not roles_in(request.user, collection) & ADMIN:
        return set()
    return undecided_pairs(collection, request.user, of_items=of_items)


def _render(
    request: Request,
    name: Literal["topic", "document"],
    subject: Topic | Document,
    pairs: Sequence[JudgedPair],
    *,
    titles: Titles,
    versions: QuerySet[Any],
) -> HttpResponseBase:
    collection = subject.collection
    hub = Hub(pairs, collection.scale.grades if collection.scale else [])
    may_decide = bool(roles_in(request.user, collection) & ADMIN)
    context: dict[str, Any] = {name: subject, "versions": versions, "hub": hub, "people": hub.people[:MOST_PEOPLE]}
    return render_listing(
        request,
        f"annotation/review/{name}.html",
        hub_pair_list(subject, hub, name, titles, may_decide=may_decide),
        pairs_of(hub, name),
        collection=collection,
        section=f"{name}s",
        **context,
    )
