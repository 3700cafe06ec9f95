"""A batch under way: how far it is, who takes part, what is withheld, the hours."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.text import slugify
from django.views.decorators.http import require_GET, require_POST

from annotation.batches.forms.batches import AssignForm, FeedbackForm, UnassignForm
from annotation.batches.pages.overlap import SteeringWords
from annotation.batches.pages.progress_lists import person_listing, topic_listing
from annotation.batches.pages.tables import OVERLAP
from annotation.batches.read.batches import (
    annotators_of,
    annotators_to_assign,
    batch_expected,
    batch_judged,
    days_of_work,
    item_of,
)
from annotation.batches.read.finished import finished_batches
from annotation.batches.read.overlap import steering_of
from annotation.batches.read.participants import participants_of
from annotation.batches.read.progress import progress_shown
from annotation.batches.steps import batches as flow
from annotation.batches.views.errors import shown_as_message
from annotation.formats.hours import hours_csv
from annotation.kernel.access import ADMIN, RESEARCH, batch_for, roles_in
from annotation.kernel.files import csv_file
from annotation.kernel.listing import render_listing
from annotation.kernel.request import Request
from annotation.kernel.visible import visible_annotators
from annotation.models import Participation
from annotation.text.counted import counted
from annotation.trust.read.policies import default_policy
from annotation.trust.read.withheld import withheld_pairs


@login_required
@require_GET
def batch(request: Request, slug: str, token: str) -> HttpResponseBase:
    batch = batch_for(request.user, slug, token, RESEARCH)
    steering = steering_of(batch)
    progress = progress_shown(batch)
    may_change = bool(roles_in(request.user, batch.collection) & ADMIN)
    return render_listing(
        request,
        "annotation/batches/batch.html",
        topic_listing(batch),
        progress.topics,
        others={"people": (person_listing(batch, may_change=may_change), progress.people)},
        collection=batch.collection,
        section="batches",
        batch=batch,
        n_judged=batch_judged(batch),
        n_expected=batch_expected(batch),
        n_topics=len(progress.topics),
        n_people=len(progress.people),
        freeze_policy=default_policy(batch.collection),
        withheld=withheld_pairs(batch.collection, [batch], batch.criterion),
        participants=participants_of(batch),
        steering=steering,
        steering_words=SteeringWords.of(steering) if steering else None,
        assign_form=AssignForm(annotators=annotators_to_assign(batch)),
        feedback_form=FeedbackForm(
            initial={"feedback": batch.feedback, "feedback_hours": batch.feedback_hours}, auto_id="id_later_%s"
        ),
        is_finished=batch in finished_batches(batch.collection),
        is_mine=Participation.objects.filter(batch=batch, annotator__user=request.user, is_active=True).exists(),
    )


@login_required
@require_POST
def batch_assign(request: Request, slug: str, token: str) -> HttpResponse:
    batch = batch_for(request.user, slug, token, ADMIN)
    form = AssignForm(request.POST, annotators=annotators_of(batch.collection))
    if not form.is_valid():
        messages.error(request, "Choose at least one annotator of this collection.")
        return redirect("batch", slug=slug, token=token)
    with shown_as_message(request, flow.BatchError):
        joined = flow.assign_annotators(batch, annotators=form.cleaned_data["annotators"], actor=request.user)
        messages.success(request, f"{counted(joined, 'person joins', 'people join')} the batch.")
    return redirect("batch", slug=slug, token=token)


@login_required
@require_POST
def batch_unassign(request: Request, slug: str, token: str) -> HttpResponse:
    batch = batch_for(request.user, slug, token, ADMIN)
    form = UnassignForm(request.POST, annotators=visible_annotators(batch.collection))
    if not form.is_valid():
        messages.error(request, "There is no such annotator in this collection.")
        return redirect("batch", slug=slug, token=token)
    annotator = form.cleaned_data["annotator"]
    with shown_as_message(request, flow.BatchError):
        flow.unassign_annotator(batch, annotator=annotator, actor=request.user)
        messages.success(request, f"{annotator} no longer takes part. Their judgments stay.")
    return redirect("batch", slug=slug, token=token)


@login_required
@require_POST
def batch_feedback(request: Request, slug: str, token: str) -> HttpResponse:
    """When people are told how they did, from now on."""
    batch = batch_for(request.user, slug, token, ADMIN)
    form = FeedbackForm(request.POST)
    if not form.is_valid():
        messages.error(request, "Say when, and for the delayed kind after how many hours (1 to 2,160).")
        return redirect("batch", slug=slug, token=token)
    with shown_as_message(request, flow.BatchError):
        flow.change_feedback(batch, **form.cleaned_data, actor=request.user)
        messages.success(request, "Saved. Results that people have seen stay visible.")
    return redirect("batch", slug=slug, token=token)


@login_required
@require_POST
def batch_release(request: Request, slug: str, token: str, item: str) -> HttpResponse:
    batch = batch_for(request.user, slug, token, ADMIN)
    with shown_as_message(request, flow.BatchError):
        flow.release_item(item_of(batch, item), actor=request.user)
        messages.success(request, "The pair is handed out again.")
    return redirect("batch", slug=slug, token=token)


@login_required
@require_GET
def batch_hours(request: Request, slug: str, token: str) -> HttpResponse:
    """A row a person and day, as CSV."""
    batch = batch_for(request.user, slug, token, RESEARCH)
    name = slugify(batch.name) or "batch"
    return csv_file(f"{name}-hours", hours_csv(days_of_work(batch)))


@login_required
@require_GET
def batch_overlap_csv(request: Request, slug: str, token: str) -> HttpResponse:
    """A row a number of judgments, of a batch that a policy steers."""
    batch = batch_for(request.user, slug, token, RESEARCH)
    steering = steering_of(batch)
    if steering is None:
        raise Http404("This batch has a fixed number of judgments.")
    name = slugify(batch.name) or "batch"
    return csv_file(f"{name}-overlap", OVERLAP.csv(steering))
