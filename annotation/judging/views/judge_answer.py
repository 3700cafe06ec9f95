"""What the judging page gets: the whole page, or the short answer to a deed that its script has sent.

A script names the cards that the page holds in the header `X-Judge`; the answer brings those that
it lacks. The page itself it names in `X-Judge-Page`, and in `X-Judge-Ahead` how many cards it would
hold behind the one on the screen.
"""

import re
from typing import TypedDict

from django.contrib import messages
from django.forms import Form
from django.http import HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect, render
from django.template.context_processors import csrf
from django.template.loader import render_to_string

from annotation.judging.pages.desk import MOVED, PAGE_NAME, DeedResult, contents_of, pause_context
from annotation.judging.pages.guidance import gate_context, guideline_shown, person_of
from annotation.judging.steps.choices import choices_of
from annotation.judging.steps.desk import Desk, desk_of
from annotation.kernel import clock
from annotation.kernel.request import Request
from annotation.models import Assignment, Deed, JudgingChoices, Participation

GATES = {
    "information": "judge_information",
    "qualification": "judge_qualification",
    "guideline": "judge_guideline_changed",
}
FRAGMENTS = {"card": "judge_card", "break": "judge_break_card", **dict.fromkeys(GATES, "judge_gate_card")}
AHEAD = re.compile("[0-9]")
PAGES = {"card": "judge", "start": "judge_start", "break": "judge_break", **GATES}


AT_FIRST = 2  # cards that come with the page; its script asks for the others at once
LEVELS = {"refused": messages.WARNING, "saved": messages.SUCCESS, "replayed": messages.SUCCESS}


def is_scripted(request: Request) -> bool:
    return "X-Judge" in request.headers


class Fetching(TypedDict):
    """How many cards are fetched ahead, and who does so: `page` as it names itself, "" for none."""

    ahead: int
    page: str


def fetching(request: Request) -> Fetching:
    named = request.headers.get("X-Judge-Page", "")
    ahead = request.headers.get("X-Judge-Ahead", "1")
    return {
        "ahead": int(ahead) if is_scripted(request) and AHEAD.fullmatch(ahead) else 0,
        "page": named if PAGE_NAME.fullmatch(named) else "",
    }


def bad_form(form: Form) -> HttpResponse:
    return HttpResponseBadRequest(form.errors.as_text(), content_type="text/plain; charset=utf-8")


def go_on(
    request: Request, participation: Participation, result: DeedResult = MOVED, *, desk: Desk | None = None
) -> HttpResponse:
    """Answer a deed: a script with what the page lacks, a plain form with the page."""
    if is_scripted(request):
        desk = desk or desk_of(participation, moment=clock.now())
        return _answer(request, participation, desk, result)
    if result.text:
        messages.add_message(request, LEVELS.get(result.outcome, messages.INFO), result.text)
    return redirect("judge", token=participation.batch.token) if participation.is_active else redirect("home")


def render_page(request: Request, participation: Participation) -> HttpResponse:
    moment = clock.now()
    desk = desk_of(participation, moment=moment)
    choices = choices_of(request.user)
    is_whole = choices.reading == JudgingChoices.Reading.WHOLE
    contents = contents_of(participation, desk.cards[:AT_FIRST], moment=moment, first_whole=is_whole, more=desk.more)
    context = desk_context(participation) | {
        "card": contents[0] if contents else None,
        "following": contents[1] if contents[1:] else None,
        "progress": desk.progress,
        "session": desk.session,
        "why": desk.state,
        "guideline": guideline_shown(participation, desk.card, topic=contents[0].topic_number if contents else None),
        "deeds": Deed.choices,
        "keys": choices.bindings,
        "choices": choices,
        "fragment": _fragment(desk),
        **gate_context(participation, desk.state),
        **pause_context(participation, desk),
    }
    return render(request, f"annotation/judging/{PAGES.get(desk.state, 'judge_finished')}.html", context)


def desk_context(participation: Participation) -> dict[str, object]:
    """What every part of the page may need. `person`: whose page it is, for what the browser keeps."""
    batch = participation.batch
    return {
        "batch": batch,
        "scale": batch.scale.grades,
        "floor_seconds": batch.minimum_seconds,
        "skip_reasons": Assignment.SkipReason.choices,
        "person": person_of(participation),
    }


def _answer(request: Request, participation: Participation, desk: Desk, result: DeedResult) -> HttpResponse:
    page_tokens = {token.strip() for token in request.headers.get("X-Judge", "").split(",")}
    lacking = [card for card in desk.cards if card.token not in page_tokens]
    tokens = [card.token for card in desk.cards]
    context = desk_context(participation) | {
        "result": result,
        "current": tokens[0] if tokens else "",
        "ahead": tokens[1:],
        "cards": contents_of(participation, lacking, moment=clock.now(), more=desk.more),
        "saved": result.saved,
        "progress": desk.progress,
        "session": desk.session,
        "why": desk.state,
        "fragment": "" if desk.cards else _fragment(desk),
        **pause_context(participation, desk),
    }
    # cards need nothing of the request but its token; what else may stand there has all that pages have
    whole = None if desk.cards else request
    return HttpResponse(render_to_string("annotation/judging/judge_answer.html", context | csrf(request), whole))


def _fragment(desk: Desk) -> str:
    """What stands where the card would be."""
    return f"annotation/judging/{FRAGMENTS.get(desk.state, 'judge_finished_card')}.html"
