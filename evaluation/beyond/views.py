"""Descriptions asked for on a page, listed, looked at and downloaded."""

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils.text import slugify
from django.views.decorators.http import require_GET, require_http_methods

from annotation.kernel.access import RESEARCH, collection_for
from annotation.kernel.files import text_file
from annotation.kernel.jobs.latest import latest_jobs
from annotation.kernel.page import render_jobs, render_page
from annotation.kernel.request import Request
from annotation.models import Collection
from evaluation.beyond.forms import FORMS
from evaluation.beyond.pages.drawings import pictures_of
from evaluation.beyond.pages.figures import as_csv, as_json, asked_rows, command_of, shown_rows
from evaluation.beyond.read import description_jobs, description_named, descriptions_of
from evaluation.beyond.steps.asking import Asked, ask_description
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
        known = description_named(collection, asked.key)
        if under_way is None and (known is None or known.asked != asked.to_json()):
            ask_description(collection, asked, created_by=request.user)
        return redirect("beyond_description", slug=slug, key=asked.key)
    return render_page(
        request,
        "evaluation/beyond/beyond_new.html",
        collection=collection,
        section="beyond",
        kind=kind,
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
        return render_jobs(request, "evaluation/accounting/accounting_job.html", collection=collection, jobs=jobs)
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
