"""How sure the order of runs is: what was studied, asking for more, one study, and the shares of two runs."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.text import slugify
from django.views.decorators.http import require_GET, require_http_methods

from annotation.kernel.access import RESEARCH, collection_for
from annotation.kernel.files import text_file
from annotation.kernel.forms import errors_in
from annotation.kernel.jobs.latest import jobs_of_kind, latest_jobs
from annotation.kernel.page import render_jobs, render_page
from annotation.kernel.request import Request
from annotation.models import Snapshot
from evaluation.engine.measures import parse_measure
from evaluation.engine.sensitivity.conclusions import REPLICATION, refusals, share_sentence, verdict
from evaluation.engine.sensitivity.evidence import POOL_DEPTH
from evaluation.formats.sensitivity import FORMATS
from evaluation.leaderboard.pages.links import pages_of_runs
from evaluation.leaderboard.read.evaluations import evaluations_of
from evaluation.models import Evaluation, SensitivityStudy
from evaluation.sensitivity.forms import MEASURE, SensitivityForm, SharesForm
from evaluation.sensitivity.pages import judges_beside, kind_rows, neighbour_rows, share_rows, tau_plot
from evaluation.sensitivity.read import TakesLongError, shares_of_two, studied_in, studies_of
from evaluation.sensitivity.steps import STUDY, ask_sensitivity

MOST_LISTED = 20
ENDINGS = {"csv": "csv", "swaps": "csv", "shares": "csv", "orders": "csv", "json": "json"}


@login_required
@require_http_methods(["GET", "POST"])
def sensitivity(request: Request, slug: str) -> HttpResponse:
    """Asks for a study and lists those there are; while a job works, the page polls."""
    collection = collection_for(request.user, slug, RESEARCH)
    jobs = latest_jobs(jobs_of_kind(collection, STUDY))
    if request.htmx:
        return render_jobs(request, collection=collection, jobs=jobs)
    initial = {name: request.GET[name] for name in ("snapshot", "measure") if name in request.GET}
    form = SensitivityForm(request.POST or None, collection=collection, initial=initial)
    if request.method == "POST" and form.is_valid():
        with errors_in(form, ValueError):
            ask_sensitivity(**form.arguments(), created_by=request.user)
            return redirect("sensitivity", slug=slug)
    return render_page(
        request,
        "evaluation/sensitivity/sensitivity.html",
        collection=collection,
        section="leaderboard",
        form=form,
        jobs=jobs,
        has_snapshots=Snapshot.objects.filter(collection=collection).exists(),
        stored=[(each, verdict(studied_in(each))[0]) for each in studies_of(collection)[:MOST_LISTED]],
        status=422 if form.errors else 200,
    )


@login_required
@require_GET
def sensitivity_study(request: Request, slug: str, pk: int) -> HttpResponse:
    """One study, as it was made: the verdict, then a row a kind of change."""
    collection = collection_for(request.user, slug, RESEARCH)
    stored: SensitivityStudy = get_object_or_404(studies_of(collection), pk=pk)
    studied = studied_in(stored)
    rows = kind_rows(studied)
    return render_page(
        request,
        "evaluation/sensitivity/sensitivity_study.html",
        collection=collection,
        section="leaderboard",
        stored=stored,
        studied=studied,
        verdict=verdict(studied),
        replication=REPLICATION,
        rows=rows,
        judges=judges_beside(studied, pages_of_runs(slug, _evaluations(stored), stored.measure)),
        refused=refusals(studied),
        neighbours=neighbour_rows(studied, stored.snapshot.name),
        plot_b=tau_plot(rows, lambda row: row.tau_b, "τ-b"),
        plot_ap=tau_plot(rows, lambda row: row.tau_ap, "τ-AP"),
    )


@login_required
@require_GET
def sensitivity_file(request: Request, slug: str, pk: int) -> HttpResponse:
    """`?form=`: `csv` of cases, `swaps`, `shares`, `orders` by judge, or `json` with all of it; the command's."""
    collection = collection_for(request.user, slug, RESEARCH)
    stored: SensitivityStudy = get_object_or_404(studies_of(collection), pk=pk)
    form = request.GET.get("form", "csv")
    if form not in ENDINGS:
        raise Http404("No such form.")
    name = slugify(f"{slug}-{stored.snapshot.name}-{stored.measure}-sensitivity-{form}")
    return text_file(name, ENDINGS[form], FORMATS[form](studied_in(stored)))


@login_required
@require_GET
def sensitivity_shares(request: Request, slug: str) -> HttpResponse:
    """The shares of two runs: a page, or the part that stands on the comparison of the two. Without runs, the form."""
    collection = collection_for(request.user, slug, RESEARCH)
    asked = {"seed": "0", "measure": MEASURE, **request.GET.dict()} if {"first", "second"} & {*request.GET} else None
    form = SharesForm(asked, collection=collection)
    shown = _shares(form) if form.is_valid() else {}
    template = "sensitivity_shares_rows.html" if request.htmx else "sensitivity_shares.html"
    return render_page(
        request,
        f"evaluation/sensitivity/{template}",
        collection=collection,
        section="leaderboard",
        form=form,
        replication=REPLICATION,
        status=422 if form.errors else 200,
        **shown,
    )


def _shares(form: SharesForm) -> dict[str, Any]:
    """What the engine refuses is an error of the form; of what takes long, the study to ask for."""
    asked = form.cleaned_data
    runs = asked["first"], asked["second"]
    try:
        pair = shares_of_two(asked["snapshot"], runs, parse_measure(asked["measure"]), seed=asked["seed"])
    except TakesLongError as reason:
        return {"asked": asked, "long": str(reason), "pool_depth": POOL_DEPTH}
    except ValueError as reason:
        form.add_error(None, str(reason))
        return {}
    return {"pair": pair, "rows": share_rows(pair), "sentence": share_sentence(pair), "asked": asked}


def _evaluations(stored: SensitivityStudy) -> list[Evaluation]:
    """Of runs that were evaluated by the measure of the study, as it averages."""
    evaluations = evaluations_of(stored.collection, snapshot=stored.snapshot, averaging="complete")
    return [each for each in evaluations if stored.measure in each.measures]
