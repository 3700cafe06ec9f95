"""Qualification rounds: the list, making and changing one, its life, and how people fared."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation.batches.forms.qualifications import NAME_TAKEN, QualificationForm, QualificationStepForm
from annotation.batches.read.qualifications import asking_batches, pair_results, person_results, round_rows
from annotation.batches.steps import qualifications as flow
from annotation.batches.views.errors import bad_form, shown_as_message
from annotation.kernel.access import ADMIN, RESEARCH, collection_for, qualification_for
from annotation.kernel.page import render_page
from annotation.kernel.request import Request
from annotation.kernel.taken import TakenError
from annotation.models import Collection

STEPS = {
    "open": (flow.open_qualification, "The round is open: its pairs cannot change now."),
    "close": (flow.close_qualification, "The round is closed. Nobody can start it now."),
    "redraft": (flow.redraft_qualification, "The round is a draft again."),
}


@login_required
@require_GET
def qualifications(request: Request, slug: str) -> HttpResponse:
    collection = collection_for(request.user, slug, RESEARCH)
    return render_page(
        request, "annotation/batches/qualifications.html", collection=collection, rows=round_rows(collection)
    )


@login_required
@require_http_methods(["GET", "POST"])
def qualification_new(request: Request, slug: str) -> HttpResponse:
    collection = collection_for(request.user, slug, ADMIN)
    form = QualificationForm(request.POST or None, collection=collection)
    if request.method == "POST" and form.is_valid():
        settings = flow.QualificationSettings(**form.cleaned_data)
        try:
            qualification = flow.create_qualification(collection, settings=settings, actor=request.user)
        except TakenError:
            form.add_error("name", NAME_TAKEN)
        else:
            return redirect("qualification", slug=slug, token=qualification.token)
    return _render_form(request, collection, form, title="New qualification round")


@login_required
@require_GET
def qualification(request: Request, slug: str, token: str) -> HttpResponse:
    qualification = qualification_for(request.user, slug, token, RESEARCH)
    pairs = pair_results(qualification)
    return render_page(
        request,
        "annotation/batches/qualification.html",
        collection=qualification.collection,
        section="qualifications",
        qualification=qualification,
        pairs=pairs,
        people=person_results(qualification),
        batches=asking_batches(qualification),
        n_unexplained=sum(not pair.item.explanation for pair in pairs),
    )


@login_required
@require_http_methods(["GET", "POST"])
def qualification_edit(request: Request, slug: str, token: str) -> HttpResponse:
    qualification = qualification_for(request.user, slug, token, ADMIN)
    initial = {
        "name": qualification.name,
        "pass_mark": f"{qualification.pass_mark * 100:.6g}",
        "most_attempts": qualification.most_attempts,
    }
    form = QualificationForm(
        request.POST or None, collection=qualification.collection, qualification=qualification, initial=initial
    )
    if request.method == "POST" and form.is_valid():
        settings = flow.QualificationSettings(**form.cleaned_data)
        try:
            flow.change_qualification(qualification, settings=settings, actor=request.user)
        except TakenError:
            form.add_error("name", NAME_TAKEN)
        else:
            messages.success(request, "The settings of the round are saved.")
            return redirect("qualification", slug=slug, token=token)
    return _render_form(
        request, qualification.collection, form, title=f"Settings of {qualification.name}", qualification=qualification
    )


@login_required
@require_POST
def qualification_step(request: Request, slug: str, token: str) -> HttpResponse:
    """Open, close, or take back to a draft."""
    qualification = qualification_for(request.user, slug, token, ADMIN)
    form = QualificationStepForm(request.POST)
    if not form.is_valid():
        return bad_form(form)
    step, message = STEPS[form.cleaned_data["step"]]
    with shown_as_message(request, flow.QualificationError):
        step(qualification, actor=request.user)
        messages.success(request, message)
    return redirect("qualification", slug=slug, token=token)


@login_required
@require_POST
def qualification_delete(request: Request, slug: str, token: str) -> HttpResponse:
    qualification = qualification_for(request.user, slug, token, ADMIN)
    with shown_as_message(request, flow.QualificationError):
        flow.delete_qualification(qualification, actor=request.user)
        messages.success(request, f"The round {qualification.name} is deleted.")
        return redirect("qualifications", slug=slug)
    return redirect("qualification", slug=slug, token=token)


def _render_form(request: Request, collection: Collection, form: QualificationForm, **context: Any) -> HttpResponse:
    return render_page(
        request,
        "annotation/batches/qualification_edit.html",
        collection=collection,
        section="qualifications",
        form=form,
        status=422 if form.errors else 200,
        **context,
    )
