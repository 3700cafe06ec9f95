"""A pool from runs: the form with its live count, and the making."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_http_methods

from annotation.corpus.read.texts import topics_with_text
from annotation.formats.problems import FormatError
from annotation.kernel.access import RESEARCH, collection_for
from annotation.kernel.forms import POOL_NAME_TAKEN
from annotation.kernel.page import render_page
from annotation.kernel.request import Request
from annotation.kernel.taken import TakenError
from annotation.models import Collection, Pool
from evaluation.runs.forms import CountForm, PoolForm
from evaluation.runs.read import runs_of
from evaluation.runs.steps.pooling import PoolCount, count_pool, create_pool_from_runs

SHOWN_PROBLEMS = 20


@login_required
@require_http_methods(["GET", "POST"])
def pool_runs(request: Request, slug: str) -> HttpResponse:
    """The button “Count” posts the same form and only counts: for browsers without JavaScript."""
    collection = collection_for(request.user, slug, RESEARCH)
    only_count = request.POST.get("step") == "count"
    form = PoolForm(
        None if only_count else request.POST or None,
        collection=collection,
        runs=runs_of(collection),
        collection_numbers=_numbers(collection),
        initial=_entered(request.POST) if only_count else None,
    )
    is_order = request.method == "POST" and not only_count
    outcome = _create(request, collection, form) if is_order and form.is_valid() else None
    if isinstance(outcome, Pool):
        return redirect("pool", slug=slug, pk=outcome.pk)
    return render_page(
        request,
        "evaluation/runs/pool_runs.html",
        collection=collection,
        section="pools",
        form=form,
        problems=outcome.problems[:SHOWN_PROBLEMS] if outcome else [],
        n_problems=outcome.total if outcome else 0,
        count=_count(collection, request.POST),
        status=422 if outcome or form.errors else 200,
    )


def _create(request: Request, collection: Collection, form: PoolForm) -> Pool | FormatError | None:
    """The pool, or why its runs give none; a name that is taken is the form's own fault."""
    fields = {name: form.cleaned_data[name] for name in ("name", "depth", "numbers")}
    try:
        return create_pool_from_runs(
            collection, **fields, runs=list(form.cleaned_data["runs"]), created_by=request.user
        )
    except FormatError as error:
        return error
    except TakenError:
        form.add_error("name", POOL_NAME_TAKEN)
        return None


@login_required
@require_GET
def pool_runs_count(request: Request, slug: str) -> HttpResponse:
    """The live count, as a fragment."""
    collection = collection_for(request.user, slug, RESEARCH)
    return render_page(
        request, "evaluation/runs/pool_runs_count.html", collection=collection, count=_count(collection, request.GET)
    )


def _count(collection: Collection, entered: QueryDict) -> PoolCount | CountForm | None:
    """The count for what was entered so far, or the form that says what is wrong with it; None for nothing yet."""
    if not entered.get("depth") or not entered.getlist("runs"):
        return None
    form = CountForm(entered, runs=runs_of(collection), collection_numbers=_numbers(collection))
    if not form.is_valid():
        return form
    fields = form.cleaned_data
    return count_pool(list(fields["runs"]), depth=fields["depth"], numbers=fields["numbers"])


def _numbers(collection: Collection) -> set[str]:
    return set(topics_with_text(collection).values_list("number", flat=True))


def _entered(posted: QueryDict) -> dict[str, object]:
    """What stood in the form, to show it again as it was."""
    return {name: posted.getlist(name) if name == "runs" else posted.get(name) for name in PoolForm.base_fields}
