"""Topics and documents, to browse and search."""

from collections.abc import Callable
from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_GET

from annotation.corpus.read.texts import (
    document_versions,
    found_documents,
    found_topics,
    n_without_text,
    topic_versions,
    visible_documents,
    visible_topics,
)
from annotation.formats import documents as document_formats
from annotation.formats import topics as topic_formats
from annotation.formats.file_formats import listed_formats
from annotation.kernel.access import RESEARCH, collection_for
from annotation.kernel.forms import SearchForm
from annotation.kernel.page import render_page
from annotation.kernel.request import Request
from annotation.models import Collection


@login_required
@require_GET
def topics(request: Request, slug: str) -> HttpResponse:
    file_formats = listed_formats(topic_formats.FORMATS)
    return _list(
        request, slug, "annotation/corpus/topics.html", found_topics, visible_topics, file_formats=file_formats
    )


@login_required
@require_GET
def documents(request: Request, slug: str) -> HttpResponse:
    file_formats = listed_formats(document_formats.FORMATS)
    return _list(
        request, slug, "annotation/corpus/documents.html", found_documents, visible_documents, file_formats=file_formats
    )


def _list(
    request: Request,
    slug: str,
    template: str,
    search: Callable[[Collection, str], QuerySet[Any]],
    visible: Callable[[Collection], QuerySet[Any]],
    *,
    file_formats: str,
) -> HttpResponse:
    collection = collection_for(request.user, slug, RESEARCH)
    form = SearchForm(request.GET)
    words = form.cleaned_data["q"] if form.is_valid() else ""
    return render_page(
        request,
        template,
        collection=collection,
        form=form,
        words=words,
        page_obj=Paginator(search(collection, words), 100).get_page(request.GET.get("page")),
        n_without_text=n_without_text(visible(collection)),
        file_formats=file_formats,
    )


@login_required
@require_GET
def topic(request: Request, slug: str, number: str) -> HttpResponse:
    collection = collection_for(request.user, slug, RESEARCH)
    topic = get_object_or_404(visible_topics(collection), number=number)
    return render_page(
        request,
        "annotation/corpus/topic.html",
        collection=collection,
        section="topics",
        topic=topic,
        versions=topic_versions(topic),
    )


@login_required
@require_GET
def document(request: Request, slug: str, docno: str) -> HttpResponse:
    collection = collection_for(request.user, slug, RESEARCH)
    document = get_object_or_404(visible_documents(collection), docno=docno)
    return render_page(
        request,
        "annotation/corpus/document.html",
        collection=collection,
        section="documents",
        document=document,
        versions=document_versions(document),
    )
