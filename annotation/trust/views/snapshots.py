"""Snapshots: what is frozen, a preview of what would be, freezing, verifying."""

from collections.abc import Sequence

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation.formats.citation import bibtex, citation
from annotation.kernel.access import ADMIN, RESEARCH, collection_for, snapshot_for
from annotation.kernel.listing import render_listing
from annotation.kernel.page import render_page
from annotation.kernel.request import Request
from annotation.kernel.store import DamagedError
from annotation.models import Batch, Collection
from annotation.trust.forms.snapshots import FreezeForm
from annotation.trust.pages.choice import choice_in
from annotation.trust.pages.grade_shares import grade_shares, grades_plot
from annotation.trust.pages.lineage import with_addresses
from annotation.trust.pages.policies import parameters_in_words
from annotation.trust.pages.report import quality_report
from annotation.trust.pages.snapshot_list import snapshot_list
from annotation.trust.read.policies import parameters_of, policies_of
from annotation.trust.read.snapshots import (
    cited_as,
    dropped_from,
    freezing_jobs,
    grades_of,
    name_after,
    qrels_path,
    snapshots_of,
    why_snapshot_stays,
)
from annotation.trust.read.withheld import judged_batches
from annotation.trust.steps.deletion import SnapshotUsedError, delete_snapshot
from annotation.trust.steps.snapshots import FreezeError, start_freezing, verify_snapshot


@login_required
@require_GET
def snapshots(request: Request, slug: str) -> HttpResponseBase:
    collection = collection_for(request.user, slug, RESEARCH)
    return render_listing(
        request,
        "annotation/trust/snapshots.html",
        snapshot_list(collection),
        snapshots_of(collection),
        collection=collection,
        freezing=freezing_jobs(collection),
        can_freeze=bool(judged_batches(collection)),
    )


@login_required
@require_http_methods(["GET", "POST"])
def snapshot_new(request: Request, slug: str) -> HttpResponse:
    """GET previews the choice in the address; POST freezes it."""
    collection = collection_for(request.user, slug, RESEARCH)
    if request.method == "GET":
        return _preview(request, collection)
    batches, policies = judged_batches(collection), policies_of(collection)
    form = FreezeForm(request.POST, collection=collection, batches=batches, policies=policies)
    if form.is_valid():
        try:
            job = start_freezing(
                collection,
                name=form.cleaned_data["name"],
                batches=form.chosen_batches(),
                policy=form.chosen_policy(),
                created_by=request.user,
            )
        except FreezeError as error:
            form.add_error(None, str(error))
        else:
            return redirect("job", token=job.token)
    return _preview(request, collection, form=form)


@login_required
@require_GET
def snapshot(request: Request, slug: str, pk: int) -> HttpResponse:
    """Without what a missing or damaged file would say."""
    chosen = snapshot_for(request.user, slug, pk)
    size: int | None = None
    try:
        reasons, shares = dropped_from(chosen), grade_shares(grades_of(chosen))
        size = qrels_path(chosen).stat().st_size
    except (FileNotFoundError, DamagedError):
        reasons, shares = [], []
    cited = cited_as(chosen)
    return render_page(
        request,
        "annotation/trust/snapshot.html",
        collection=chosen.collection,
        section="snapshots",
        snapshot=chosen,
        batches=chosen.batches.order_by("pk"),
        parameters=parameters_in_words(parameters_of(chosen.policy)) if chosen.policy else [],
        shares=shares,
        plot=grades_plot(shares),
        qrels_size=size,
        lineage=with_addresses(slug, cited.lineage),
        citation=citation(cited),
        bibtex=bibtex(cited),
        reasons=reasons,
        stays=why_snapshot_stays(chosen),
    )


@login_required
@require_POST
def snapshot_delete(request: Request, slug: str, pk: int) -> HttpResponse:
    chosen = snapshot_for(request.user, slug, pk, ADMIN)
    try:
        delete_snapshot(chosen, actor=request.user)
    except SnapshotUsedError as error:
        messages.error(request, str(error))
        return redirect("snapshot", slug=slug, pk=pk)
    messages.success(request, f"The snapshot {chosen.name} is deleted.")
    return redirect("snapshots", slug=slug)


@login_required
@require_POST
def snapshot_verify(request: Request, slug: str, pk: int) -> HttpResponse:
    verification = verify_snapshot(snapshot_for(request.user, slug, pk))
    for fault in verification.faults:
        messages.error(request, fault)
    if verification.sound:
        messages.success(request, verification.words)
    return redirect("snapshot", slug=slug, pk=pk)


def _preview(request: Request, collection: Collection, *, form: FreezeForm | None = None) -> HttpResponse:
    choice = choice_in(request.POST if form else request.GET, collection)
    ready = bool(choice.batches) and (not choice.is_bound or choice.is_valid())
    report = quality_report(collection, choice.chosen_batches(), choice.parameters()) if ready else None
    return render_page(
        request,
        "annotation/trust/snapshot_new.html",
        collection=collection,
        section="snapshots",
        choice=choice,
        policy=choice.chosen_policy() if ready else None,
        report=report,
        form=form or _empty_form(collection, choice.chosen_batches() if ready else ()),
        status=422 if choice.errors or (form and form.errors) else 200,
    )


def _empty_form(collection: Collection, batches: Sequence[Batch]) -> FreezeForm:
    form = FreezeForm(collection=collection, batches=[], policies=[])
    if len(batches) == 1:
        form.fields["name"].initial = name_after(batches[0])
    return form
