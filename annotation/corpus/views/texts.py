"""Topics and documents, to browse and search; one of them has its page in `review`."""

from django.contrib.auth.decorators import login_required
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_GET

from annotation.corpus.pages.text_lists import document_list, topic_list
from annotation.corpus.read.document_page import ListedDocuments, document_page
from annotation.corpus.read.texts import current_topic_versions, n_without_text, visible_topics
from annotation.formats import documents as document_formats
from annotation.formats import topics as topic_formats
from annotation.formats.file_formats import listed_formats
from annotation.kernel.access import RESEARCH, collection_for
from annotation.kernel.listing import render_listing, words_in
from annotation.kernel.request import Request


@login_required
@require_GET
def topics(request: Request, slug: str) -> HttpResponseBase:
    collection = collection_for(request.user, slug, RESEARCH)
    return render_listing(
        request,
        "annotation/corpus/topics.html",
        topic_list(collection),
        current_topic_versions(collection),
        collection=collection,
        n_without_text=n_without_text(visible_topics(collection)),
        file_formats=listed_formats(topic_formats.FORMATS),
    )


@login_required
@require_GET
def documents(request: Request, slug: str) -> HttpResponseBase:
    collection = collection_for(request.user, slug, RESEARCH)
    words, after, before = words_in(request.GET), request.GET.get("after", ""), request.GET.get("before", "")
    page = document_page(collection, words, after=after, before=before)
    return render_listing(
        request,
        "annotation/corpus/documents.html",
        document_list(collection),
        ListedDocuments(collection, words).documents,
        collection=collection,
        looked=page,
        n_without_text=page.n_without_text,
        file_formats=listed_formats(document_formats.FORMATS),
    )
