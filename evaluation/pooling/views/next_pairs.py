"""What to judge next: the pairs that would tell most, and a pool of them by one click."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.forms import HiddenInput
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.text import slugify
from django.views.decorators.http import require_http_methods

from annotation.corpus.read.own_pages import docnos_here, numbers_here
from annotation.formats.problems import FormatError
from annotation.kernel.access import RESEARCH, collection_for
from annotation.kernel.files import text_file
from annotation.kernel.forms import POOL_NAME_TAKEN, proposed_pool_name
from annotation.kernel.page import render_page, unknown_parameters
from annotation.kernel.request import Request
from annotation.kernel.taken import TakenError
from annotation.models import Collection, Pool
from evaluation.engine.judge_next import JudgeNext
from evaluation.engine.packed import PackedError
from evaluation.formats.judge_next import FORMATS, words_of
from evaluation.pooling.forms import MOST_DEPTH, NextForm, PoolOfNextForm
from evaluation.pooling.pages.next_pairs import next_rows
from evaluation.pooling.read import are_evaluated
from evaluation.pooling.steps.next_pairs import NextAnswer, answer_next, ask_next, create_pool_of_next

SHOWN_PROBLEMS = 20


@login_required
@require_http_methods(["GET", "POST"])
def pooling_next(request: Request, slug: str) -> HttpResponse:
    """All that is asked stands in the address; what is posted makes the pool and leads to it. What takes long is asked
    for by `rank` and done in a job; the page polls and reloads once that has ended."""
    collection = collection_for(request.user, slug, RESEARCH)
    if "rank" in request.POST:
        return _rank(request, collection)
    entered = _entered(request.POST or request.GET, collection)
    form, wish = NextForm(entered, collection=collection), PoolOfNextForm(entered, collection=collection)
    outcome = _create(request, wish) if request.method == "POST" and wish.is_valid() else None
    if isinstance(outcome, Pool):
        return redirect("pool", slug=slug, pk=outcome.pk)
    answer = _answer(form) if len(form.by_tag) > 1 and form.is_valid() else None
    if request.htmx:
        is_live = answer and answer.jobs.live
        return HttpResponse(status=204) if is_live else HttpResponse(headers={"HX-Refresh": "true"})
    ranked = answer.ranked if answer else None
    if ranked and request.GET.get("form") in FORMATS and request.GET["form"] != "table":
        ending = request.GET["form"]
        return text_file(slugify(f"{collection.slug}-next-{ranked.measure}"), ending, FORMATS[ending](ranked))
    for name in NextForm.base_fields:
        wish.fields[name].widget = HiddenInput()
    is_refused = request.method == "POST" or (len(form.by_tag) > 1 and bool(form.errors))
    return render_page(
        request,
        "evaluation/pooling/pooling_next.html",
        collection=collection,
        section="pools",
        form=form,
        wish=wish if request.method == "POST" else _fresh(wish, collection),
        answer=answer,
        ranked=ranked,
        words=words_of(ranked) if ranked else [],
        rows=next_rows(ranked) if ranked else [],
        numbers_here=numbers_here(collection, (pair.number for pair in ranked.pairs)) if ranked else set(),
        docnos_here=docnos_here(collection, (pair.docno for pair in ranked.pairs)) if ranked else set(),
        **(_once_judged(form, ranked) if ranked and not ranked.n_unjudged else {}),
        problems=outcome.problems[:SHOWN_PROBLEMS] if isinstance(outcome, FormatError) else [],
        n_problems=outcome.total if isinstance(outcome, FormatError) else 0,
        unknown=unknown_parameters(request.GET, [*form.fields, "form"]),
        status=422 if is_refused else 200,
    )


def _once_judged(form: NextForm, ranked: JudgeNext) -> dict[str, Any]:
    """Where to go where nothing is left to judge: to the comparison, or first to evaluating, and deeper."""
    snapshot = form.cleaned_data["snapshot"]
    asked = {"snapshot": snapshot.name, "averaging": "complete"}
    if not are_evaluated(snapshot, ranked.tags, ranked.measure):
        name, words, asked["measures"] = "leaderboard_evaluate", "Evaluate the runs", ranked.measure
    elif len(ranked.tags) == 2:
        name, words = "leaderboard_compare", "Compare the two runs"
        asked |= {"measure": ranked.measure, "first": ranked.tags[0], "second": ranked.tags[1]}
    else:
        name, words, asked["measure"] = "leaderboard_compare_many", "Compare many runs", ranked.measure
    address = reverse(name, args=[snapshot.collection.slug])
    return {"deed": words, "deed_url": f"{address}?{urlencode(asked)}", "deeper": min(2 * ranked.depth, MOST_DEPTH)}


def _entered(query: QueryDict, collection: Collection) -> QueryDict:
    """What the address says; the usual where it says nothing."""
    entered = query.copy()
    for name, field in NextForm.base_fields.items():
        if field.initial is not None:
            entered.setdefault(name, str(field.initial))
    newest = collection.snapshots.order_by("-id").values_list("name", flat=True).first()
    if newest is not None:
        entered.setdefault("snapshot", newest)
    return entered


def _fresh(wish: PoolOfNextForm, collection: Collection) -> PoolOfNextForm:
    """The same as it was chosen, under a name that is free."""
    again = PoolOfNextForm(None, collection=collection)
    asked = {name: wish.data.get(name, "") for name in NextForm.base_fields}
    runs = f"{asked['first']} or {asked['second']}" if asked["first"] else f"the best {asked['best']}"
    again.initial = {**asked, "name": proposed_pool_name(collection, f"Next: {runs} by {asked['measure']}")}
    for name in NextForm.base_fields:
        again.fields[name].widget = HiddenInput()
    return again


def _rank(request: Request, collection: Collection) -> HttpResponse:
    """Queue what the address asks, unless it is known or on its way."""
    form = NextForm(_entered(request.GET, collection), collection=collection)
    answer = _answer(form) if len(form.by_tag) > 1 and form.is_valid() else None
    if answer and answer.ranked is None and answer.jobs.live is None:
        ask_next(form.asked(), created_by=request.user)
    return redirect(request.get_full_path())


def _answer(form: NextForm) -> NextAnswer | None:
    """What cannot be ranked is an error of the form."""
    try:
        return answer_next(form.asked())
    except PackedError as reason:
        form.add_error(None, f"A run cannot be read: {reason}; import it again.")
    except ValueError as reason:
        form.add_error(None, str(reason))
    return None


def _create(request: Request, form: PoolOfNextForm) -> Pool | FormatError | None:
    """The pool, or which documents are not here; all else that is wrong is an error of the form."""
    try:
        return create_pool_of_next(form.asked(), name=form.cleaned_data["name"], created_by=request.user)
    except FormatError as error:
        return error
    except TakenError:
        form.add_error("name", POOL_NAME_TAKEN)
    except (PackedError, ValueError) as reason:
        form.add_error(None, str(reason))
    return None
