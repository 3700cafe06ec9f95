"""The document on the judging page: all of it on demand, and what a person chooses about their reading."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from annotation.judging.forms import ReadingPageForm, ViewForm, WordsForm
from annotation.judging.pages.desk import own_card
from annotation.judging.read.card_documents import card_of, document_of
from annotation.judging.steps.choices import choose_reading, choose_words
from annotation.judging.views.judge_answer import bad_form, is_scripted
from annotation.kernel.access import participation_for
from annotation.kernel.request import Request
from annotation.models import Card, JudgingChoices, Participation


@login_required
@require_GET
@never_cache
def judge_document(request: Request, token: str) -> HttpResponse:
    """The text of a card's document, marked: the excerpt, or with `view=whole` all of it."""
    participation = participation_for(request.user, token, though_left=True)
    form = ViewForm(request.GET)
    if not form.is_valid():
        return bad_form(form)
    card = _card(participation, form.cleaned_data["token"])
    return _text(request, participation, card, whole=form.cleaned_data["view"] == JudgingChoices.Reading.WHOLE)


@login_required
@require_POST
def judge_choices(request: Request, token: str) -> HttpResponse:
    participation = participation_for(request.user, token, though_left=True)
    form = ReadingPageForm(request.POST)
    if not form.is_valid():
        return bad_form(form)
    page = "judge_qualify" if form.cleaned_data.pop("lesson") else "judge"
    choose_reading(request.user, **form.cleaned_data)
    return HttpResponse(status=204) if is_scripted(request) else redirect(page, token=participation.batch.token)


@login_required
@require_POST
def judge_terms(request: Request, token: str) -> HttpResponse:
    """The words that a person wants marked in the documents of a card's topic."""
    participation = participation_for(request.user, token, though_left=True)
    form = WordsForm(request.POST)
    if not form.is_valid():
        return bad_form(form)
    card = _card(participation, form.cleaned_data["token"])
    choose_words(participation.annotator, card.assignment.item.topic, words=form.cleaned_data["words"])
    if is_scripted(request):
        return _text(request, participation, card)
    return redirect("judge", token=participation.batch.token)


def _card(participation: Participation, token: str) -> Card:
    with own_card():
        return card_of(participation, token)


def _text(request: Request, participation: Participation, card: Card, *, whole: bool = False) -> HttpResponse:
    context = {"batch": participation.batch, "document": document_of(card, whole=whole)}
    return render(request, "annotation/judging/judge_text.html", context)
