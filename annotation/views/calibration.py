"""How far the confidence of a policy holds."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.views.decorators.http import require_GET

from annotation.access import RESEARCH, collection_for
from annotation.forms.quality import ChoiceOfOne
from annotation.models import Collection
from annotation.quality.consolidation import CONSOLIDATORS, RULE_WORDS
from annotation.quality.policy import Policy as Parameters
from annotation.queries.policies import parameters_of, policies_of
from annotation.queries.quality import CalibrationReport, calibration_report, judged_batches, trials
from annotation.views.page import render_page
from annotation.views.request import Request


@login_required
@require_GET
def policies_calibration(request: Request, slug: str) -> HttpResponse:
    """Reckons once something is asked for: with many judgments it takes some seconds."""
    collection = collection_for(request.user, slug, RESEARCH)
    stored = {str(policy): parameters_of(policy) for policy in policies_of(collection)}
    on_trial = trials(CONSOLIDATORS)
    named = stored | on_trial
    words = {name: name for name in stored} | {
        name: f"On trial: {RULE_WORDS[p.consolidation]}" for name, p in on_trial.items()
    }
    given = request.GET if {"batch", "policy"} & request.GET.keys() else None
    choice = ChoiceOfOne(given, batches=judged_batches(collection), names=words)
    report = _reported(collection, choice, named) if choice.is_bound and choice.is_valid() else None
    return render_page(
        request,
        "annotation/policies_calibration.html",
        collection=collection,
        section="quality",
        choice=choice,
        report=report,
        status=422 if choice.errors else 200,
    )


def _reported(collection: Collection, choice: ChoiceOfOne, named: dict[str, Parameters]) -> CalibrationReport | None:
    name = choice.cleaned_data["policy"]
    try:
        return calibration_report(collection, choice.chosen_batches(), name, named[name])
    except ValueError as fault:
        choice.add_error("batch", str(fault))
        return None
