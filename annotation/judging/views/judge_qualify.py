"""A qualification round: answer a pair, read what is right and why; at the end, how it went. Needs no script."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation.judging.forms import AnswerForm, ConsentForm
from annotation.judging.pages.guidance import guideline_shown
from annotation.judging.read.cards import lesson_content
from annotation.judging.read.qualifying import (
    answer_to,
    answers_in,
    is_right,
    last_attempt,
    next_pair,
    results_by_grade,
    round_progress,
)
from annotation.judging.steps.choices import choices_of
from annotation.judging.steps.qualifying import answer_pair, begin_attempt
from annotation.judging.views.judge_answer import desk_context
from annotation.kernel import clock
from annotation.kernel.access import participation_for
from annotation.kernel.request import Request
from annotation.models import Deed, Participation, Qualification, QualificationAttempt, QualificationItem

# What one does beside grading, on the page of a lesson as on that of a card.
LESSON_DEEDS = {
    *(Deed.WHOLE, Deed.MARKS, Deed.NEXT_MARK, Deed.PREVIOUS_MARK),
    *(Deed.GUIDELINE, Deed.MEANINGS, Deed.TOPIC, Deed.KEYS),
}


@login_required
@require_GET
@never_cache
def judge_qualify(request: Request, token: str) -> HttpResponse:
    """The next pair of the attempt under way; without one, how the last attempt went."""
    participation, qualification = _participation_in_round(request, token)
    attempt = last_attempt(qualification, participation.annotator_id)
    if attempt is None:
        return redirect("judge", token=token)
    if attempt.passed is not None:
        return _render_result(request, participation, qualification, attempt)
    n_done = len(answers_in(attempt))
    return _render_pair(request, participation, qualification, item=next_pair(attempt), n_done=n_done)


@login_required
@require_POST
def judge_qualify_begin(request: Request, token: str) -> HttpResponse:
    """Where a text comes first, the page shows it, and agreeing to it leads on to the round."""
    participation, _ = _participation_in_round(request, token)
    if begin_attempt(participation, moment=clock.now()):
        return redirect("judge_qualify", token=token)
    return redirect(reverse("judge", args=[token], query={"then": ConsentForm.TRAINING}))


@login_required
@require_http_methods(["GET", "POST"])
@never_cache
def judge_qualify_pair(request: Request, token: str, item: str) -> HttpResponse:
    """POST answers the pair, once. GET shows what is right and why, to whoever has answered it."""
    participation, qualification = _participation_in_round(request, token)
    if request.method == "POST":
        return _take_answer(request, participation, qualification, item)
    attempt = last_attempt(qualification, participation.annotator_id)
    answer = answer_to(attempt, item) if attempt else None
    if attempt is None or answer is None:
        return redirect("judge_qualify", token=token)
    return _render_pair(
        request,
        participation,
        qualification,
        item=answer.item,
        n_done=len(answers_in(attempt)),
        answer=answer,
        said=_named(qualification, answer.grade),
        right=[_named(qualification, grade) for grade in answer.item.accepted],
        is_right=is_right(answer),
        is_over=attempt.passed is not None,
        has_passed=bool(attempt.passed),
    )


def _named(qualification: Qualification, grade: int) -> str:
    return f"{grade} {qualification.scale.name_of(grade)}"


def _participation_in_round(request: Request, token: str) -> tuple[Participation, Qualification]:
    """The participation, and the round that its batch asks for; 404 where it asks for none."""
    participation = participation_for(request.user, token)
    qualification = participation.batch.qualification
    if qualification is None:
        raise Http404("This batch asks for no round.")
    return participation, qualification


def _take_answer(
    request: Request, participation: Participation, qualification: Qualification, item: str
) -> HttpResponse:
    form = AnswerForm(request.POST, scale=qualification.scale)
    if not form.is_valid():
        return redirect("judge_qualify", token=participation.batch.token)
    try:
        answer_pair(participation, token=item, **form.cleaned_data, moment=clock.now())
    except QualificationItem.DoesNotExist as unknown:
        raise Http404("No such pair.") from unknown
    return redirect("judge_qualify_pair", token=participation.batch.token, item=item)


def _render_pair(
    request: Request,
    participation: Participation,
    qualification: Qualification,
    *,
    item: QualificationItem,
    n_done: int,
    **context: object,
) -> HttpResponse:
    card, choices = lesson_content(item), choices_of(request.user)
    context |= desk_context(participation) | {
        "lesson": True,
        "qualification": qualification,
        "scale": qualification.scale.grades,
        "item": item,
        "card": card,
        "n_done": n_done,
        "n_pairs": qualification.items.count(),
        "guideline": guideline_shown(participation, None, topic=card.topic_number),
        "deeds": [(deed, text) for deed, text in Deed.choices if _is_of_lessons(deed)],
        "keys": {deed: key for deed, key in choices.bindings.items() if _is_of_lessons(deed)},
        "choices": choices,
    }
    return render(request, "annotation/judging/judge_qualify.html", context)


def _is_of_lessons(deed: str) -> bool:
    return deed in LESSON_DEEDS or deed.startswith("grade_")


def _render_result(
    request: Request, participation: Participation, qualification: Qualification, attempt: QualificationAttempt
) -> HttpResponse:
    answers = answers_in(attempt)
    context = {
        "batch": participation.batch,
        "qualification": qualification,
        "round_progress": round_progress(qualification, participation.annotator_id),
        "results": results_by_grade(answers),
        "answers": [(answer, is_right(answer)) for answer in answers],
        "n_right": sum(map(is_right, answers)),
        "passed": attempt.passed,
    }
    return render(request, "annotation/judging/judge_qualify_result.html", context)
