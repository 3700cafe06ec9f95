"""Topics and documents, to browse and search; one of them has its page in `review`."""

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.views.decorators.http import require_GET

from annotation.corpus.read.document_page import COUNTED, document_page
from annotation.corpus.read.texts import (
    found_topics,
    n_without_text,
    visible_topics,
)
from annotation.formats import documents as document_formats
from annotation.formats import topics as topic_formats
from annotation.formats.file_formats import listed_formats
from annotation.kernel.access import RESEARCH, collection_for
from annotation.kernel.forms import SearchForm
from annotation.kernel.page import render_page
from annotation.kernel.request import Request


@login_required
@require_GET
def topics(request: Request, slug: str) -> HttpResponse:
    collection = collection_for(request.user, slug, RESEARCH)
    form, words = _search(request)
    page = Paginator(found_topics(collection, words), 100).get_page(request.GET.get("page"))
    return render_page(
        request,
        "annotation/corpus/topics.html",
        collection=collection,
        form=form,
        words=words,
        page_obj=page,
        n_found=page.paginator.count,
        n_without_text=n_without_text(visible_topics(collection)),
        file_formats=listed_formats(topic_formats.FORMATS),
    )


@login_required
@require_GET
def documents(request: Request, slug: str) -> HttpResponse:
    collection = collection_for(request.user, slug, RESEARCH)
    form, words = _search(request)
    after, before = (request.GET.get(name, "") for name in ("after", "before"))
    page = document_page(collection, words, after=after, before=before)
    return render_page(
        request,
        "annotation/corpus/documents.html",
        collection=collection,
        form=form,
        words=words,
        page=page,
        n_found=min(page.n_found, COUNTED),
        has_more=bool(words) and page.n_found > COUNTED,
        n_without_text=page.n_without_text,
        file_formats=listed_formats(document_formats.FORMATS),
    )


def _search(request: Request) -> tuple[SearchForm, str]:
    """The form, and the words to look for."""
    form = SearchForm(request.GET)
    return form, form.cleaned_data["q"] if form.is_valid() else ""
