"""Deleting a collection: says what goes, and asks for its name."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from annotation.exchange.forms.deletion import DeletionForm
from annotation.exchange.read.deletion import why_collection_stays
from annotation.exchange.steps.deletion import CollectionUsedError, start_deletion
from annotation.kernel.access import ADMIN, collection_for
from annotation.kernel.page import render_page
from annotation.kernel.request import Request


@login_required
@require_http_methods(["GET", "POST"])
def collection_delete(request: Request, slug: str) -> HttpResponse:
    collection = collection_for(request.user, slug, ADMIN)
    form = DeletionForm(request.POST or None, collection=collection)
    if request.method == "POST" and form.is_valid():
        try:
            job = start_deletion(collection, actor=request.user)
        except CollectionUsedError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, f"The collection {collection.name} is deleted.")
            return redirect("job", token=job.token)
    return render_page(
        request,
        "annotation/exchange/collection_delete.html",
        collection=collection,
        section="collection",
        form=form,
        stays=why_collection_stays(collection),
        status=422 if form.errors else 200,
    )
