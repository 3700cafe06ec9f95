"""Two runs on one topic: their documents side by side, those that make their difference first."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.utils.http import urlencode
from django.views.decorators.http import require_GET

from annotation.corpus.read.own_pages import docnos_here, numbers_here
from annotation.kernel.access import RESEARCH, collection_for
from annotation.kernel.page import render_page, unknown_parameters
from annotation.kernel.request import Request
from annotation.models import Collection
from evaluation.engine.packed import PackedError
from evaluation.engine.side_by_side import SideBySide
from evaluation.leaderboard.forms import BesideForm
from evaluation.leaderboard.read.evaluations import digits_of
from evaluation.leaderboard.read.topics import two_runs_beside


@login_required
@require_GET
def leaderboard_compare_topic(request: Request, slug: str, number: str) -> HttpResponse:
    """Which runs, measure and snapshot, stands in the address."""
    collection = collection_for(request.user, slug, RESEARCH)
    form = BesideForm(request.GET, collection=collection)
    if not form.is_valid():
        raise Http404("The address names no two runs, no snapshot or no measure of theirs.")
    asked = form.cleaned_data
    try:
        beside = two_runs_beside(asked["snapshot"], (asked["first"], asked["second"]), number, asked["measure"])
    except (ValueError, PackedError) as reason:
        raise Http404(str(reason)) from reason
    return render_page(
        request,
        "evaluation/leaderboard/leaderboard_compare_topic.html",
        collection=collection,
        section="leaderboard",
        snapshot=asked["snapshot"],
        beside=beside,
        digits=digits_of(beside.measure),
        back=urlencode({**form.in_address(), "averaging": asked["averaging"] or "complete"}),
        unknown=unknown_parameters(request.GET, form.fields),
        **_here(collection, beside),
    )


def _here(collection: Collection, beside: SideBySide) -> dict[str, Any]:
    """What of it has a page of its own."""
    return {
        "docnos_here": docnos_here(collection, (one.docno for one in beside.documents)),
        "is_here": bool(numbers_here(collection, [beside.number])),
    }
