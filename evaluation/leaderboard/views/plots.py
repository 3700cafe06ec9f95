"""Plots of the leaderboard, drawn on the server."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.utils.http import urlencode
from django.views.decorators.http import require_GET

from annotation.kernel.access import RESEARCH, collection_for
from annotation.kernel.page import render_page, unknown_parameters
from annotation.kernel.request import Request
from evaluation.leaderboard.forms import PlotForm
from evaluation.leaderboard.pages.plots import curve_words, curves_of, families_of, scatter_of, scatter_words
from evaluation.leaderboard.read.board import leaderboard_of
from evaluation.leaderboard.views.leaderboard import chosen_snapshot


@login_required
@require_GET
def leaderboard_plots(request: Request, slug: str) -> HttpResponse:
    """One measure against another, and a measure against its cutoff; which, stands in the address."""
    collection = collection_for(request.user, slug, RESEARCH)
    snapshot, averaging, _ = chosen_snapshot(request, collection)
    if snapshot is None:
        return render_page(request, "evaluation/leaderboard/leaderboard_none.html", collection=collection)
    board = leaderboard_of(snapshot, averaging=averaging)
    families = families_of(board.measures)
    entered = request.GET.copy()
    usual = {"x": board.measures[:1], "y": board.measures[1:2], "family": list(families)[:1]}
    for name, values in {**usual, "snapshot": [snapshot.name], "averaging": [averaging]}.items():
        if name not in entered:
            entered.setlist(name, values)
    form = PlotForm(entered, collection=collection, measures=board.measures, families=list(families))
    shown: dict[str, object] = {}
    if board.rows and form.is_valid():
        x, y, names = form.cleaned_data["x"], form.cleaned_data["y"], families.get(form.cleaned_data["family"], [])
        shown = {"x": x, "y": y, "scatter": scatter_of(board, x, y, slug), "scatter_words": scatter_words(board, x, y)}
        if names:
            shown |= {"names": names, "curves": curves_of(board, names, slug), "curve_words": curve_words(board, names)}
    return render_page(
        request,
        "evaluation/leaderboard/leaderboard_plots.html",
        collection=collection,
        section="leaderboard",
        snapshot=snapshot,
        board=board,
        form=form,
        here=urlencode({"snapshot": snapshot.name, "averaging": averaging}),
        unknown=unknown_parameters(request.GET, form.fields),
        status=422 if board.rows and form.errors else 200,
        **shown,
    )
