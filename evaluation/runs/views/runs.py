"""Runs: the list, the upload, one run. Check, preview and publishing have their page among the imports."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation.exchange.steps.importing import start_import
from annotation.kernel.access import ADMIN, RESEARCH, collection_for
from annotation.kernel.files import download
from annotation.kernel.listing import render_listing
from annotation.kernel.page import render_page
from annotation.kernel.request import Request
from annotation.models import Import
from annotation.text.counted import counted
from evaluation.runs.forms import RunsForm
from evaluation.runs.pages import run_list
from evaluation.runs.read import RUN_FORMS, evaluations_of, outgoing_run, runs_of, why_run_stays
from evaluation.runs.steps.deletion import RunUsedError, delete_run
from evaluation.runs.steps.importing import RunImporter


@login_required
@require_GET
def runs(request: Request, slug: str) -> HttpResponseBase:
    collection = collection_for(request.user, slug, RESEARCH)
    rows = runs_of(collection).select_related("created_by")
    return render_listing(request, "evaluation/runs/runs.html", run_list(collection), rows, collection=collection)


@login_required
@require_http_methods(["GET", "POST"])
def runs_new(request: Request, slug: str) -> HttpResponse:
    collection = collection_for(request.user, slug, RESEARCH)
    formats = [(form.name, form.title) for form in RunImporter.formats()]
    form = RunsForm(request.POST or None, request.FILES or None, formats=formats)
    if request.method == "POST" and form.is_valid():
        options = {name: form.cleaned_data[name] for name in ("tag", "description", "format", "publish")}
        records = [
            start_import(
                collection,
                kind=Import.Kind.RUN,
                stream=file.file,
                filename=file.name,
                created_by=request.user,
                **options,
            )
            for file in form.cleaned_data["file"]
        ]
        if len(records) == 1:
            return redirect("import_detail", slug=slug, pk=records[0].pk)
        messages.success(request, f"{counted(len(records), 'file is', 'files are')} being checked.")
        return redirect("imports", slug=slug)
    status = 422 if form.errors else 200
    return render_page(
        request, "evaluation/runs/runs_new.html", collection=collection, section="runs", form=form, status=status
    )


@login_required
@require_GET
def run(request: Request, slug: str, tag: str) -> HttpResponse:
    collection = collection_for(request.user, slug, RESEARCH)
    stored = get_object_or_404(runs_of(collection).select_related("created_by"), tag=tag)
    return render_page(
        request,
        "evaluation/runs/run.html",
        collection=collection,
        section="runs",
        run=stored,
        evaluations=evaluations_of(stored),
        stays=why_run_stays(stored),
    )


@login_required
@require_POST
def run_delete(request: Request, slug: str, tag: str) -> HttpResponse:
    stored = get_object_or_404(runs_of(collection_for(request.user, slug, ADMIN)), tag=tag)
    try:
        delete_run(stored, actor=request.user)
    except RunUsedError as error:
        messages.error(request, str(error))
        return redirect("run", slug=slug, tag=tag)
    messages.success(request, f"The run {tag} is deleted.")
    return redirect("runs", slug=slug)


@login_required
@require_GET
def run_file(request: Request, slug: str, tag: str) -> StreamingHttpResponse:
    """TREC, or another form by `?form=`. Streamed."""
    stored = get_object_or_404(runs_of(collection_for(request.user, slug, RESEARCH)), tag=tag)
    form = request.GET.get("form", "trec")
    if form not in RUN_FORMS:
        raise Http404(f"Runs are exported as {', '.join(RUN_FORMS)}.")
    return download(outgoing_run(stored, form))
