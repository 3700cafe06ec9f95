"""What a run has at its tops and a snapshot does not judge: a list by rank, and a pool of it."""

from django.contrib.auth.decorators import login_required
from django.forms import HiddenInput
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_http_methods

from annotation.corpus.read.own_pages import docnos_here
from annotation.formats.problems import FormatError
from annotation.kernel.access import RESEARCH, collection_for
from annotation.kernel.forms import POOL_NAME_TAKEN, proposed_pool_name
from annotation.kernel.page import render_page, unknown_parameters
from annotation.kernel.request import Request
from annotation.kernel.taken import TakenError
from annotation.models import Pool
from evaluation.engine.packed import PackedError
from evaluation.leaderboard.forms import DepthForm, UnjudgedForm
from evaluation.leaderboard.read.evaluations import evaluations_of, unjudged_of
from evaluation.leaderboard.steps.evaluating import create_pool_of_unjudged
from evaluation.models import Evaluation

SHOWN, SHOWN_PROBLEMS, DEPTH = 200, 20, 10


@login_required
@require_http_methods(["GET", "POST"])
def evaluation_unjudged(request: Request, slug: str, pk: int) -> HttpResponse:
    """The list to a depth, `depth` in the address; what is posted makes the pool and leads to it."""
    collection = collection_for(request.user, slug, RESEARCH)
    stored: Evaluation = get_object_or_404(evaluations_of(collection), pk=pk)
    query = request.POST or request.GET
    asked = DepthForm(query if "depth" in query else {"depth": DEPTH})
    depth = asked.cleaned_data["depth"] if asked.is_valid() else DEPTH
    name = proposed_pool_name(collection, f"Unjudged: {stored.run.tag} to {depth}")
    start = {"depth": depth, "name": name}
    form = UnjudgedForm(request.POST or None, collection=collection, initial=start, auto_id="pool_%s")
    form.fields["depth"].widget = HiddenInput()
    outcome = _create(request, stored, form) if form.is_valid() else None
    if isinstance(outcome, Pool):
        return redirect("pool", slug=slug, pk=outcome.pk)
    try:
        rows = unjudged_of(stored, depth=depth)
    except PackedError as reason:
        raise Http404(f"The run cannot be read: {reason}; import it again.") from reason
    return render_page(
        request,
        "evaluation/leaderboard/evaluation_unjudged.html",
        collection=collection,
        section="leaderboard",
        evaluation=stored,
        asked=asked,
        form=form,
        depth=depth,
        n_unjudged=len(rows),
        rows=rows[:SHOWN],
        here=docnos_here(collection, (row.docno for row in rows[:SHOWN])),
        problems=outcome.problems[:SHOWN_PROBLEMS] if outcome else [],
        n_problems=outcome.total if outcome else 0,
        unknown=unknown_parameters(request.GET, ["depth"]),
        status=422 if outcome or form.errors or asked.errors else 200,
    )


def _create(request: Request, evaluation: Evaluation, form: UnjudgedForm) -> Pool | FormatError | None:
    """The pool, or which documents are not here; a name that is taken is the form's own fault."""
    try:
        return create_pool_of_unjudged(evaluation, **form.cleaned_data, created_by=request.user)
    except FormatError as error:
        return error
    except TakenError:
        form.add_error("name", POOL_NAME_TAKEN)
        return None
