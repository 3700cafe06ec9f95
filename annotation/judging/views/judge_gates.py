"""What a person answers to what stands before a card: the text to agree to, the guideline that has changed."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from annotation.judging.forms import ConsentForm
from annotation.judging.pages.desk import MOVED_ON
from annotation.judging.steps.claiming import claim_next
from annotation.judging.steps.gates import acknowledge_guideline, give_consent
from annotation.judging.steps.qualifying import begin_attempt
from annotation.kernel import clock
from annotation.kernel.access import participation_for
from annotation.kernel.forms import ShownVersionForm
from annotation.kernel.request import Request

DECLINED = "You have not agreed, so nothing was handed to you. If you change your mind, begin the batch again."


@login_required
@require_POST
def judge_consent(request: Request, token: str) -> HttpResponse:
    """Agree to the version that was shown; another one that is asked for by now is shown first. Whoever had begun the
    round of training goes on with it."""
    participation, form, moment = participation_for(request.user, token), ConsentForm(request.POST), clock.now()
    if not (form.is_valid() and give_consent(participation, number=form.cleaned_data["number"], moment=moment)):
        messages.warning(request, MOVED_ON)
    elif form.cleaned_data["then"] and participation.batch.qualification_id:
        begun = begin_attempt(participation, moment=moment)
        return redirect("judge_qualify" if begun else "judge", token=token)
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
    if form.is_valid() and acknowledge_guideline(participation, **form.cleaned_data, moment=clock.now()):
        claim_next(participation, moment=clock.now())
    else:
        messages.warning(request, MOVED_ON)
    return redirect("judge", token=token)
