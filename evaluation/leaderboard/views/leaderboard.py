"""The leaderboard: runs against a snapshot, by measure and by topic, on the page and as CSV."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.text import slugify
from django.views.decorators.http import require_GET, require_http_methods

from annotation.kernel.access import RESEARCH, collection_for
from annotation.kernel.files import csv_file, text_file
from annotation.kernel.jobs.latest import jobs_of_kind, latest_jobs
from annotation.kernel.page import render_page, unknown_parameters
from annotation.kernel.request import Request
from annotation.kernel.tables import rows_csv
from annotation.models import Collection, Snapshot
from evaluation.formats.values import as_csv
from evaluation.leaderboard.forms import BoardForm, EvaluateForm, LeaderboardForm
from evaluation.leaderboard.pages.board import Board, board_json, board_latex, board_of, board_plot
from evaluation.leaderboard.read import (
    Leaderboard,
    compared_with,
    digits_of,
    leaderboard_of,
    topic_rows,
    values_of,
)
from evaluation.leaderboard.steps import EVALUATE, ask_evaluation

ENDINGS = ("csv", "latex", "json")


@login_required
@require_GET
def leaderboard(request: Request, slug: str) -> HttpResponse:
    """While an evaluation runs, the page polls; it reloads once the job has ended."""
    collection = collection_for(request.user, slug, RESEARCH)
    snapshot, averaging, _ = chosen_snapshot(request, collection)
    if snapshot is None:
        return render_page(request, "evaluation/leaderboard/leaderboard_none.html", collection=collection)
    jobs = latest_jobs(jobs_of_kind(collection, EVALUATE, snapshot))
    if request.htmx:
        return HttpResponse(status=204) if jobs.live else HttpResponse(headers={"HX-Refresh": "true"})
    found = leaderboard_of(snapshot, averaging=averaging)
    entered = request.GET.copy()
    entered.update({"snapshot": snapshot.name, "averaging": averaging})
    form = BoardForm(entered, collection=collection, measures=found.measures, tags=_tags(found))
    sort = request.GET.get("sort", "")
    board = _board(form, found, sort) if found.rows else None
    if board and request.GET.get("form") in ENDINGS:
        return _file(board, snapshot, averaging, request.GET["form"])
    return render_page(
        request,
        "evaluation/leaderboard/leaderboard.html",
        collection=collection,
        snapshot=snapshot,
        averaging=averaging,
        form=form,
        board=board,
        waiting=found.waiting,
        sort=sort if board and board.sorts_by(sort) else f"-{board.primary}" if board else "",
        unknown=unknown_parameters(request.GET, [*form.fields, "sort", "form"]),
        plot=board_plot(board) if board else None,
        here=urlencode({"snapshot": snapshot.name, "averaging": averaging}),
        job=jobs.live,
        failed=jobs.failed,
        status=422 if form.errors else 200,
    )


def _board(form: BoardForm, found: Leaderboard, sort: str) -> Board:
    """What was asked; all of it, and an error of the form, where that cannot be."""
    asked = form.cleaned_data if form.is_valid() else {}
    by_sort = sort.removeprefix("-") if sort.removeprefix("-") in found.measures else ""
    primary, baseline, tag = (
        asked.get("primary") or by_sort or found.measures[0],
        asked.get("baseline"),
        asked.get("tag", ""),
    )
    shown = [row.evaluation for row in found.rows if tag.casefold() in row.evaluation.run.tag.casefold()]
    others = [row.evaluation for row in found.rows if row.evaluation.run.tag == baseline]
    comparison = None
    if baseline:
        try:
            comparison = compared_with(form.design(), list(dict.fromkeys([*shown, *others])), primary)
        except ValueError as reason:
            form.add_error("baseline", str(reason))
    measures = asked.get("measure") or found.measures
    return board_of(found, measures=measures, primary=primary, tag=tag, sort=sort, comparison=comparison)


def _file(board: Board, snapshot: Snapshot, averaging: str, form: str) -> HttpResponse:
    """What is shown."""
    name = slugify(f"{snapshot.collection.slug}-{snapshot.name}-{averaging}")
    if form == "csv":
        return csv_file(name, rows_csv(board.columns, board.rows))
    if form == "latex":
        return text_file(name, "tex", board_latex(board))
    return text_file(name, "json", board_json(board, snapshot=snapshot.name, averaging=averaging))


def _tags(found: Leaderboard) -> list[str]:
    return [row.evaluation.run.tag for row in found.rows]


@login_required
@require_http_methods(["GET", "POST"])
def leaderboard_evaluate(request: Request, slug: str) -> HttpResponse:
    """Choose runs and evaluate them; those not yet evaluated are chosen at first."""
    collection = collection_for(request.user, slug, RESEARCH)
    snapshot, averaging, _ = chosen_snapshot(request, collection)
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
    """One measure, topic by topic, for every evaluated run."""
    collection = collection_for(request.user, slug, RESEARCH)
    snapshot, averaging, form = chosen_snapshot(request, collection)
    if snapshot is None:
        raise Http404("No such snapshot.")
    board = leaderboard_of(snapshot, averaging=averaging)
    measure = request.GET.get("measure") or (board.measures or [""])[0]
    if measure not in board.measures:
        raise Http404("No run was evaluated by this measure.")
    evaluations = [row.evaluation for row in board.rows]
    sort = request.GET.get("sort", "topic")
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
        sort=sort,
        rows=topic_rows(evaluations, measure, sort=sort),
    )


@login_required
@require_GET
def leaderboard_csv(request: Request, slug: str) -> HttpResponse:
    """`run,topic,<measure>…`, a row a topic and run, the mean last as topic `all`; the floats read back exactly."""
    collection = collection_for(request.user, slug, RESEARCH)
    snapshot, averaging, _ = chosen_snapshot(request, collection)
    board = leaderboard_of(snapshot, averaging=averaging, sort="tag") if snapshot else None
    if snapshot is None or board is None or not board.rows:
        raise Http404("Nothing was evaluated against this snapshot.")
    text = as_csv([values_of(row.evaluation) for row in board.rows], per_topic=request.GET.get("rows") == "topics")
    name = slugify(f"{collection.slug}-{snapshot.name}-{averaging}") or "leaderboard"
    return csv_file(name, text.encode())


def chosen_snapshot(request: Request, collection: Collection) -> tuple[Snapshot | None, str, LeaderboardForm]:
    """The snapshot asked for, else the newest; None when the collection has none. An unknown one: 404."""
    query = request.GET if request.method == "GET" else request.POST
    newest = Snapshot.objects.filter(collection=collection).order_by("-id").values_list("name", flat=True).first()
    choice = {"snapshot": query.get("snapshot") or newest, "averaging": query.get("averaging") or "complete"}
    form = LeaderboardForm(choice, collection=collection)
    if newest is None:
        return None, "complete", form
    if not form.is_valid():
        raise Http404("No such snapshot.")
    return form.cleaned_data["snapshot"], form.cleaned_data["averaging"], form


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
