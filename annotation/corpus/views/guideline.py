"""The guideline as members read it, and as admins write it."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation.corpus.forms.guideline import CaseRows, GuidelineForm
from annotation.corpus.read.guideline_versions import guideline_changes, versions_of
from annotation.corpus.read.guidelines import guideline_content, guideline_drafted, uncovered_grades
from annotation.corpus.steps.guidelines import GuidelineMovedError, revise_guideline
from annotation.kernel.access import ADMIN, MEMBER, RESEARCH, collection_for, guideline_version_for, roles_in
from annotation.kernel.page import render_page
from annotation.kernel.request import Request
from annotation.models import Collection, GuidelineVersion

MOVED = "Version {number} was saved meanwhile. Read it first; saving again replaces it with your text."
SAVE = "save"


@login_required
@require_GET
def guideline(request: Request, slug: str) -> HttpResponse:
    collection = collection_for(request.user, slug, MEMBER)
    research = bool(roles_in(request.user, collection) & RESEARCH)
    return render_page(
        request,
        "annotation/corpus/guideline.html",
        collection=collection,
        content=guideline_content(collection.guideline, collection.scale),
        versions=versions_of(collection) if research else [],
        uncovered=uncovered_grades(collection.guideline.cases if collection.guideline else [], collection.scale),
    )


@login_required
@require_http_methods(["GET", "POST"])
def guideline_edit(request: Request, slug: str) -> HttpResponse:
    """Besides saving, the form moves its rows and shows itself as it will be read: both work without a script."""
    collection = collection_for(request.user, slug, ADMIN)
    deed = request.POST.get("deed", SAVE)
    form, rows = _forms(request, collection)
    if request.method == "GET":
        return _render_form(request, collection, form, rows)
    if deed != SAVE:
        return _render_form(request, collection, form.unchecked(), rows.after(deed))
    if not (form.is_valid() and rows.is_valid()):
        return _render_form(request, collection, form, rows, status=422)
    try:
        version = revise_guideline(collection, **form.cleaned_data, cases=rows.cases(), actor=request.user)
    except GuidelineMovedError as moved:
        form = form.rebased(moved.number)
        form.add_error(None, MOVED.format(number=moved.number))
        return _render_form(request, collection, form, rows, moved_to=moved.number)
    messages.success(request, f"Version {version.number} of the guideline is in force.")
    return redirect("guideline", slug=slug)


@login_required
@require_POST
def guideline_preview(request: Request, slug: str) -> HttpResponse:
    """The guideline as it stands in the form, for the panel beside it."""
    collection = collection_for(request.user, slug, ADMIN)
    form, rows = _forms(request, collection)
    context = {"collection": collection, **_previewed(collection, form, rows)}
    return render(request, "annotation/corpus/guideline_preview.html", context)


@login_required
@require_GET
def guideline_version(request: Request, slug: str, number: int) -> HttpResponse:
    version = guideline_version_for(request.user, slug, number)
    return render_page(
        request,
        "annotation/corpus/guideline_version.html",
        collection=version.collection,
        section="guideline",
        version=version,
        content=guideline_content(version, version.collection.scale),
        changed=guideline_changes(version),
    )


def _forms(request: Request, collection: Collection) -> tuple[GuidelineForm, CaseRows]:
    if request.method == "POST":
        return GuidelineForm(request.POST), CaseRows.posted(request.POST, scale=collection.scale)
    version = collection.guideline
    return GuidelineForm(initial=_current(version)), CaseRows(version.cases if version else [], scale=collection.scale)


def _render_form(
    request: Request,
    collection: Collection,
    form: GuidelineForm,
    rows: CaseRows,
    *,
    moved_to: int | None = None,
    status: int = 200,
) -> HttpResponse:
    return render_page(
        request,
        "annotation/corpus/guideline_edit.html",
        collection=collection,
        section="guideline",
        form=form,
        rows=rows,
        moved_to=moved_to,
        status=status,
        **_previewed(collection, form, rows),
    )


def _previewed(collection: Collection, form: GuidelineForm, rows: CaseRows) -> dict[str, object]:
    cases = rows.cases()
    texts = {name: str(form[name].value() or "") for name in ("introduction", "examples", "edge_cases")}
    return {
        "content": guideline_drafted(**texts, cases=cases, scale=collection.scale),
        "uncovered": uncovered_grades(cases, collection.scale),
    }


def _current(version: GuidelineVersion | None) -> dict[str, object]:
    if version is None:
        return {"based_on": 0}
    return {
        "introduction": version.introduction,
        "examples": version.examples,
        "edge_cases": version.edge_cases,
        "based_on": version.number,
    }
