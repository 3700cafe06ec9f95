"""The pairs of a qualification round: added by hand or from gold, changed, moved, removed, while it is a draft."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_POST

from annotation.batches.forms.qualifications import GoldChoiceForm, MoveForm, PairForm, TaughtForm
from annotation.batches.read.qualifications import gold_to_choose
from annotation.batches.steps import qualifications as flow
from annotation.batches.views.errors import bad_form, shown_as_message
from annotation.corpus.read.texts import current_document_versions, current_topic_versions
from annotation.gold.pages import GoldSearchForm
from annotation.kernel.access import ADMIN, qualification_for, qualification_pair_for
from annotation.kernel.page import render_page
from annotation.kernel.request import Request
from annotation.models import Qualification
from annotation.text.counted import counted

ROWS = 100


@login_required
@require_http_methods(["GET", "POST"])
def qualification_pair_new(request: Request, slug: str, token: str) -> HttpResponse:
    qualification = qualification_for(request.user, slug, token, ADMIN)
    form = PairForm(
        request.POST or None,
        scale=qualification.scale,
        topics=current_topic_versions(qualification.collection),
        documents=current_document_versions(qualification.collection),
    )
    if request.method == "POST" and form.is_valid():
        try:
            flow.add_pair(qualification, **form.cleaned_data)
        except flow.QualificationError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, "The pair is in the round.")
            return redirect("qualification", slug=slug, token=token)
    return _render(request, "annotation/batches/qualification_pair.html", qualification, form=form, title="Add a pair")


@login_required
@require_http_methods(["GET", "POST"])
def qualification_gold(request: Request, slug: str, token: str) -> HttpResponse:
    """Choose pairs whose grade is known; what is known of them is copied now."""
    qualification = qualification_for(request.user, slug, token, ADMIN)
    search = GoldSearchForm(request.GET, scale=qualification.scale)
    words, grade = (search.cleaned_data["q"], search.cleaned_data["grade"]) if search.is_valid() else ("", None)
    form = GoldChoiceForm(request.POST if request.method == "POST" else None, events=gold_to_choose(qualification))
    if request.method == "POST" and form.is_valid():
        try:
            n = flow.copy_gold(qualification, events=list(form.cleaned_data["pairs"]))
        except flow.QualificationError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, f"{counted(n, 'pair')} taken into the round.")
            return redirect("qualification", slug=slug, token=token)
    return _render(
        request,
        "annotation/batches/qualification_gold.html",
        qualification,
        form=form,
        search=search,
        page_obj=Paginator(gold_to_choose(qualification, words=words, grade=grade), ROWS).get_page(
            request.GET.get("page")
        ),
    )


@login_required
@require_http_methods(["GET", "POST"])
def qualification_pair(request: Request, slug: str, token: str, item: str) -> HttpResponse:
    """What a pair teaches."""
    pair = qualification_pair_for(request.user, slug, token, item)
    qualification = pair.qualification
    initial = {"accepted": pair.accepted, "hint": pair.hint, "explanation": pair.explanation}
    form = TaughtForm(request.POST or None, scale=qualification.scale, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            flow.change_pair(pair, **form.cleaned_data)
        except flow.QualificationError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, "The pair is saved.")
            return redirect("qualification", slug=slug, token=token)
    return _render(
        request,
        "annotation/batches/qualification_pair.html",
        qualification,
        form=form,
        pair=pair,
        title="Change a pair",
    )


@login_required
@require_POST
def qualification_pair_move(request: Request, slug: str, token: str, item: str) -> HttpResponse:
    pair = qualification_pair_for(request.user, slug, token, item)
    form = MoveForm(request.POST)
    if not form.is_valid():
        return bad_form(form)
    with shown_as_message(request, flow.QualificationError):
        flow.move_pair(pair, down=form.cleaned_data["step"] == "down")
    return redirect("qualification", slug=slug, token=token)


@login_required
@require_POST
def qualification_pair_remove(request: Request, slug: str, token: str, item: str) -> HttpResponse:
    pair = qualification_pair_for(request.user, slug, token, item)
    with shown_as_message(request, flow.QualificationError):
        flow.remove_pair(pair)
        messages.success(request, "The pair is out of the round.")
    return redirect("qualification", slug=slug, token=token)


def _render(
    request: Request,
    template: str,
    qualification: Qualification,
    *,
    form: PairForm | TaughtForm | GoldChoiceForm,
    **context: object,
) -> HttpResponse:
    return render_page(
        request,
        template,
        collection=qualification.collection,
        section="qualifications",
        qualification=qualification,
        form=form,
        status=422 if form.errors else 200,
        **context,
    )
