"""Evaluated runs compared by one measure, two or many: the numbers of the API and of the commands, for people."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.forms import Field
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.http import urlencode
from django.utils.text import slugify
from django.views.decorators.http import require_GET, require_http_methods

from annotation.corpus.read.texts import visible_topics
from annotation.kernel.access import RESEARCH, collection_for
from annotation.kernel.files import text_file
from annotation.kernel.page import render_page, unknown_parameters
from annotation.kernel.request import Request
from annotation.models import Collection, Snapshot
from evaluation.engine.conclusions import conclusion_of_many, conclusion_of_two
from evaluation.engine.many_runs import ManyRuns
from evaluation.engine.measures import is_quality, parse_measure
from evaluation.engine.two_runs import TwoRuns, compare_two
from evaluation.formats.many_runs import FORMATS
from evaluation.leaderboard.forms import ComparedForm, CompareForm, CompareManyForm
from evaluation.leaderboard.pages.links import pages_of_pairs, pages_of_runs
from evaluation.leaderboard.pages.many_runs import means_plot, triangle_of
from evaluation.leaderboard.pages.two_runs import drawing_of, paired_rows, topic_differences
from evaluation.leaderboard.read.board import Leaderboard, leaderboard_of
from evaluation.leaderboard.read.comparing import ManyQuestion, require_finite
from evaluation.leaderboard.read.evaluations import digits_of, values_of
from evaluation.leaderboard.steps.comparing import ManyAnswer, answer_many, ask_comparison
from evaluation.leaderboard.views.leaderboard import chosen_snapshot
from evaluation.models import Evaluation

ENDINGS = {"csv": "csv", "latex": "tex", "json": "json"}


@login_required
@require_GET
def leaderboard_compare(request: Request, slug: str) -> HttpResponse:
    """Everything that was asked stands in the address; without two runs, the form alone."""
    collection = collection_for(request.user, slug, RESEARCH)
    snapshot, averaging, _ = chosen_snapshot(request, collection)
    if snapshot is None:
        return render_page(request, "evaluation/leaderboard/leaderboard_none.html", collection=collection)
    board = leaderboard_of(snapshot, averaging=averaging)
    entered = _entered(request, CompareForm, {**_usual(board), "snapshot": snapshot.name, "averaging": averaging})
    form = CompareForm(entered, collection=collection, measures=_measures(board), tags=_tags(board))
    runs = _two(form, board) if len(board.rows) > 1 and form.is_valid() else None
    shown = _shown_two(runs, collection) | _queries(form, averaging) if runs else {}
    chosen: dict[str, Any] = {"board": board, "form": form, "snapshot": snapshot}
    return _page(request, "evaluation/leaderboard/leaderboard_compare.html", collection, **chosen, **shown)


@login_required
@require_http_methods(["GET", "POST"])
def leaderboard_compare_many(request: Request, slug: str) -> HttpResponse:
    """All evaluated runs or some of them; with `form` the figures as a file, the command's. What takes long is
    asked for by a POST to the same address and done in a job; the page polls and reloads once that has ended."""
    collection = collection_for(request.user, slug, RESEARCH)
    snapshot, averaging, _ = chosen_snapshot(request, collection)
    if snapshot is None:
        return render_page(request, "evaluation/leaderboard/leaderboard_none.html", collection=collection)
    board = leaderboard_of(snapshot, averaging=averaging)
    usual = {"measure": [*_measures(board), ""][0], "snapshot": snapshot.name, "averaging": averaging}
    entered = _entered(request, CompareManyForm, usual)
    form = CompareManyForm(entered, collection=collection, measures=_measures(board), tags=_tags(board))
    answer = _many(form, board) if len(board.rows) > 1 and form.is_valid() else None
    if request.method == "POST":
        return _ask_many(request, answer)
    if request.htmx:
        is_live = answer and answer.jobs.live
        return HttpResponse(status=204) if is_live else HttpResponse(headers={"HX-Refresh": "true"})
    many = answer.many if answer else None
    ending = ENDINGS.get(request.GET.get("form", ""))
    if many and ending:
        text = FORMATS[request.GET["form"]]([many], form.cleaned_data["seed"])
        return text_file(slugify(f"{collection.slug}-{snapshot.name}-{many.measure}"), ending, text)
    shown = _shown_many(many, answer.question, averaging) if many and answer else {}
    chosen: dict[str, Any] = {"board": board, "form": form, "snapshot": snapshot, "answer": answer}
    return _page(request, "evaluation/leaderboard/leaderboard_compare_many.html", collection, **chosen, **shown)


def _page(
    request: Request,
    template: str,
    collection: Collection,
    *,
    board: Leaderboard,
    form: ComparedForm,
    snapshot: Snapshot,
    **shown: Any,
) -> HttpResponse:
    averaging = form.data["averaging"]
    return render_page(
        request,
        template,
        collection=collection,
        section="leaderboard",
        snapshot=snapshot,
        averaging=averaging,
        board=board,
        form=form,
        unknown=unknown_parameters(request.GET, [*form.fields, "form"]),
        back=urlencode({"snapshot": snapshot.name, "averaging": averaging}),
        asked=_for_report(form, board),
        status=422 if len(board.rows) > 1 and form.errors else 200,
        **shown,
    )


def _for_report(form: ComparedForm, board: Leaderboard) -> str:
    """What the page shows, as the address of a new report says it."""
    asked = form.cleaned_data if form.is_bound and form.is_valid() else {}
    same = ("averaging", "test", "correction", "alpha", "confidence", "minimum", "threshold", "draws", "seed")
    pairs = [(name, asked[name]) for name in same if asked.get(name) not in (None, "")]
    two = [asked[name] for name in ("first", "second") if asked.get(name)]
    tags = two or asked.get("run") or _tags(board)
    pairs += [("snapshot", str(asked.get("snapshot", ""))), ("measures", asked.get("measure", ""))]
    return urlencode([*pairs, *(("runs", tag) for tag in tags)])


def _entered(request: Request, form: type[ComparedForm], usual: dict[str, str]) -> QueryDict:
    """What the address says; the usual where it says nothing, so that the form shows what holds."""
    entered = request.GET.copy()
    fields: dict[str, Field] = form.base_fields
    initial = {name: str(field.initial) for name, field in fields.items() if field.initial is not None}
    for name, value in {"test": form.tests[0], **initial, **usual}.items():
        entered.setdefault(name, value)
    return entered


def _tags(board: Leaderboard) -> list[str]:
    return [row.evaluation.run.tag for row in board.rows]


def _measures(board: Leaderboard) -> list[str]:
    """Those by which more is better and differences of topics add up."""
    return [name for name in board.measures if is_quality(name) and parse_measure(name).summary != "geometric"]


def _usual(board: Leaderboard) -> dict[str, str]:
    """At first the two best runs, by the first measure."""
    tags, measures = _tags(board), _measures(board)
    if len(tags) < 2 or not measures:
        return {}
    return {"measure": measures[0], "first": tags[0], "second": tags[1]}


def _two(form: CompareForm, board: Leaderboard) -> TwoRuns | None:
    """What the engine refuses is an error of the form."""
    asked = form.cleaned_data
    evaluations = _chosen(form, board, [asked["first"], asked["second"]])
    if not evaluations:
        return None
    try:
        first, second = (values_of(each) for each in evaluations)
        return compare_two(first, second, asked["measure"], form.design(), seed=asked["seed"])
    except ValueError as reason:
        form.add_error(None, str(reason))
        return None


def _ask_many(request: Request, answer: ManyAnswer | None) -> HttpResponse:
    if answer is None:
        raise Http404("No comparison is asked for here.")
    if answer.many is None and answer.jobs.live is None:
        ask_comparison(answer.question, created_by=request.user)
    return redirect(request.get_full_path())


def _many(form: CompareManyForm, board: Leaderboard) -> ManyAnswer | None:
    """What the engine refuses is an error of the form, and so is what would take a worker for ever."""
    asked = form.cleaned_data
    evaluations = _chosen(form, board, asked["run"] or _tags(board))
    if not evaluations:
        return None
    try:
        question = ManyQuestion(asked["snapshot"], evaluations, asked["measure"], form.design(), asked["seed"])
        require_finite(question)
        return answer_many(question)
    except ValueError as reason:
        form.add_error(None, str(reason))
        return None


def _chosen(form: ComparedForm, board: Leaderboard, tags: list[str]) -> list[Evaluation]:
    """Of the runs; none, and an error of the form, where one lacks the measure."""
    by_tag = {row.evaluation.run.tag: row.evaluation for row in board.rows}
    evaluations = [by_tag[tag] for tag in tags]
    lacking = [each.run.tag for each in evaluations if form.cleaned_data["measure"] not in each.measures]
    if lacking:
        form.add_error("measure", f"Not evaluated by this measure: {', '.join(lacking)}.")
        return []
    return evaluations


def _shown_two(runs: TwoRuns, collection: Collection) -> dict[str, Any]:
    numbers = visible_topics(collection).filter(number__in=runs.comparison.numbers).values_list("number", flat=True)
    rows = topic_differences(runs, set(numbers))
    return {
        "runs": runs,
        "pair": runs.pair,
        "mean": runs.comparison.mean,
        "digits": digits_of(runs.comparison.measure),
        "conclusion": conclusion_of_two(runs),
        "rows": rows,
        "drawing": drawing_of(rows),
        "tests": paired_rows(runs),
        "percent": f"{100 * runs.pair.interval.confidence:g}",
    }


def _queries(form: CompareForm, averaging: str) -> dict[str, str]:
    """How the two runs are named where their topics are, and where their shares of draws are; these are of means over
    all topics alone."""
    asked = form.cleaned_data
    same = {"snapshot": asked["snapshot"].name, **{name: asked[name] for name in ("first", "second", "measure")}}
    shares = urlencode({**same, "seed": asked["seed"]}) if averaging == "complete" else ""
    return {"shares_query": shares, "topic_query": urlencode({**same, "averaging": averaging})}


def _shown_many(many: ManyRuns, question: ManyQuestion, averaging: str) -> dict[str, Any]:
    slug = question.snapshot.collection.slug
    page = pages_of_runs(slug, question.evaluations, many.measure)
    pair = pages_of_pairs(slug, question.snapshot, averaging, many.measure)
    return {
        "many": many,
        "rows": [(run, page(run.tag)) for run in many.runs],
        "conclusion": conclusion_of_many(many),
        "plot": means_plot(many, page),
        "triangle": triangle_of(many, pair),
        "percent": f"{100 * many.design.confidence:g}",
    }
