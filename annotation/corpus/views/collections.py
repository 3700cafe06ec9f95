"""A collection: made and described."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from annotation.corpus.forms.collections import CollectionForm, DescriptionForm, grade_formset
from annotation.corpus.steps.collections import create_collection, describe_collection
from annotation.kernel.access import ADMIN, collection_for, require_may_create_collections
from annotation.kernel.page import render_page
from annotation.kernel.request import Request
from annotation.kernel.taken import TakenError
from annotation.models import DEFAULT_GRADES


@login_required
@require_http_methods(["GET", "POST"])
def collection_new(request: Request) -> HttpResponse:
    person = require_may_create_collections(request.user)
    form = CollectionForm(request.POST or None)
    own_scale = request.POST.get("scale") == "own"
    rows = grade_formset()(request.POST if own_scale else None, prefix="grades")
    # Both are asked, so that a person sees all faults at once.
    if request.method == "POST" and all([form.is_valid(), not own_scale or rows.is_valid()]):
        values = {name: value for name, value in form.cleaned_data.items() if name != "scale"}
        slug, grades = values["slug"], rows.grades() if own_scale else DEFAULT_GRADES
        try:
            create_collection(**values, grades=grades, actor=person)
        except TakenError:
            form.add_error("slug", f"“{slug}” was taken just now.")
        else:
            return redirect("collection_start", slug=slug)
    return render_page(request, "annotation/corpus/collection_new.html", form=form, rows=rows)


@login_required
@require_http_methods(["GET", "POST"])
def collection_edit(request: Request, slug: str) -> HttpResponse:
    collection = collection_for(request.user, slug, ADMIN)
    initial = {name: getattr(collection, name) for name in DescriptionForm.base_fields}
    form = DescriptionForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        describe_collection(collection, **form.cleaned_data, actor=request.user)
        messages.success(request, "Saved.")
        return redirect("collection", slug=slug)
    return render_page(
        request, "annotation/corpus/collection_edit.html", collection=collection, section="collection", form=form
    )
