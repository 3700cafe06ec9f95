"""A/B tests of a collection: the list; one with its story and what may be asked; its files; deleting it."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.text import slugify
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation.kernel.access import ADMIN, RESEARCH, collection_for
from annotation.kernel.files import text_file
from annotation.kernel.jobs.latest import latest_jobs
from annotation.kernel.page import render_jobs, render_page
from annotation.kernel.request import Request
from annotation.models import Collection
from evaluation.ab_tests.forms import QuestionForm
from evaluation.ab_tests.pages import findings_of, guardrail_rows, measure_parts, segment_parts
from evaluation.ab_tests.read import analyses_of, analysis_jobs, experiment_named, experiments_of
from evaluation.ab_tests.steps.analysing import ExperimentUsedError, ask_analysis, delete_experiment
from evaluation.formats.comparison import shown_p
from evaluation.formats.experiment import FORMATS
from evaluation.models import Experiment, ExperimentAnalysis

MOST_LISTED = 20
ENDINGS = {"csv": "csv", "looks": "csv", "json": "json"}


@login_required
@require_GET
def ab_tests(request: Request, slug: str) -> HttpResponse:
    collection = collection_for(request.user, slug, RESEARCH)
    return render_page(
        request,
        "evaluation/ab_tests/ab_tests.html",
        collection=collection,
        page_obj=Paginator(experiments_of(collection), 100).get_page(request.GET.get("page")),
    )


@login_required
@require_http_methods(["GET", "POST"])
def ab_test(request: Request, slug: str, experiment: str) -> HttpResponse:
    """The analysis that was asked for last, or `?analysis=`; while a job works, the page polls."""
    test = _experiment(collection_for(request.user, slug, RESEARCH), experiment)
    sent = QuestionForm(request.POST, experiment=test) if request.method == "POST" else None
    if sent and sent.is_valid():
        ask_analysis(test, sent.question, created_by=request.user)
        return redirect("ab_test", slug=slug, experiment=experiment)
    jobs = latest_jobs(analysis_jobs(test))
    if request.htmx:
        return render_jobs(request, collection=test.collection, jobs=jobs)
    stored = list(analyses_of(test)[:MOST_LISTED])
    chosen = _chosen(request, test) or next(iter(stored), None)
    return render_page(
        request,
        "evaluation/ab_tests/ab_test.html",
        collection=test.collection,
        section="ab_tests",
        experiment=test,
        form=sent or QuestionForm.asking(chosen, test),
        jobs=jobs,
        stored=[each for each in stored if each != chosen],
        chosen=chosen,
        **(_shown(chosen) if chosen else {}),
        status=422 if sent else 200,
    )


@login_required
@require_GET
def ab_test_file(request: Request, slug: str, experiment: str, pk: int) -> HttpResponse:
    """`?form=`: `csv` of differences, `looks`, or `json` with all of it; the command's.

    Where the sample ratio does not fit, JSON alone: it has the verdict beside each difference, a table has not."""
    test = _experiment(collection_for(request.user, slug, RESEARCH), experiment)
    stored: ExperimentAnalysis = get_object_or_404(analyses_of(test), pk=pk)
    form = request.GET.get("form", "csv")
    if form not in ENDINGS or (form != "json" and stored.facts["sample_ratio"]["mismatch"]):
        raise Http404("No such form.")
    return text_file(slugify(f"{slug}-{experiment}-{form}"), ENDINGS[form], FORMATS[form](stored.facts))


@login_required
@require_POST
def ab_test_delete(request: Request, slug: str, experiment: str) -> HttpResponse:
    test = _experiment(collection_for(request.user, slug, ADMIN), experiment)
    try:
        delete_experiment(test, actor=request.user)
    except ExperimentUsedError as error:
        messages.error(request, str(error))
        return redirect("ab_test", slug=slug, experiment=experiment)
    messages.success(request, f"The experiment {experiment} is deleted.")
    return redirect("ab_tests", slug=slug)


def _experiment(collection: Collection, name: str) -> Experiment:
    experiment = experiment_named(collection, name)
    if experiment is None:
        raise Http404("No such experiment.")
    return experiment


def _chosen(request: Request, experiment: Experiment) -> ExperimentAnalysis | None:
    number = request.GET.get("analysis", "")
    if not number:
        return None
    if not (number.isascii() and number.isdigit() and len(number) < 19):
        raise Http404("No such analysis.")
    chosen: ExperimentAnalysis = get_object_or_404(analyses_of(experiment), pk=int(number))
    return chosen


def _shown(stored: ExperimentAnalysis) -> dict[str, Any]:
    """Where the sample ratio does not fit, no difference is shown."""
    facts = stored.facts
    ratio = facts["sample_ratio"]
    units = [(name, n, ratio["expected"][name]) for name, n in ratio["n"].items()]
    shown = {
        "facts": facts,
        "ratio": ratio,
        "ratio_p": shown_p(ratio["p"]),
        "units": units,
        "sentences": facts["conclusion"],
    }
    if ratio["mismatch"]:
        return shown
    return {
        **shown,
        "measures": measure_parts(facts),
        "guardrails": guardrail_rows(facts),
        "segments": segment_parts(facts),
        "findings": findings_of(facts),
    }
