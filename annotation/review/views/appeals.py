"""What people object to, and the answers."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods

from annotation.kernel.access import ADMIN, appeal_for, collection_for
from annotation.kernel.files import csv_stream
from annotation.kernel.listing import render_listing
from annotation.kernel.page import render_page
from annotation.kernel.request import Request
from annotation.models import Appeal
from annotation.review.forms.appeals import DECLINE, SETTLED, AppealForm, change_of
from annotation.review.pages.gold_tables import OBJECTIONS
from annotation.review.pages.objections import objection_list
from annotation.review.read.appeals import AppealFile, appeal_file, appeals_of, n_open_appeals
from annotation.review.steps.appeals import AnswerError, decline_appeal, settle_appeal, uphold_appeal
from annotation.review.views.gold_change import ask_first, confirmation, done_in_words
from annotation.trust.read.gold_effect import effect_of


@login_required
@require_GET
def gold_appeals(request: Request, slug: str) -> HttpResponseBase:
    collection = collection_for(request.user, slug, ADMIN)
    return render_listing(
        request,
        "annotation/review/gold_appeals.html",
        objection_list(collection),
        appeals_of(collection),
        collection=collection,
        section="gold",
        n_open=n_open_appeals(collection),
    )


@login_required
@require_http_methods(["GET", "POST"])
def gold_appeal(request: Request, slug: str, token: str) -> HttpResponse:
    appeal = appeal_for(request.user, slug, token)
    scale = appeal.collection.scale
    assert scale is not None
    file = appeal_file(appeal, scale)
    form = AppealForm(
        request.POST or None,
        scale=scale,
        has_changed=file.has_changed,
        n_others=file.n_others,
        initial=_begin(file),
    )
    if request.method == "POST" and form.is_valid():
        return _answered(request, appeal, form)
    return render_page(
        request,
        "annotation/review/gold_appeal.html",
        collection=appeal.collection,
        section="gold",
        appeal=appeal,
        file=file,
        item=file.item,
        form=form,
        status=422 if form.errors else 200,
    )


@login_required
@require_GET
def gold_appeals_csv(request: Request, slug: str) -> StreamingHttpResponse:
    collection = collection_for(request.user, slug, ADMIN)
    return csv_stream(f"{slug}-objections", OBJECTIONS.lines(collection))


def _answered(request: Request, appeal: Appeal, form: AppealForm) -> HttpResponse:
    """Answer; where gold is to be changed, ask first whom it touches."""
    answer, decision = form.cleaned_data["answer"], form.cleaned_data["decision"]
    try:
        if decision == DECLINE:
            decline_appeal(appeal, answer=answer, actor=request.user)
        elif decision == SETTLED:
            settle_appeal(appeal, answer=answer, actor=request.user)
        else:
            return _upheld(request, appeal, form)
    except AnswerError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, f"{appeal.annotator.pseudonym} reads your answer.")
    return redirect("gold_appeals", slug=appeal.collection.slug)


def _upheld(request: Request, appeal: Appeal, form: AppealForm) -> HttpResponse:
    change = change_of(appeal, form.cleaned_data)
    effect = effect_of(appeal.collection, change)
    confirm = confirmation(request, effect)
    if not confirm.is_valid():
        here = reverse("gold_appeal", kwargs={"slug": appeal.collection.slug, "token": appeal.token})
        return ask_first(request, form, change, effect, confirm, action=here, back=here)
    done = uphold_appeal(
        appeal,
        answer=form.cleaned_data["answer"],
        change=change,
        effect=effect,
        seen=confirm.cleaned_data["seen"],
        bring_back=confirm.cleaned_data.get("bring_back", ()),
        all_of_pair=form.cleaned_data.get("all_of_pair", False),
        actor=request.user,
    )
    messages.success(request, f"{appeal.annotator.pseudonym} reads your answer. {done_in_words(change, done)}")
    return redirect("gold_appeals", slug=appeal.collection.slug)


def _begin(file: AppealFile) -> dict[str, object]:
    if file.gold is None:
        return {}
    also = [grade for grade in file.gold.accepted if grade != file.gold.grade]
    return {"grade": file.gold.grade, "accepted": also, "explanation": file.gold.explanation}
