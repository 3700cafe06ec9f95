"""Files on their way in: upload, progress, preview, problems, publish."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation.exchange.forms.imports import FORMS, CheckForm, format_choices
from annotation.exchange.pages.import_list import import_list
from annotation.exchange.read.imports import STORE, imports_in_work, imports_of, is_awaited, ready_imports
from annotation.exchange.steps.importing import (
    cancel_import,
    job_of,
    publish_import,
    recheck_import,
    start_import,
)
from annotation.formats.problems import Problem
from annotation.kernel.access import RESEARCH, collection_for, import_for, importable_kinds, importers_of, roles_in
from annotation.kernel.listing import render_listing
from annotation.kernel.page import render_page, render_polled
from annotation.kernel.request import Request
from annotation.models import Import

SHOWN_PROBLEMS = 20
UNDER_WAY = (Import.State.CHECKING, Import.State.STORING)
READABLE = (Import.State.CHECKED, Import.State.REFUSED)  # anew, in another form


@login_required
@require_GET
def imports(request: Request, slug: str) -> HttpResponseBase:
    collection = collection_for(request.user, slug, RESEARCH)
    kinds = importable_kinds(request.user, collection)
    in_work = imports_in_work(collection)
    return render_listing(
        request,
        "annotation/exchange/imports.html",
        import_list(collection),
        imports_of(collection),
        collection=collection,
        part="annotation/exchange/imports_table.html",
        live=bool(in_work),
        awaited=[pk for pk, work in in_work.items() if work == STORE],
        kinds=[(kind, Import.Kind(kind).label) for kind in kinds if kind in FORMS],
        n_ready=ready_imports(collection, kinds).count(),
    )


@login_required
@require_POST
def imports_publish(request: Request, slug: str) -> HttpResponse:
    """Publish everything that was checked and that the person may publish."""
    collection = collection_for(request.user, slug, RESEARCH)
    for record in ready_imports(collection, importable_kinds(request.user, collection)):
        try:
            publish_import(record, actor=request.user)
        except ValueError as error:
            messages.error(request, f"{record.filename}: {error}")
    return redirect("imports", slug=slug)


@login_required
@require_http_methods(["GET", "POST"])
def import_new(request: Request, slug: str, kind: str) -> HttpResponse:
    if kind not in FORMS:
        raise Http404("No such kind of file.")
    collection = collection_for(request.user, slug, importers_of(kind))
    data, files, formats = request.POST or None, request.FILES or None, format_choices(kind)
    form = FORMS[kind](data, files, collection=collection, formats=formats)
    if request.method == "POST" and form.is_valid():
        file = form.cleaned_data["file"]
        record = start_import(
            collection,
            kind=kind,
            stream=file.file,
            filename=file.name,
            created_by=request.user,
            publish=form.cleaned_data["publish"],
            **form.options(),
        )
        return redirect("import_detail", slug=slug, pk=record.pk)
    return render_page(
        request,
        "annotation/exchange/import_new.html",
        collection=collection,
        section="imports",
        form=form,
        kind=Import.Kind(kind).label.lower(),
        status=422 if form.errors else 200,
    )


@login_required
@require_GET
def import_detail(request: Request, slug: str, pk: int) -> HttpResponse:
    record = import_for(request.user, slug, pk)
    job = job_of(record)
    may_change = bool(roles_in(request.user, record.collection) & importers_of(record.kind))
    is_readable = record.state in READABLE and may_change
    return render_polled(
        request,
        "annotation/exchange/import_detail.html",
        part="annotation/exchange/import_detail_body.html",
        live=record.state in UNDER_WAY or (job is not None and job.is_live),
        collection=record.collection,
        section="imports",
        record=record,
        job=job,
        awaited=is_awaited(record.state, job.kind if job and job.is_live else None),
        page_obj=Paginator(record.problems, SHOWN_PROBLEMS).get_page(request.GET.get("page")),
        may_change=may_change,
        form=CheckForm(record=record) if is_readable else None,
    )


@login_required
@require_POST
def import_check(request: Request, slug: str, pk: int) -> HttpResponse:
    """Check the kept file anew, read as the person says."""
    record = import_for(request.user, slug, pk, change=True)
    form = CheckForm(request.POST, record=record)
    if not form.is_valid():
        for name, reasons in form.errors.items():
            messages.error(request, f"{form[name].label}: {' '.join(map(str, reasons))}")
        return redirect("import_detail", slug=slug, pk=pk)
    chosen = form.cleaned_data.get("format", "")
    try:
        recheck_import(record, format_name=chosen, columns=form.columns(), actor=request.user, **form.options())
    except ValueError as error:
        messages.error(request, str(error))
    return redirect("import_detail", slug=slug, pk=pk)


@login_required
@require_POST
def import_publish(request: Request, slug: str, pk: int) -> HttpResponse:
    record = import_for(request.user, slug, pk, change=True)
    answer = request.POST.get("correct", "")
    try:
        publish_import(record, actor=request.user, correct=int(answer) if answer.isdecimal() else None)
    except ValueError as error:
        messages.error(request, str(error))
    return redirect("import_detail", slug=slug, pk=pk)


@login_required
@require_POST
def import_cancel(request: Request, slug: str, pk: int) -> HttpResponse:
    cancel_import(import_for(request.user, slug, pk, change=True), actor=request.user)
    return redirect("import_detail", slug=slug, pk=pk)


@login_required
@require_GET
def import_problems(request: Request, slug: str, pk: int) -> HttpResponse:
    """Every problem that was kept, as text: `file:line: reason`."""
    record = import_for(request.user, slug, pk)
    return problems_file(record.problems, record.n_problems, filename=f"import-{record.pk}-problems.txt")


def problems_file(problems: Sequence[Mapping[str, Any]], n_problems: int, *, filename: str) -> HttpResponse:
    """A download of the problems kept; how many more there are is its last line."""
    lines = [f"{Problem(**problem)}\n" for problem in problems]
    if n_problems > len(lines):
        lines.append(f"{n_problems - len(lines)} more were counted and not kept.\n")
    headers = {"Content-Disposition": f'attachment; filename="{filename}"'}
    return HttpResponse(lines, content_type="text/plain; charset=utf-8", headers=headers)
