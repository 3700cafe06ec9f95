"""Keeping a list under a name."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.forms import Form
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from annotation.home.forms import SavedViewForm, ViewNameForm
from annotation.home.read.saved_views import view_for
from annotation.home.steps.saved_views import VIEW_NAME_TAKEN, delete_view, keep_view, rename_view
from annotation.kernel.access import RESEARCH, collection_for
from annotation.kernel.list_views import address_of
from annotation.kernel.request import Request
from annotation.kernel.taken import TakenError


@login_required
@require_POST
def saved_view_new(request: Request, slug: str) -> HttpResponse:
    """Back to the list, which now has the view."""
    collection = collection_for(request.user, slug, RESEARCH)
    form = SavedViewForm(request.POST)
    if form.is_valid():
        view = keep_view(collection, request.user, **form.cleaned_data)
        messages.success(request, f"Saved as {view}.")
        return redirect(address_of(view))
    messages.error(request, f"Not saved: {_errors(form)}")
    return redirect("collection", slug=slug)


@login_required
@require_POST
def saved_view_rename(request: Request, slug: str, pk: int) -> HttpResponse:
    view = view_for(request.user, slug, pk)
    form = ViewNameForm(request.POST)
    if form.is_valid():
        try:
            rename_view(view, form.cleaned_data["name"])
        except TakenError:
            form.add_error("name", VIEW_NAME_TAKEN)
    if form.errors:
        messages.error(request, f"Not renamed: {_errors(form)}")
    else:
        messages.success(request, f"Renamed to {view}.")
    return redirect(address_of(view))


@login_required
@require_POST
def saved_view_delete(request: Request, slug: str, pk: int) -> HttpResponse:
    view = view_for(request.user, slug, pk)
    delete_view(view)
    messages.success(request, f"View {view} deleted.")
    return redirect(view.page, slug=slug)


def _errors(form: Form) -> str:
    return " ".join(str(text) for texts in form.errors.values() for text in texts)
