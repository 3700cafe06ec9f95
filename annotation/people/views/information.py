"""The information texts of a collection, written by its admins."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation.kernel.access import ADMIN, RESEARCH, collection_for, information_for
from annotation.kernel.page import render_page
from annotation.kernel.request import Request
from annotation.models import Collection, InformationVersion
from annotation.people.forms import InformationForm
from annotation.people.read.information import batches_asking_for, consents_to, version_rows
from annotation.people.steps.information import FIRST_INFORMATION, revise_information
from annotation.text.markdown import MAX_LENGTH, render_markdown


@login_required
@require_GET
def information(request: Request, slug: str) -> HttpResponse:
    collection = collection_for(request.user, slug, RESEARCH)
    return render_page(
        request, "annotation/people/information.html", collection=collection, rows=version_rows(collection)
    )


@login_required
@require_http_methods(["GET", "POST"])
def information_new(request: Request, slug: str) -> HttpResponse:
    """The first text, or another one beside those there are, which no batch asks for yet."""
    return _write(request, collection_for(request.user, slug, ADMIN), None)


@login_required
@require_http_methods(["GET", "POST"])
def information_edit(request: Request, slug: str, number: int) -> HttpResponse:
    version = information_for(request.user, slug, number, ADMIN)
    return _write(request, version.collection, version)


@login_required
@require_GET
def information_version(request: Request, slug: str, number: int) -> HttpResponse:
    version = information_for(request.user, slug, number, RESEARCH)
    return render_page(
        request,
        "annotation/people/information_version.html",
        collection=version.collection,
        section="information",
        version=version,
        text=render_markdown(version.text),
        consents=consents_to(version),
        batches=batches_asking_for(version),
    )


@login_required
@require_POST
def information_preview(request: Request, slug: str) -> HttpResponse:
    collection_for(request.user, slug, ADMIN)
    text = request.POST.get("text", "")[:MAX_LENGTH]
    return render(request, "annotation/people/information_preview.html", {"text": render_markdown(text)})


def _write(request: Request, collection: Collection, version: InformationVersion | None) -> HttpResponse:
    initial = {"text": version.text if version else FIRST_INFORMATION, "based_on": version.number if version else 0}
    form = InformationForm(request.POST or None, initial=initial)
    if request.POST.get("deed") == "preview":
        form = InformationForm(initial={name: form[name].value() for name in form.fields})
    elif request.method == "POST" and form.is_valid():
        saved = revise_information(collection, **form.cleaned_data, actor=request.user)
        messages.success(request, f"Version {saved.number} of the consent text is stored.")
        return redirect("information_version", slug=collection.slug, number=saved.number)
    return render_page(
        request,
        "annotation/people/information_edit.html",
        collection=collection,
        section="information",
        form=form,
        version=version,
        text=render_markdown(str(form["text"].value() or "")[:MAX_LENGTH]),
        batches=batches_asking_for(version) if version else [],
        status=422 if form.errors else 200,
    )
