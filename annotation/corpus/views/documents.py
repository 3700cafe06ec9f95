"""Documents, to browse and search."""

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_GET

from annotation.corpus.read.texts import document_versions, found_documents, n_documents_without_text, visible_documents
from annotation.kernel.access import RESEARCH, collection_for
from annotation.kernel.forms import SearchForm
from annotation.kernel.page import render_page
from annotation.kernel.request import Request


@login_required
@require_GET
def documents(request: Request, slug: str) -> HttpResponse:
    collection = collection_for(request.user, slug, RESEARCH)
    form = SearchForm(request.GET)
    words = form.cleaned_data["q"] if form.is_valid() else ""
    page = Paginator(found_documents(collection, words), 100).get_page(request.GET.get("page"))
    return render_page(
        request,
        "annotation/corpus/documents.html",
        collection=collection,
        form=form,
        words=words,
        page_obj=page,
        n_without_text=n_documents_without_text(collection),
    )


@login_required
@require_GET
def document(request: Request, slug: str, docno: str) -> HttpResponse:
    collection = collection_for(request.user, slug, RESEARCH)
    found = get_object_or_404(visible_documents(collection), docno=docno)
    versions = document_versions(found)
    return render_page(
        request,
        "annotation/corpus/document.html",
        collection=collection,
        section="documents",
        document=found,
        versions=versions,
    )
