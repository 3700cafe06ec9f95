"""What people see of their own work: what they have done, and how their grades compare once they are told."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from annotation.judging.forms import ObjectionForm
from annotation.judging.pages.own_plots import hours_plot, verdicts_plot
from annotation.judging.read.own_results import Result, feedback_of, result_of, results_of
from annotation.judging.read.own_work import work_of
from annotation.judging.steps.own_results import AppealError, mark_read, raise_appeal
from annotation.kernel import clock
from annotation.kernel.access import participation_for
from annotation.kernel.page import render_page
from annotation.kernel.request import Request
from annotation.models import Participation


@login_required
@require_GET
@never_cache
def own_work(request: Request) -> HttpResponse:
    work = work_of(request.user, moment=clock.now())
    return render_page(request, "annotation/judging/own_work.html", work=work, plot=hours_plot(work))


@login_required
@require_GET
@never_cache
def own_results(request: Request, token: str) -> HttpResponse:
    participation = participation_for(request.user, token, though_left=True)
    results, verdict = results_of(participation), request.GET.get("show", "")
    return render_page(
        request,
        "annotation/judging/own_results.html",
        batch=participation.batch,
        results=results,
        plot=verdicts_plot(results),
        verdict=verdict,
        page_obj=Paginator(results.of(verdict), 25).get_page(request.GET.get("page")),
    )


@login_required
@require_GET
@never_cache
def own_result(request: Request, token: str, result: str) -> HttpResponse:
    participation = participation_for(request.user, token, though_left=True)
    own_result = result_of(participation, result)
    if own_result is None:
        raise Http404("Nothing was told of this judgment.")
    return _render_result(request, participation, own_result, ObjectionForm())


@login_required
@require_POST
def own_object(request: Request, token: str, result: str) -> HttpResponse:
    """The person objects to what they were told of this judgment."""
    participation = participation_for(request.user, token, though_left=True)
    own_result, feedback = result_of(participation, result), feedback_of(participation, result)
    if own_result is None or feedback is None:
        raise Http404("Nothing was told of this judgment.")
    form = ObjectionForm(request.POST)
    if own_result.can_object and not form.is_valid():
        return _render_result(request, participation, own_result, form)
    try:
        if not own_result.can_object:
            raise AppealError("There is nothing to object to here any more.")
        raise_appeal(feedback, reason=form.cleaned_data["reason"])
    except AppealError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, "Your objection is with those who lead this collection. The answer will be here.")
    return redirect("own_result", token=token, result=result)


@login_required
@require_POST
def own_results_read(request: Request, token: str) -> HttpResponse:
    participation = participation_for(request.user, token, though_left=True)
    mark_read(participation, moment=clock.now())
    messages.success(request, "Marked as read.")
    return redirect("own_results", token=token)


def _render_result(request: Request, participation: Participation, result: Result, form: ObjectionForm) -> HttpResponse:
    return render_page(
        request,
        "annotation/judging/own_result.html",
        batch=participation.batch,
        result=result,
        form=form,
        status=422 if form.errors else 200,
    )
