"""Find: one line that leads to every page, deed and thing of a collection."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.views.decorators.http import require_GET

from annotation.home.read.finding import found_places
from annotation.kernel.access import RESEARCH, collection_for, roles_in
from annotation.kernel.forms import SearchForm
from annotation.kernel.page import render_page
from annotation.kernel.request import Request


@login_required
@require_GET
def find(request: Request, slug: str) -> HttpResponse:
    """The page; the list alone where the script asks (`X-Find`). For admins and researchers."""
    collection = collection_for(request.user, slug, RESEARCH)
    form = SearchForm(request.GET)
    words = " ".join(form.cleaned_data["q"].split()) if form.is_valid() else ""
    kinds = found_places(collection, words, roles_in(request.user, collection))
    template = "annotation/home/found.html" if "X-Find" in request.headers else "annotation/home/find.html"
    return render_page(request, template, collection=collection, form=form, words=words, kinds=kinds)
