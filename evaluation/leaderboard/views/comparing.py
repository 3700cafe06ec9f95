"""Two evaluated runs compared by one measure: the numbers of the API and of `manage.py compare`, for people."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.utils.http import urlencode
from django.views.decorators.http import require_GET

from annotation.corpus.read import visible_topics
from annotation.kernel.access import RESEARCH, collection_for
from annotation.kernel.page import render_page
from annotation.kernel.request import Request
from annotation.models import Collection
from evaluation.engine.comparison import Design
from evaluation.engine.conclusions import conclusion_of_two
from evaluation.engine.measures import is_quality, parse_measure
from evaluation.engine.two_runs import TwoRuns, compare_two
from evaluation.leaderboard.forms import CompareForm
from evaluation.leaderboard.pages import drawing_of, paired_rows, topic_differences
from evaluation.leaderboard.read import Leaderboard, digits_of, leaderboard_of, values_of
from evaluation.leaderboard.views.leaderboard import chosen_snapshot


@login_required
@require_GET
def leaderboard_compare(request: Request, slug: str) -> HttpResponse:
    """Everything that was asked stands in the address; without two runs, the form alone."""
    collection = collection_for(request.user, slug, RESEARCH)
    snapshot, averaging, _ = chosen_snapshot(request, collection)
    if snapshot is None:
        return render_page(request, "evaluation/leaderboard/leaderboard_none.html", collection=collection)
    board = leaderboard_of(snapshot, averaging=averaging)
    entered = {**_usual(board), "snapshot": snapshot.name, "averaging": averaging, **request.GET.dict()}
    form = CompareForm(entered, collection=collection, measures=_measures(board), tags=_tags(board))
    runs = _compared(form, board) if len(board.rows) > 1 and form.is_valid() else None
    return render_page(
        request,
        "evaluation/leaderboard/leaderboard_compare.html",
        collection=collection,
        section="leaderboard",
        snapshot=snapshot,
        averaging=averaging,
        board=board,
        form=form,
        back=urlencode({"snapshot": snapshot.name, "averaging": averaging}),
        seed=request.GET.get("seed") or 0,
        status=422 if len(board.rows) > 1 and form.errors else 200,
        **(_shown(runs, collection) if runs else {}),
    )


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


def _compared(form: CompareForm, board: Leaderboard) -> TwoRuns | None:
    """What the engine refuses is an error of the form."""
    asked = form.cleaned_data
    by_tag = {row.evaluation.run.tag: row.evaluation for row in board.rows}
    first, second = by_tag[asked["first"]], by_tag[asked["second"]]
    if not {asked["measure"]} <= set(first.measures) & set(second.measures):
        form.add_error("measure", "Not both runs are evaluated by this measure.")
        return None
    design = Design(minimum=asked["minimum"], threshold=asked["threshold"] or 0.0)
    try:
        return compare_two(values_of(first), values_of(second), asked["measure"], design, seed=asked["seed"] or 0)
    except ValueError as reason:
        form.add_error(None, str(reason))
        return None


def _shown(runs: TwoRuns, collection: Collection) -> dict[str, Any]:
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
    }
