"""Reports: what was made, what to make, and each as its own page and as a folder in a zip."""

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_GET, require_http_methods

from annotation.kernel.access import RESEARCH, collection_for
from annotation.kernel.files import stored_download
from annotation.kernel.forms import errors_in
from annotation.kernel.page import render_page
from annotation.kernel.request import Request
from annotation.models import Collection
from evaluation.formats.report.archive import page_in, style_hash
from evaluation.models import Report
from evaluation.reports.forms import ReportForm
from evaluation.reports.read import reports_of, zip_path
from evaluation.reports.steps import ask_report

ALONE = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; style-src"


@login_required
@require_GET
def reports(request: Request, slug: str) -> HttpResponse:
    collection = collection_for(request.user, slug, RESEARCH)
    page = Paginator(reports_of(collection), 50).get_page(request.GET.get("page"))
    return render_page(request, "evaluation/reports/reports.html", collection=collection, page_obj=page)


@login_required
@require_http_methods(["GET", "POST"])
def report_new(request: Request, slug: str) -> HttpResponse:
    """The form begins with what the address says; the job's page leads to the report."""
    collection = collection_for(request.user, slug, RESEARCH)
    form = ReportForm(request.POST if request.method == "POST" else None, collection=collection)
    if request.method == "POST" and form.is_valid():
        with errors_in(form, ValueError):
            return redirect("job", token=ask_report(**form.arguments(), created_by=request.user).token)
    elif request.method == "GET":
        form.initial = _initial(request, form)
        form.list_first(request.GET.getlist("runs"))
    return render_page(
        request,
        "evaluation/reports/report_new.html",
        collection=collection,
        section="reports",
        form=form,
        status=422 if form.errors else 200,
    )


@login_required
@require_GET
def report(request: Request, slug: str, pk: int) -> HttpResponse:
    """The page as it stands in the folder. Its own style is let through by its hash, and nothing else is."""
    page = page_in(zip_path(_stored(collection_for(request.user, slug, RESEARCH), pk)))
    policy = f"{ALONE} '{style_hash(page)}'"
    return HttpResponse(page, headers={"Content-Security-Policy": policy})


@login_required
@require_GET
def report_file(request: Request, slug: str, pk: int) -> HttpResponseBase:
    """The whole folder."""
    path = zip_path(_stored(collection_for(request.user, slug, RESEARCH), pk))
    return stored_download(path, f"{slug}-report-{pk}.zip", "application/zip")


def _stored(collection: Collection, pk: int) -> Report:
    return get_object_or_404(reports_of(collection), pk=pk)


def _initial(request: Request, form: ReportForm) -> dict[str, object]:
    """Without runs in the address all are ticked; without a snapshot the newest is chosen."""
    initial: dict[str, object] = {name: value for name, value in request.GET.items() if name in form.fields}
    return {**initial, "runs": request.GET.getlist("runs") or [run.tag for run in form.fields["runs"].queryset]}  # type: ignore[attr-defined]
