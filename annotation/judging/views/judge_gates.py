"""What stands before a card: the text to agree to, the guideline that has changed. Each page does without a script."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.views.decorators.http import require_POST

from annotation.corpus.read import GuidelineContent, changes_to_read, guideline_content, text_changes, turn_of
from annotation.judging import steps as judging
from annotation.judging.read.guidance import agreed_before, guideline_known_to
from annotation.judging.read.qualifying import round_progress
from annotation.kernel.access import participation_for
from annotation.kernel.forms import ShownVersionForm
from annotation.kernel.request import Request
from annotation.models import Card, GuidelineVersion, Participation
from annotation.text.markdown import render_markdown

MOVED = "Another version has come into force meanwhile. This is it."
DECLINED = "You have not agreed, so nothing was handed to you. If you change your mind, begin the batch again."


@login_required
@require_POST
def judge_consent(request: Request, token: str) -> HttpResponse:
    """Agree to the version that was shown; another one that is asked for by now is shown first."""
    participation = participation_for(request.user, token)
    form = ShownVersionForm(request.POST)
    if not (form.is_valid() and judging.give_consent(participation, **form.cleaned_data, moment=timezone.now())):
        messages.warning(request, MOVED)
    return redirect("judge", token=token)


@login_required
@require_POST
def judge_decline(request: Request, token: str) -> HttpResponse:
    """Nothing is written down: who does not agree has not taken part."""
    participation_for(request.user, token)
    messages.info(request, DECLINED)
    return redirect("home")


@login_required
@require_POST
def judge_acknowledge(request: Request, token: str) -> HttpResponse:
    """Take note of the version of the guideline that was shown, and go on with the next card."""
    participation = participation_for(request.user, token)
    form = ShownVersionForm(request.POST)
    if form.is_valid() and judging.acknowledge_guideline(participation, **form.cleaned_data, moment=timezone.now()):
        judging.claim_next(participation, moment=timezone.now())
    else:
        messages.warning(request, MOVED)
    return redirect("judge", token=token)


def person_of(participation: Participation) -> str:
    """An opaque name of the person in this batch, under which their browser may keep something."""
    return salted_hmac("judging page", str(participation.pk)).hexdigest()[:22]


def guideline_shown(
    participation: Participation, card: Card | None, *, topic: str | None = None
) -> GuidelineContent | None:
    """The guideline beside a card: the version that a judgment on it will carry; without a card the one in force.

    A newer one is shown before the next card is handed out, with what changed. By `topic` (its number) the worked
    examples take turns.
    """
    batch = participation.batch
    version, carried = batch.collection.guideline, _carried(participation, card)
    if version is not None and carried not in (None, version.pk):
        version = GuidelineVersion.objects.get(pk=carried)
    turn = None if topic is None else turn_of(person_of(participation), topic)
    return guideline_content(version, batch.scale, turn=turn)


def guideline_name(participation: Participation, card: Card) -> str:
    """An opaque name of what `guideline_shown` gives, by which a script sees that a card needs another one."""
    return salted_hmac("guideline", str(_carried(participation, card))).hexdigest()[:8]


def _carried(participation: Participation, card: Card | None) -> int | None:
    in_force = participation.batch.collection.guideline_id
    return (judging.guideline_of_judgment(participation, card) if card else None) or in_force


def gate_context(participation: Participation, gate: str) -> dict[str, object]:
    """What the page of a gate shows; nothing for other states of a desk."""
    contexts = {"information": _information, "qualification": _qualification, "guideline": _guideline}
    return contexts[gate](participation) if gate in contexts else {}


def _information(participation: Participation) -> dict[str, object]:
    information = participation.batch.information
    assert information is not None
    agreed = agreed_before(participation.annotator_id, information.pk)
    return {
        "information": information,
        "text": render_markdown(information.text),
        "agreed_before": agreed,
        "changed": text_changes(agreed.information.text, information.text) if agreed else [],
    }


def _qualification(participation: Participation) -> dict[str, object]:
    qualification = participation.batch.qualification
    assert qualification is not None
    progress = round_progress(qualification, participation.annotator_id)
    return {"qualification": qualification, "round_progress": progress}


def _guideline(participation: Participation) -> dict[str, object]:
    """The changes since the version that the person acknowledged last, however many versions lie between."""
    batch = participation.batch
    before, after = guideline_known_to(participation.annotator_id), batch.collection.guideline
    assert before is not None
    assert after is not None
    return {
        "before": before,
        "changed": changes_to_read(before, after),
        "guideline": guideline_content(after, batch.scale),
    }
