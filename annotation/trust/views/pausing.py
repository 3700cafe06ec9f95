"""Taking a person out of the count or handing them no cards, by hand or by rules, and bringing them back."""

from collections.abc import Callable
from functools import partial

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from annotation.kernel.access import ADMIN, RESEARCH, annotator_for, collection_for
from annotation.kernel.forms import ReasonForm
from annotation.kernel.page import render_page
from annotation.kernel.request import Request
from annotation.trust.forms.pausing import PauseForm, RulesForm, rule_of
from annotation.trust.pages.rule_errors import rule_errors
from annotation.trust.read.held_people import held_people, history_of
from annotation.trust.read.proposals import proposals, rules_of
from annotation.trust.steps.exclusions import ExclusionError, exclude_annotator, reinstate_annotator
from annotation.trust.steps.pausing import PauseError, pause_annotator, resume_annotator
from annotation.trust.steps.rules import choose_rules

PAUSING = "pausing"  # as what leads back, instead of a query of the list of annotators


@login_required
@require_http_methods(["GET", "POST"])
def quality_pausing(request: Request, slug: str) -> HttpResponse:
    """Who gets no cards, whom the rules would pause, and which of them do so by themselves."""
    collection = collection_for(request.user, slug, ADMIN if request.method == "POST" else RESEARCH)
    form = RulesForm(
        request.POST if request.method == "POST" else None, begin=rules_of(collection), note=collection.pause_note
    )
    if request.method == "POST" and form.is_valid():
        choose_rules(collection, form.rules(), note=form.cleaned_data["note"], actor=request.user)
        messages.success(request, "These rules hold from now on.")
        return redirect("quality_pausing", slug=slug)
    return render_page(
        request,
        "annotation/trust/quality_pausing.html",
        collection=collection,
        section="quality",
        form=form,
        held=held_people(collection),
        proposed=proposals(collection),
        errs=rule_errors(collection),
        status=422 if form.errors else 200,
    )


@login_required
@require_http_methods(["GET", "POST"])
def annotator_exclude(request: Request, slug: str, pseudonym: str) -> HttpResponse:
    change = partial(exclude_annotator, rule=rule_of(request.GET))
    return _change(request, slug, pseudonym, change, verb="Exclude", done="excluded, and without new cards")


@login_required
@require_http_methods(["GET", "POST"])
def annotator_reinstate(request: Request, slug: str, pseudonym: str) -> HttpResponse:
    return _change(request, slug, pseudonym, reinstate_annotator, verb="Reinstate", done="reinstated")


@login_required
@require_http_methods(["GET", "POST"])
def annotator_pause(request: Request, slug: str, pseudonym: str) -> HttpResponse:
    change = partial(pause_annotator, rule=rule_of(request.GET))
    return _change(request, slug, pseudonym, change, verb="Pause", done="paused", asks=PauseForm)


@login_required
@require_http_methods(["GET", "POST"])
def annotator_resume(request: Request, slug: str, pseudonym: str) -> HttpResponse:
    return _change(request, slug, pseudonym, resume_annotator, verb="Resume", done="resumed")


def _change(
    request: Request,
    slug: str,
    pseudonym: str,
    change: Callable[..., object],
    *,
    verb: str,
    done: str,
    asks: type[ReasonForm] = ReasonForm,
) -> HttpResponse:
    annotator = annotator_for(request.user, slug, pseudonym)
    form = asks(request.POST or None, initial={"reason": request.GET.get("reason", "")})
    if request.method == "POST" and form.is_valid():
        try:
            change(annotator, **form.cleaned_data, actor=request.user)
        except (ExclusionError, PauseError) as refused:
            messages.error(request, str(refused))
        else:
            messages.success(request, f"{annotator.pseudonym}: {done}. The figures below follow.")
        return redirect(_came_from(request, slug, pseudonym))
    return render_page(
        request,
        "annotation/trust/quality_exclusion.html",
        collection=annotator.collection,
        section="quality",
        annotator=annotator,
        events=history_of(annotator),
        form=form,
        verb=verb,
        back=_back_query(request),
        came_from=_came_from(request, slug, pseudonym),
        status=422 if form.errors else 200,
    )


def _back_query(request: Request) -> str:
    """The query of the list of annotators one came from; only ever a query, never an address."""
    back = request.GET.get("back", "")
    return "" if back == PAUSING else QueryDict(back).urlencode()


def _came_from(request: Request, slug: str, pseudonym: str) -> str:
    """The page about pausing, or the list of annotators, where one came from there; else the person's own."""
    if request.GET.get("back") == PAUSING:
        return reverse("quality_pausing", kwargs={"slug": slug})
    if "back" in request.GET:
        return f"{reverse('quality_annotators', kwargs={'slug': slug})}?{_back_query(request)}"
    return reverse("annotator", kwargs={"slug": slug, "pseudonym": pseudonym})
