"""One run against one snapshot: by all measures, by one of them beside the other runs, and its ranking of a topic."""

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_GET

from annotation.corpus.read.own_pages import docnos_here, numbers_here
from annotation.kernel.access import RESEARCH, collection_for
from annotation.kernel.page import render_page, unknown_parameters
from annotation.kernel.request import Request
from annotation.kernel.tables import natural_order
from evaluation.engine.measures import is_quality
from evaluation.engine.one_run import precision_at_recall, ranking
from evaluation.engine.packed import PackedError
from evaluation.engine.scorer import Averaging
from evaluation.leaderboard.pages.one_run import against_plot, hardest_words, recall_plot, sorted_topics
from evaluation.leaderboard.read.evaluations import deviations_of, digits_of, evaluations_of, load_qrels, values_of
from evaluation.leaderboard.read.topics import topics_against
from evaluation.models import Evaluation
from evaluation.runs.read import stored_run

SHOWN_TOPICS = 300  # on a page of each table
DEPTH = 100  # documents of a ranking that are shown


@login_required
@require_GET
def evaluation(request: Request, slug: str, pk: int) -> HttpResponse:
    """Every measure topic by topic; by one of them, `measure`, beside the best and the median run."""
    collection = collection_for(request.user, slug, RESEARCH)
    stored: Evaluation = get_object_or_404(evaluations_of(collection), pk=pk)
    values = values_of(stored)
    qualities = [name for name in values.measures if is_quality(name)]
    measure = request.GET.get("measure") or [*qualities, *values.measures][0]
    if measure not in values.measures:
        raise Http404("The run was not evaluated by this measure.")
    digits = [digits_of(name) for name in values.measures]
    by_topic = zip(values.numbers, values.value.tolist(), strict=True)
    by_number = sorted(by_topic, key=lambda row: natural_order(row[0]))
    page = Paginator(by_number, SHOWN_TOPICS).get_page(request.GET.get("page"))
    topics = topics_against(stored, measure)
    sort = request.GET.get("sort", "median")
    return render_page(
        request,
        "evaluation/leaderboard/evaluation.html",
        collection=collection,
        section="leaderboard",
        evaluation=stored,
        values=values,
        mean=zip(values.mean.tolist(), digits, strict=True),
        deviation=deviations_of(values),
        page_obj=page,
        rows=[(number, zip(row, digits, strict=True)) for number, row in page],
        measure=measure,
        measures=qualities,
        digits=digits_of(measure),
        topics=Paginator(sorted_topics(topics, sort), SHOWN_TOPICS).get_page(request.GET.get("against")),
        sort=sort,
        hardest=hardest_words(topics, measure),
        plot=against_plot(topics, measure, stored, slug),
        recall=_recall(stored),
        unknown=unknown_parameters(request.GET, ["measure", "sort", "page", "against"]),
    )


@login_required
@require_GET
def evaluation_topic(request: Request, slug: str, pk: int, number: str) -> HttpResponse:
    """The run's ranking of a topic, with the grades of the snapshot."""
    collection = collection_for(request.user, slug, RESEARCH)
    stored: Evaluation = get_object_or_404(evaluations_of(collection), pk=pk)
    qrels = load_qrels(stored.snapshot)
    if number not in qrels.numbers:
        raise Http404("The snapshot has no such topic.")
    try:
        rows = ranking(stored_run(stored.run), qrels, number, depth=DEPTH)
    except PackedError as reason:
        raise Http404(f"The run cannot be read: {reason}; import it again.") from reason
    return render_page(
        request,
        "evaluation/leaderboard/evaluation_topic.html",
        collection=collection,
        section="leaderboard",
        evaluation=stored,
        number=number,
        rows=rows,
        n_unjudged=sum(row.grade is None for row in rows),
        docnos_here=docnos_here(collection, (row.docno for row in rows)),
        is_here=bool(numbers_here(collection, [number])),
        depth=DEPTH,
    )


def _recall(stored: Evaluation) -> object:
    """The curve of precision over recall; None where the run's file is of an older form."""
    try:
        run = stored_run(stored.run)
    except PackedError:
        return None
    averaging: Averaging = "complete" if stored.averaging == "complete" else "retrieved"
    return recall_plot(stored.run.tag, precision_at_recall(run, load_qrels(stored.snapshot), averaging=averaging))
