"""Taking a person out of the count or giving them a rest, with a reason, and bringing them back."""

from collections.abc import Callable
from functools import partial

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from annotation.access import annotator_for
from annotation.forms.standing import PauseForm, ReasonForm, rule_of
from annotation.queries.quality.held_people import history_of
from annotation.views.page import render_page
from annotation.views.request import Request
from annotation.workflow.exclusions import ExclusionRefused, exclude_annotator, reinstate_annotator
from annotation.workflow.pausing import PauseRefused, pause_annotator, resume_annotator


@login_required
@require_http_methods(["GET", "POST"])
def annotator_exclude(request: Request, slug: str, pseudonym: str) -> HttpResponse:
    change = partial(exclude_annotator, rule=rule_of(request.GET))
    return _change(request, slug, pseudonym, change, verb="Exclude", done="excluded")


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
        except (ExclusionRefused, PauseRefused) as refused:
            messages.error(request, str(refused))
        else:
            messages.success(request, f"{annotator.pseudonym}: {done}. The figures below follow.")
        return _back(request, slug)
    return render_page(
        request,
        "annotation/quality_exclusion.html",
        collection=annotator.collection,
        section="quality",
        annotator=annotator,
        events=history_of(annotator),
        form=form,
        verb=verb,
        back=_back_query(request),
        status=422 if form.errors else 200,
    )


def _back_query(request: Request) -> str:
    """The query of the quality page one came from; only ever a query, never an address."""
    return QueryDict(request.GET.get("back", "")).urlencode()


def _back(request: Request, slug: str) -> HttpResponse:
    return redirect(f"{reverse('quality', kwargs={'slug': slug})}?{_back_query(request)}")
