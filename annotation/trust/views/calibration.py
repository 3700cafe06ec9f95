"""How far the confidence of a policy holds."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.views.decorators.http import require_GET

from annotation.kernel.access import RESEARCH, collection_for
from annotation.kernel.files import csv_file
from annotation.kernel.page import render_page
from annotation.kernel.request import Request
from annotation.models import Batch, Collection
from annotation.quality.consolidation import CONSOLIDATORS, RULE_WORDS
from annotation.trust.forms.quality import ChoiceOfOne
from annotation.trust.pages.calibrated import CalibrationReport, calibration_report
from annotation.trust.pages.policy_tables import CONFIDENCE
from annotation.trust.read.comparison import trials
from annotation.trust.read.policies import parameters_of, policies_of
from annotation.trust.read.withheld import judged_batches


@login_required
@require_GET
def policies_calibration(request: Request, slug: str) -> HttpResponse:
    """Computes once something is chosen: with many judgments it takes some seconds."""
    collection = collection_for(request.user, slug, RESEARCH)
    choice, report = _report(request, collection)
    return render_page(
        request,
        "annotation/trust/policies_calibration.html",
        collection=collection,
        section="policies",
        choice=choice,
        report=report,
        status=422 if choice.errors else 200,
    )


@login_required
@require_GET
def policies_calibration_csv(request: Request, slug: str) -> HttpResponse:
    """Tenth by tenth, what the page shows under the same address."""
    _, report = _report(request, collection_for(request.user, slug, RESEARCH))
    if report is None:
        raise Http404("The address chooses nothing that can be looked at.")
    return csv_file(f"{slug}-confidence", CONFIDENCE.csv(report))


def _report(request: Request, collection: Collection) -> tuple[ChoiceOfOne, CalibrationReport | None]:
    stored = {str(policy): parameters_of(policy) for policy in policies_of(collection)}
    on_trial = trials(CONSOLIDATORS)
    named = stored | on_trial
    words = {name: name for name in stored} | {
        name: f"On trial: {RULE_WORDS[p.consolidation]}" for name, p in on_trial.items()
    }
    query = request.GET if {"batch", "policy"} & request.GET.keys() else None
    choice = ChoiceOfOne(query, batches=judged_batches(collection), names=words)

    def compute(batches: list[Batch]) -> CalibrationReport:
        name = choice.cleaned_data["policy"]
        return calibration_report(collection, batches, name, named[name])

    return choice, choice.report(compute)
