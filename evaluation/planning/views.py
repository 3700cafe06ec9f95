"""An experiment planned on a page: the numbers and words of the API and of the command. Nothing is stored."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, StreamingHttpResponse
from django.views.decorators.http import require_GET

from annotation.kernel.access import RESEARCH, collection_for
from annotation.kernel.files import Outgoing, download
from annotation.kernel.page import render_page, unknown_parameters
from annotation.kernel.request import Request
from evaluation.engine.planning.plan import Plan, plan
from evaluation.engine.planning.words import words_of
from evaluation.planning.forms import EXAMPLES, EstimatesForm, PlanForm
from evaluation.planning.pages import command_of, shown_estimates, size_plot
from evaluation.planning.read import sample_lines


@login_required
@require_GET
def experiment_plan(request: Request, slug: str) -> HttpResponse:
    """Everything that was asked stands in the address; with nothing there, or another design alone, an example."""
    collection = collection_for(request.user, slug, RESEARCH)
    entered = request.GET.dict()
    design = entered.get("design") or "groups"
    if not any(value for name, value in entered.items() if name != "design"):
        entered = {"design": design, **EXAMPLES.get(design, {})}
    form = PlanForm({"design": design, **entered})
    answer = _answer(form) if form.is_valid() else None
    return render_page(
        request,
        "evaluation/planning/experiment_plan.html",
        collection=collection,
        section="experiments",
        form=form,
        unknown=unknown_parameters(request.GET, PlanForm.base_fields),
        status=422 if form.errors else 200,
        **(_shown(answer) if answer else {}),
    )


@login_required
@require_GET
def experiment_sample(request: Request, slug: str) -> StreamingHttpResponse:
    """Topics drawn from the newest query log, with their inclusion probabilities: what `estimate_means` reads."""
    collection = collection_for(request.user, slug, RESEARCH)
    return download(Outgoing(f"{slug}-sample.tsv", "text/tab-separated-values", sample_lines(collection)))


@login_required
@require_GET
def experiment_estimates(request: Request, slug: str) -> HttpResponse:
    """Means of evaluated runs over all queries of the log that the topics were drawn from."""
    collection = collection_for(request.user, slug, RESEARCH)
    form = EstimatesForm(request.GET, collection=collection)
    shown: dict[str, Any] = {}
    if form.is_valid():
        try:
            shown = shown_estimates(form.estimates())
        except ValueError as reason:
            shown = {"reason": str(reason)}
    return render_page(
        request,
        "evaluation/planning/experiment_estimates.html",
        collection=collection,
        section="experiment_plan",
        form=form,
        unknown=unknown_parameters(request.GET, form.fields),
        status=422 if request.GET.get("measure") and form.errors else 200,
        **shown,
    )


def _answer(form: PlanForm) -> Plan | None:
    """What the engine refuses becomes an error of the form."""
    try:
        return plan(form.question())
    except ValueError as reason:
        words = str(reason)
        form.add_error(None, f"{words[0].upper()}{words[1:]}.")
        return None


def _shown(answer: Plan) -> dict[str, Any]:
    return {
        "plan": answer,
        "sentences": words_of(answer),
        "plot": size_plot(answer),
        "upwards": "± of the interval" if answer.question.design == "interval" else "power",
        "command": command_of(answer.question),
    }
