"""The pairs of a qualification round: added by hand or from gold, changed, moved, removed, while it is a draft."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_POST

from annotation.batches.forms.qualifications import GoldChoiceForm, MoveForm, PairForm, TaughtForm
from annotation.batches.read.qualifications import gold_to_choose, pairs_of
from annotation.batches.steps import qualifications as flow
from annotation.corpus.read import current_document_versions, current_topic_versions
from annotation.gold.pages import GoldSearchForm
from annotation.kernel.access import ADMIN, qualification_for
from annotation.kernel.page import render_page
from annotation.kernel.request import Request
from annotation.models import Qualification, QualificationItem

ROWS = 100


@login_required
@require_http_methods(["GET", "POST"])
def qualification_pair_new(request: Request, slug: str, token: str) -> HttpResponse:
    found = qualification_for(request.user, slug, token, ADMIN)
    form = PairForm(
        request.POST or None,
        scale=found.scale,
        topics=current_topic_versions(found.collection),
        documents=current_document_versions(found.collection),
    )
    if request.method == "POST" and form.is_valid():
        try:
            flow.add_pair(found, **form.cleaned_data)
        except flow.QualificationRefused as refused:
            form.add_error(None, str(refused))
        else:
            messages.success(request, "The pair is in the round.")
            return redirect("qualification", slug=slug, token=token)
    return _render(request, "annotation/batches/qualification_pair.html", found, form=form, title="Add a pair")


@login_required
@require_http_methods(["GET", "POST"])
def qualification_gold(request: Request, slug: str, token: str) -> HttpResponse:
    """Choose pairs whose grade is known; what is known of them is copied now."""
    found = qualification_for(request.user, slug, token, ADMIN)
    search = GoldSearchForm(request.GET, scale=found.scale)
    words, grade = (search.cleaned_data["q"], search.cleaned_data["grade"]) if search.is_valid() else ("", None)
    form = GoldChoiceForm(request.POST if request.method == "POST" else None, events=gold_to_choose(found))
    if request.method == "POST" and form.is_valid():
        try:
            n = flow.copy_gold(found, events=list(form.cleaned_data["pairs"]))
        except flow.QualificationRefused as refused:
            form.add_error(None, str(refused))
        else:
            messages.success(request, f"{n} pair{'' if n == 1 else 's'} taken into the round.")
            return redirect("qualification", slug=slug, token=token)
    return _render(
        request,
        "annotation/batches/qualification_gold.html",
        found,
        form=form,
        search=search,
        page_obj=Paginator(gold_to_choose(found, words=words, grade=grade), ROWS).get_page(request.GET.get("page")),
    )


@login_required
@require_http_methods(["GET", "POST"])
def qualification_pair(request: Request, slug: str, token: str, item: str) -> HttpResponse:
    """What a pair teaches."""
    found, pair = _pair_for(request, slug, token, item)
    initial = {"accepted": pair.accepted, "hint": pair.hint, "explanation": pair.explanation}
    form = TaughtForm(request.POST or None, scale=found.scale, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            flow.change_pair(pair, **form.cleaned_data)
        except flow.QualificationRefused as refused:
            form.add_error(None, str(refused))
        else:
            messages.success(request, "The pair is saved.")
            return redirect("qualification", slug=slug, token=token)
    return _render(
        request, "annotation/batches/qualification_pair.html", found, form=form, pair=pair, title="Change a pair"
    )


@login_required
@require_POST
def qualification_pair_move(request: Request, slug: str, token: str, item: str) -> HttpResponse:
    _, pair = _pair_for(request, slug, token, item)
    form = MoveForm(request.POST)
    if not form.is_valid():
        return HttpResponseBadRequest(form.errors.as_text(), content_type="text/plain; charset=utf-8")
    try:
        flow.move_pair(pair, down=form.cleaned_data["step"] == "down")
    except flow.QualificationRefused as refused:
        messages.error(request, str(refused))
    return redirect("qualification", slug=slug, token=token)


@login_required
@require_POST
def qualification_pair_remove(request: Request, slug: str, token: str, item: str) -> HttpResponse:
    _, pair = _pair_for(request, slug, token, item)
    try:
        flow.remove_pair(pair)
    except flow.QualificationRefused as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, "The pair is out of the round.")
    return redirect("qualification", slug=slug, token=token)


def _pair_for(request: Request, slug: str, token: str, item: str) -> tuple[Qualification, QualificationItem]:
    found = qualification_for(request.user, slug, token, ADMIN)
    pair = pairs_of(found).filter(token=item).first()
    if pair is None:
        raise Http404("No such pair.")
    pair.qualification = found
    return found, pair


def _render(
    request: Request,
    template: str,
    found: Qualification,
    *,
    form: PairForm | TaughtForm | GoldChoiceForm,
    **context: object,
) -> HttpResponse:
    return render_page(
        request,
        template,
        collection=found.collection,
        section="qualifications",
        qualification=found,
        form=form,
        status=422 if form.errors else 200,
        **context,
    )
