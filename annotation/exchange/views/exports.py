"""Files that leave: qrels and pairs of snapshots, raw judgments; and the page they are found on."""

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_GET, require_POST

from annotation.exchange.read.exports import (
    JUDGMENT_FORMATS,
    QRELS_FORMATS,
    outgoing_dropped,
    outgoing_gold,
    outgoing_judgments,
    outgoing_qrels,
)
from annotation.exchange.read.exports.qrels import export_name
from annotation.exchange.steps.exporting import note_names_taken
from annotation.kernel.access import ADMIN, RESEARCH, collection_for, snapshot_for
from annotation.kernel.files import download, stored_download
from annotation.kernel.judgment_counts import all_judgments
from annotation.kernel.page import render_page
from annotation.kernel.request import Request
from annotation.kernel.visible import visible_batches
from annotation.trust.read.snapshots import pairs_path, qrels_path, snapshots_of

JSONL = "application/x-ndjson"


@login_required
@require_GET
def exports(request: Request, slug: str) -> HttpResponse:
    """What can be taken from a collection, and in which forms."""
    collection = collection_for(request.user, slug, RESEARCH)
    return render_page(
        request,
        "annotation/exchange/exports.html",
        collection=collection,
        page_obj=Paginator(snapshots_of(collection), 50).get_page(request.GET.get("page")),
        n_judgments=sum(visible_batches(collection).values_list(all_judgments(), flat=True)),
    )


@login_required
@require_GET
def snapshot_qrels(request: Request, slug: str, pk: int) -> HttpResponseBase:
    """TREC, the bytes as they are stored, or another form by `?form=`."""
    snapshot = snapshot_for(request.user, slug, pk)
    form = request.GET.get("form", "trec")
    if form not in QRELS_FORMATS:
        raise Http404(f"Qrels are exported as {', '.join(QRELS_FORMATS)}.")
    if form == "trec":
        return stored_download(qrels_path(snapshot), export_name(snapshot, "qrels.txt"), "text/plain; charset=utf-8")
    return download(outgoing_qrels(snapshot, form))


@login_required
@require_GET
def snapshot_pairs(request: Request, slug: str, pk: int) -> HttpResponseBase:
    """The bytes as they are stored."""
    snapshot = snapshot_for(request.user, slug, pk)
    path = pairs_path(snapshot)
    if path is None:
        raise Http404("Imported qrels have no confidence and counts.")
    return stored_download(path, export_name(snapshot, "pairs.jsonl"), JSONL)


@login_required
@require_GET
def snapshot_dropped(request: Request, slug: str, pk: int) -> HttpResponseBase:
    """What the frozen inputs and policy leave out, and why."""
    snapshot = snapshot_for(request.user, slug, pk)
    dropped = outgoing_dropped(snapshot)
    if dropped is None:
        raise Http404("Imported qrels have dropped nothing.")
    return download(dropped)


@login_required
@require_GET
def judgments_export(request: Request, slug: str, form: str) -> HttpResponseBase:
    """Under pseudonyms. Streamed; the response begins before the last row is read."""
    collection = collection_for(request.user, slug, RESEARCH)
    return download(outgoing_judgments(collection, _judgment_format(form)))


@login_required
@require_POST
def judgments_named(request: Request, slug: str) -> HttpResponseBase:
    """With the account beside each pseudonym. Noted in the record, hence a POST."""
    collection = collection_for(request.user, slug, ADMIN)
    form = _judgment_format(request.POST.get("form", ""))
    note_names_taken(collection, form=form, actor=request.user)
    return download(outgoing_judgments(collection, form, named=True))


@login_required
@require_GET
def gold_export(request: Request, slug: str) -> HttpResponseBase:
    """Gold as it stands, with what is said of it."""
    return download(outgoing_gold(collection_for(request.user, slug, RESEARCH)))


def _judgment_format(form: str) -> str:
    if form not in JUDGMENT_FORMATS:
        raise Http404(f"Judgments are exported as {', '.join(JUDGMENT_FORMATS)}.")
    return form
