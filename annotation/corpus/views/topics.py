"""Topics, to browse."""

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_GET

from annotation.corpus.read.texts import found_topics, n_topics_without_text, topic_versions, visible_topics
from annotation.kernel.access import RESEARCH, collection_for
from annotation.kernel.forms import SearchForm
from annotation.kernel.page import render_page
from annotation.kernel.request import Request


@login_required
@require_GET
def topics(request: Request, slug: str) -> HttpResponse:
    collection = collection_for(request.user, slug, RESEARCH)
    form = SearchForm(request.GET)
    words = form.cleaned_data["q"] if form.is_valid() else ""
    page = Paginator(found_topics(collection, words), 100).get_page(request.GET.get("page"))
    return render_page(
        request,
        "annotation/corpus/topics.html",
        collection=collection,
        form=form,
        words=words,
        page_obj=page,
        n_without_text=n_topics_without_text(collection),
    )


@login_required
@require_GET
def topic(request: Request, slug: str, number: str) -> HttpResponse:
    collection = collection_for(request.user, slug, RESEARCH)
    found = get_object_or_404(visible_topics(collection), number=number)
    versions = topic_versions(found)
    return render_page(
        request, "annotation/corpus/topic.html", collection=collection, section="topics", topic=found, versions=versions
    )
