"""The leaderboard: runs against a snapshot, by measure and by topic, on the page and as CSV."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.text import slugify
from django.views.decorators.http import require_GET, require_http_methods

from annotation.corpus.read.own_pages import numbers_here
from annotation.kernel.access import RESEARCH, collection_for
from annotation.kernel.files import csv_file, csv_stream, text_file
from annotation.kernel.jobs.latest import jobs_of_kind, latest_jobs
from annotation.kernel.page import render_page, unknown_parameters
from annotation.kernel.request import Request
from annotation.kernel.tables import rows_csv
from annotation.models import Collection, Snapshot
from evaluation.formats.values import csv_pieces
from evaluation.leaderboard.forms import BoardForm, EvaluateForm, LeaderboardForm, TopicsForm
from evaluation.leaderboard.pages.board import (
    Board,
    board_json,
    board_latex,
    board_of,
    board_plot,
    measures_at_first,
)
from evaluation.leaderboard.read.board import Leaderboard, leaderboard_of
from evaluation.leaderboard.read.comparing import ManyQuestion, compared_with, require_comparable
from evaluation.leaderboard.read.evaluations import digits_of, evaluated_snapshots, values_of
from evaluation.leaderboard.read.topics import topic_rows
from evaluation.leaderboard.steps.comparing import ManyAnswer, answer_many, ask_comparison
from evaluation.leaderboard.steps.evaluating import EVALUATE, ask_evaluation
from evaluation.models import Evaluation

ENDINGS = ("csv", "latex", "json")
SEED = 0  # of the ranks
SHOWN_RUNS, MOST_RUNS, SHOWN_TOPICS = 10, 50, 100  # columns of a table of topics, at first and at most; its rows a page


@login_required
@require_http_methods(["GET", "POST"])
def leaderboard(request: Request, slug: str) -> HttpResponse:
    """While an evaluation or the job of ranks runs, the page polls; it reloads once the job has ended. What is posted
    asks for the ranks of what the address shows."""
    collection = collection_for(request.user, slug, RESEARCH)
    snapshot, averaging, _ = chosen_snapshot(request, collection)
    if snapshot is None:
        return render_page(request, "evaluation/leaderboard/leaderboard_none.html", collection=collection)
    jobs = latest_jobs(jobs_of_kind(collection, EVALUATE, snapshot))
    whole_board = leaderboard_of(snapshot, averaging=averaging)
    entered = request.GET.copy()
    entered.update({"snapshot": snapshot.name, "averaging": averaging})
    form = BoardForm(entered, collection=collection, measures=whole_board.measures, tags=_tags(whole_board))
    is_file = request.GET.get("form") in ENDINGS
    chosen = _chosen(form, whole_board, request.GET.get("sort", ""), is_file=is_file)
    ranks = _ranks(form, chosen) if whole_board.rows else None
    if request.method == "POST":
        return _ask_ranks(request, ranks)
    if request.htmx:
        is_live = jobs.live or (ranks and ranks.jobs.live)
        return HttpResponse(status=204) if is_live else HttpResponse(headers={"HX-Refresh": "true"})
    board = _board(form, chosen, ranks) if whole_board.rows else None
    if board and is_file:
        return _file(board, snapshot, averaging, request.GET["form"])
    return render_page(
        request,
        "evaluation/leaderboard/leaderboard.html",
        collection=collection,
        snapshot=snapshot,
        newer=None if request.GET.get("snapshot") else _newest(collection),
        averaging=averaging,
        form=form,
        board=board,
        n_measures=len({chosen.primary, *chosen.measures}),
        all_measures=whole_board.measures,
        waiting=whole_board.waiting,
        elsewhere=None if whole_board.rows else [each.name for each in evaluated_snapshots(collection)],
        sort=board.sort if board else "",
        ranks=ranks,
        percent=f"{100 * form.confidence_of_means:g}",
        unknown=unknown_parameters(request.GET, [*form.fields, "sort", "form"]),
        plot=board_plot(board) if board else None,
        here=urlencode({"snapshot": snapshot.name, "averaging": averaging}),
        job=jobs.live,
        failed=jobs.failed,
        status=422 if form.errors else 200,
    )


@dataclass(frozen=True)
class _Chosen:
    """What of the leaderboard is shown; `others` is the baseline alone, where there is one."""

    whole_board: Leaderboard
    primary: str
    baseline: str
    tag: str
    sort: str
    measures: Sequence[str]
    shown: Sequence[Evaluation]
    others: Sequence[Evaluation]


def _chosen(form: BoardForm, whole_board: Leaderboard, sort: str, *, is_file: bool) -> _Chosen:
    """What was asked; all of it, where that cannot be. Unless measures are chosen, a page has those that fit."""
    asked = form.cleaned_data if form.is_valid() else {}
    by_sort = sort.removeprefix("-") if sort.removeprefix("-") in whole_board.measures else ""
    tag, baseline = asked.get("tag", ""), asked.get("baseline", "")
    primary = asked.get("primary") or by_sort or (whole_board.measures or [""])[0]
    at_first = measures_at_first(whole_board.measures, primary, by_sort, has_baseline=bool(baseline))
    evaluations = [row.evaluation for row in whole_board.rows]
    return _Chosen(
        whole_board=whole_board,
        primary=primary,
        baseline=baseline,
        tag=tag,
        sort=sort,
        measures=asked.get("measure") or (whole_board.measures if is_file else at_first),
        shown=[each for each in evaluations if tag.casefold() in each.run.tag.casefold()],
        others=[each for each in evaluations if each.run.tag == baseline],
    )


def _ranks(form: BoardForm, chosen: _Chosen) -> ManyAnswer | None:
    """Of the runs shown, by the primary measure; None where it puts them in no order."""
    evaluations = [each for each in chosen.shown if chosen.primary in each.measures]
    try:
        require_comparable(evaluations, chosen.primary)
        design = form.design("tukey")
        return answer_many(ManyQuestion(chosen.whole_board.snapshot, evaluations, chosen.primary, design, SEED))
    except ValueError:
        return None


def _ask_ranks(request: Request, ranks: ManyAnswer | None) -> HttpResponse:
    if ranks is None:
        raise Http404("No ranks are asked for here.")
    if ranks.many is None and ranks.jobs.live is None:
        ask_comparison(ranks.question, created_by=request.user)
    return redirect(request.get_full_path())


def _board(form: BoardForm, chosen: _Chosen, ranks: ManyAnswer | None) -> Board:
    """What was asked; without the baseline, and with an error of the form, where that cannot be."""
    comparison = None
    if chosen.baseline:
        try:
            design = form.design("t", baseline=chosen.baseline)
            runs = list(dict.fromkeys([*chosen.shown, *chosen.others]))
            comparison = compared_with(design, runs, chosen.primary)
        except ValueError as reason:
            form.add_error("baseline", str(reason))
    return board_of(
        chosen.whole_board.at(form.confidence_of_means),
        measures=chosen.measures,
        primary=chosen.primary,
        tag=chosen.tag,
        sort=chosen.sort,
        comparison=comparison,
        many=ranks.many if ranks else None,
    )


def _file(board: Board, snapshot: Snapshot, averaging: str, form: str) -> HttpResponse:
    """What is shown."""
    name = slugify(f"{snapshot.collection.slug}-{snapshot.name}-{averaging}")
    if form == "csv":
        return csv_file(name, rows_csv(board.columns, board.rows))
    if form == "latex":
        return text_file(name, "tex", board_latex(board))
    return text_file(name, "json", board_json(board, snapshot=snapshot.name, averaging=averaging))


def _tags(whole_board: Leaderboard) -> list[str]:
    return [row.evaluation.run.tag for row in whole_board.rows]


@login_required
@require_http_methods(["GET", "POST"])
def leaderboard_evaluate(request: Request, slug: str) -> HttpResponse:
    """Choose runs and evaluate them; those not yet evaluated are chosen at first."""
    collection = collection_for(request.user, slug, RESEARCH)
    snapshot, averaging, _ = chosen_snapshot(request, collection, is_read=False)
    if snapshot is None:
        return redirect("leaderboard", slug=slug)
    if request.method == "GET":
        tags = [run.tag for run in leaderboard_of(snapshot, averaging=averaging).waiting]
        form = EvaluateForm(None, collection=collection)
        measures = request.GET.get("measures", "")
        form.initial = {"snapshot": snapshot.name, "averaging": averaging, "runs": tags, "measures": measures}
        form.say_which(snapshot, path=request.path)
    else:
        form = EvaluateForm(request.POST, collection=collection)
        if form.is_valid() and _ask(request, form):
            return redirect(_page_of(collection, form.cleaned_data["snapshot"], form.cleaned_data["averaging"]))
    status = 422 if form.is_bound else 200
    return render_page(
        request,
        "evaluation/leaderboard/leaderboard_evaluate.html",
        collection=collection,
        section="leaderboard",
        form=form,
        status=status,
    )


@login_required
@require_GET
def leaderboard_topics(request: Request, slug: str) -> HttpResponse:
    """One measure, topic by topic, of the evaluated runs: of those chosen, at first of as many of the best as fit."""
    collection = collection_for(request.user, slug, RESEARCH)
    snapshot, averaging, _ = chosen_snapshot(request, collection)
    if snapshot is None:
        raise Http404("No such snapshot.")
    asked = request.GET.get("measure", "")
    board = leaderboard_of(snapshot, averaging=averaging, sort=f"-{asked}")
    measure = asked or (board.measures or [""])[0]
    if measure not in board.measures:
        raise Http404("No run was evaluated by this measure.")
    entered = request.GET.copy()
    entered.update({"snapshot": snapshot.name, "averaging": averaging})
    entered.setdefault("measure", measure)
    form = TopicsForm(entered, collection=collection, measures=board.measures, tags=_tags(board))
    chosen = form.cleaned_data["run"] if form.is_valid() else []
    best = [row.evaluation for row in board.rows if not chosen or row.evaluation.run.tag in chosen]
    evaluations = best[: MOST_RUNS if chosen else SHOWN_RUNS]
    sort = request.GET.get("sort", "topic")
    page = Paginator(topic_rows(evaluations, measure, sort=sort), SHOWN_TOPICS).get_page(request.GET.get("page"))
    return render_page(
        request,
        "evaluation/leaderboard/leaderboard_topics.html",
        collection=collection,
        section="leaderboard",
        snapshot=snapshot,
        averaging=averaging,
        form=form,
        board=board,
        measure=measure,
        digits=digits_of(measure),
        evaluations=evaluations,
        chosen=chosen,
        most=[row.evaluation.run.tag for row in board.rows[:MOST_RUNS]],
        sort=sort,
        page_obj=page,
        here=numbers_here(collection, (row.number for row in page)),
        status=422 if form.errors else 200,
    )


@login_required
@require_GET
def leaderboard_csv(request: Request, slug: str) -> StreamingHttpResponse:
    """`run,topic,<measure>…`, a row a topic and run, the mean last as topic `all`; the floats read back exactly."""
    collection = collection_for(request.user, slug, RESEARCH)
    snapshot, averaging, _ = chosen_snapshot(request, collection)
    board = leaderboard_of(snapshot, averaging=averaging, sort="tag") if snapshot else None
    if snapshot is None or board is None or not board.rows:
        raise Http404("Nothing was evaluated against this snapshot.")
    pieces = csv_pieces(
        (values_of(row.evaluation) for row in board.rows), per_topic=request.GET.get("rows") == "topics"
    )
    name = slugify(f"{collection.slug}-{snapshot.name}-{averaging}") or "leaderboard"
    return csv_stream(name, map(str.encode, pieces))


def chosen_snapshot(
    request: Request, collection: Collection, *, is_read: bool = True
) -> tuple[Snapshot | None, str, LeaderboardForm]:
    """The snapshot asked for, else the newest that has values, which can be read, else the newest; None when the
    collection has none. An unknown one: 404."""
    query = request.GET if request.method == "GET" else request.POST
    newest = _newest(collection)
    name = query.get("snapshot") or (is_read and evaluated_snapshots(collection).first()) or newest
    choice = {"snapshot": name, "averaging": query.get("averaging") or "complete"}
    form = LeaderboardForm(choice, collection=collection)
    if newest is None:
        return None, "complete", form
    if not form.is_valid():
        raise Http404("No such snapshot.")
    return form.cleaned_data["snapshot"], form.cleaned_data["averaging"], form


def _newest(collection: Collection) -> Snapshot | None:
    return Snapshot.objects.filter(collection=collection).order_by("-id").first()


def _ask(request: Request, form: EvaluateForm) -> bool:
    try:
        ask_evaluation(
            form.cleaned_data["snapshot"],
            form.cleaned_data["runs"],
            averaging=form.cleaned_data["averaging"],
            measures=form.cleaned_data["measures"],
            created_by=request.user,
        )
    except ValueError as reason:
        form.add_error("measures", str(reason))
        return False
    return True


def _page_of(collection: Collection, snapshot: Snapshot, averaging: str) -> str:
    query = urlencode({"snapshot": snapshot.name, "averaging": averaging})
    return f"{reverse('leaderboard', args=[collection.slug])}?{query}"
