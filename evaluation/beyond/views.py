"""Descriptions asked for on a page, listed, looked at and downloaded."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.text import slugify
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation.kernel.access import ADMIN, RESEARCH, collection_for
from annotation.kernel.files import Outgoing, download, text_file
from annotation.kernel.jobs.latest import latest_jobs
from annotation.kernel.page import render_jobs, render_page, unknown_parameters
from annotation.kernel.request import Request
from annotation.models import Collection
from evaluation.beyond.forms.interleaving import ListsForm
from evaluation.beyond.forms.kinds import FORMS
from evaluation.beyond.pages.asking import PURPOSE_OF, TITLE_OF
from evaluation.beyond.pages.drawings import pictures_of
from evaluation.beyond.pages.figures import as_csv, as_json, asked_rows, command_of, shown_rows, shown_table
from evaluation.beyond.read import description_jobs, description_named, descriptions_of
from evaluation.beyond.steps.asking import Asked, ask_description
from evaluation.beyond.steps.deletion import DescriptionUsedError, delete_description
from evaluation.formats.interleaving import lists_jsonl
from evaluation.models import Description

PAGE_SIZE = 50
FILES = {"csv": as_csv, "json": as_json}


@login_required
@require_GET
def beyond(request: Request, slug: str) -> HttpResponse:
    """What can be described, and what was."""
    collection = collection_for(request.user, slug, RESEARCH)
    page = Paginator(descriptions_of(collection), PAGE_SIZE).get_page(request.GET.get("page"))
    return render_page(
        request,
        "evaluation/beyond/beyond.html",
        collection=collection,
        page_obj=page,
        rows=[(one, Asked.of_json(one.asked)) for one in page],
    )


@login_required
@require_http_methods(["GET", "POST"])
def beyond_new(request: Request, slug: str, kind: str) -> HttpResponse:
    """What is known already by these names, or under way, is shown; for all else a job is asked."""
    collection = collection_for(request.user, slug, RESEARCH)
    if kind not in FORMS:
        raise Http404("There is no such description.")
    form = FORMS[kind](request.POST or None, request.FILES or None, collection=collection)
    if request.method == "POST" and form.is_valid():
        asked = form.asked()
        under_way = latest_jobs(description_jobs(collection, asked.key)).live
        description = description_named(collection, asked.key)
        if under_way is None and (description is None or description.asked != asked.to_json()):
            ask_description(collection, asked, created_by=request.user)
        return redirect("beyond_description", slug=slug, key=asked.key)
    return render_page(
        request,
        "evaluation/beyond/beyond_new.html",
        collection=collection,
        section="beyond",
        kind=Description.Kind(kind),
        title=TITLE_OF[kind],
        purpose=PURPOSE_OF[kind],
        form=form,
        status=422 if form.errors else 200,
    )


@login_required
@require_GET
def beyond_description(request: Request, slug: str, key: str) -> HttpResponse:
    """While a job works, the page polls; it reloads once the job has ended."""
    collection = collection_for(request.user, slug, RESEARCH)
    described = description_named(collection, key)
    jobs = latest_jobs(description_jobs(collection, key))
    if request.htmx:
        return render_jobs(request, collection=collection, jobs=jobs)
    latest = description_jobs(collection, key).first()
    if described is None and latest is None:
        raise Http404("Nothing of the kind was asked.")
    asked = Asked.of_json(described.asked if described else latest.payload["asked"])  # type: ignore[union-attr]
    return render_page(
        request,
        "evaluation/beyond/beyond_description.html",
        collection=collection,
        section="beyond",
        described=described,
        asked=asked,
        kind=Description.Kind(asked.kind),
        jobs=jobs,
        command=command_of(asked),
        asked_rows=asked_rows(asked),
        pictures=pictures_of(described) if described else [],
        rows=shown_rows(described) if described else [],
        table=shown_table(described) if described else None,
    )


@login_required
@require_GET
def beyond_file(request: Request, slug: str, key: str) -> HttpResponse:
    """`?form=`: `csv` or `json`."""
    collection: Collection = collection_for(request.user, slug, RESEARCH)
    described, form = description_named(collection, key), request.GET.get("form", "csv")
    if described is None or form not in FILES:
        raise Http404("No such description.")
    name = slugify(f"{slug}-{described.kind}-{key[:8]}")
    return text_file(name, form, FILES[form](described))


@login_required
@require_POST
def beyond_delete(request: Request, slug: str, key: str) -> HttpResponse:
    collection = collection_for(request.user, slug, ADMIN)
    described = description_named(collection, key)
    if described is None:
        raise Http404("No such description.")
    try:
        delete_description(described, actor=request.user)
    except DescriptionUsedError as error:
        messages.error(request, str(error))
        return redirect("beyond_description", slug=slug, key=key)
    messages.success(request, "The description is deleted.")
    return redirect("beyond", slug=slug)


@login_required
@require_GET
def interleaved_lists(request: Request, slug: str) -> HttpResponseBase:
    """Drawn of runs of the collection, as a file; without anything in the address, what may be asked."""
    collection = collection_for(request.user, slug, RESEARCH)
    form = ListsForm(request.GET or None, collection=collection)
    if form.is_valid():
        try:
            pieces = lists_jsonl(form.drawn())
        except ValueError as reason:
            form.add_error(None, f"This cannot be drawn: {reason}.")
        else:
            return download(Outgoing(f"{slug}-lists.jsonl", "application/jsonl", pieces))
    return render_page(
        request,
        "evaluation/beyond/interleaved_lists.html",
        collection=collection,
        section="beyond",
        form=form,
        unknown=unknown_parameters(request.GET, form.fields),
        status=422 if form.errors else 200,
    )
