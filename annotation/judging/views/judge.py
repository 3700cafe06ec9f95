"""The judging page. A GET reads; every deed is a POST that answers with what the page lacks, or leads to the page."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from annotation.judging.forms import CardForm, GradeForm, ReleaseForm, SkipForm, UndoForm
from annotation.judging.pages.desk import (
    MOVED,
    PUT_OFF,
    SKIPPED,
    DeedResult,
    named_grade,
    own_card,
    result_of_grade,
    result_of_keep,
    result_of_undo,
)
from annotation.judging.pages.guidance import guideline_shown
from annotation.judging.read.card_documents import evidence_fits
from annotation.judging.read.cards import card_contents
from annotation.judging.read.recent import recent_judgments
from annotation.judging.steps.claiming import claim_next
from annotation.judging.steps.desk import desk_at
from annotation.judging.steps.grading import Conflict, record_judgment
from annotation.judging.steps.leases import release_ahead, renew_lease
from annotation.judging.steps.putting_off import put_off, skip_item
from annotation.judging.steps.undo import keep_grade, reopen
from annotation.judging.views.judge_answer import (
    bad_form,
    desk_context,
    fetching,
    go_on,
    is_scripted,
    render_page,
)
from annotation.kernel import clock
from annotation.kernel.access import participation_for
from annotation.kernel.request import Request
from annotation.models import Participation


@login_required
@require_GET
@never_cache
def judge(request: Request, token: str) -> HttpResponse:
    return render_page(request, participation_for(request.user, token))


@login_required
@require_POST
def judge_start(request: Request, token: str) -> HttpResponse:
    participation = participation_for(request.user, token)
    claim_next(participation, moment=clock.now(), **fetching(request))
    return _reload_and_go_on(request, participation)


@login_required
@require_POST
def judge_grade(request: Request, token: str) -> HttpResponse:
    participation = participation_for(request.user, token, though_left=True)
    form = GradeForm(request.POST, scale=participation.batch.scale)
    if not form.is_valid():
        return bad_form(form)
    with own_card():
        if not evidence_fits(participation, form.cleaned_data["token"], form.cleaned_data["evidence_end"]):
            form.add_error("evidence_end", "The document ends before.")
            return bad_form(form)
        outcome, workspace = record_judgment(
            participation, **form.cleaned_data, moment=clock.now(), **fetching(request)
        )
    if isinstance(outcome, Conflict):
        return _ask_which_grade(request, participation, outcome, form)
    result = result_of_grade(participation, outcome, form.cleaned_data["token"])
    return go_on(request, participation, result, desk=desk_at(workspace))


@login_required
@require_POST
def judge_skip(request: Request, token: str) -> HttpResponse:
    participation = participation_for(request.user, token)
    form = SkipForm(request.POST)
    if not form.is_valid():
        return bad_form(form)
    with own_card():
        skip_item(participation, **form.cleaned_data, moment=clock.now(), **fetching(request))
    return _reload_and_go_on(request, participation, DeedResult(about=form.cleaned_data["token"], text=SKIPPED))


@login_required
@require_POST
def judge_later(request: Request, token: str) -> HttpResponse:
    participation = participation_for(request.user, token)
    form = CardForm(request.POST)
    if not form.is_valid():
        return bad_form(form)
    with own_card():
        put_off(participation, **form.cleaned_data, moment=clock.now(), **fetching(request))
    return _reload_and_go_on(request, participation, DeedResult(about=form.cleaned_data["token"], text=PUT_OFF))


@login_required
@require_POST
def judge_undo(request: Request, token: str) -> HttpResponse:
    """Open the last judged card again, or the one named by a token."""
    participation = participation_for(request.user, token)
    form = UndoForm(request.POST)
    if not form.is_valid():
        return bad_form(form)
    about = form.cleaned_data["token"]
    with own_card():
        card = reopen(participation, token=about, moment=clock.now())
    return _reload_and_go_on(request, participation, result_of_undo(card, about))


@login_required
@require_POST
def judge_keep(request: Request, token: str) -> HttpResponse:
    """Leave the reopened card as it was."""
    participation = participation_for(request.user, token)
    grade = keep_grade(participation)
    return _reload_and_go_on(request, participation, result_of_keep(participation, grade))


@login_required
@require_POST
def judge_heartbeat(request: Request, token: str) -> HttpResponse:
    """The page is in use: keep what it holds. 410 when the item has gone to someone else."""
    participation = participation_for(request.user, token)
    form = CardForm(request.POST)
    if not form.is_valid():
        return bad_form(form)
    kept = renew_lease(participation, **form.cleaned_data, moment=clock.now())
    return HttpResponse(status=204 if kept else 410)


@login_required
@require_POST
def judge_release(request: Request, token: str) -> HttpResponse:
    """The page is closed or left: give back the cards that it has fetched ahead and not shown."""
    participation = participation_for(request.user, token, though_left=True)
    form = ReleaseForm(request.POST)
    if not form.is_valid():
        return bad_form(form)
    with own_card():
        fields = form.cleaned_data
        release_ahead(participation, tokens=fields["token"], page=fields["page"], moment=clock.now())
    return HttpResponse(status=204)


@login_required
@require_GET
@never_cache
def judge_recent(request: Request, token: str) -> HttpResponse:
    """The person's last judgments in the batch, each with a way back to it while it may be changed."""
    participation = participation_for(request.user, token)
    context = {"batch": participation.batch, "recent": recent_judgments(participation)}
    return render(request, "annotation/judging/judge_recent.html", context)


def _reload_and_go_on(request: Request, participation: Participation, result: DeedResult = MOVED) -> HttpResponse:
    """As `go_on`, after a step that has changed the row of the participation."""
    participation = participation_for(request.user, participation.batch.token, though_left=True)
    return go_on(request, participation, result)


def _ask_which_grade(
    request: Request, participation: Participation, conflict: Conflict, form: GradeForm
) -> HttpResponse:
    """409: the card was answered with another grade before; the person chooses which stands."""
    fields = {
        **form.cleaned_data,
        "given": named_grade(participation, conflict.judgment.grade),
        "asked": named_grade(participation, form.cleaned_data["grade"]),
        "token": conflict.card.token,
    }
    (card,) = card_contents([conflict.card], batch=participation.batch, moment=clock.now())
    inner = "annotation/judging/judge_conflict.html"
    context = desk_context(participation) | {"card": card, "conflict": fields, "fragment": inner}
    if is_scripted(request):
        return render(request, inner, context, status=409)
    guideline = guideline_shown(participation, conflict.card, topic=card.topic_number)
    return render(request, "annotation/judging/judge.html", context | {"guideline": guideline}, status=409)
