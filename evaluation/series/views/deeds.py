"""What is done on the page of a series: points, notes, alerts."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.text import capfirst
from django.views.decorators.http import require_POST

from annotation.formats.problems import FormatError
from annotation.kernel.request import Request
from annotation.text.counted import counted
from evaluation.models import Series, SeriesPoint
from evaluation.series.forms import CloseForm, PointForm, PointsFileForm, SeriesNoteForm
from evaluation.series.steps.alerts import add_note, alert_to_see_to, close_alert, see_alert
from evaluation.series.steps.files import add_file
from evaluation.series.steps.making import SeriesError
from evaluation.series.steps.points import Added, add_points
from evaluation.series.views.series import render_series, series_for

PAGE = SeriesPoint.Source.PAGE


@login_required
@require_POST
def series_point(request: Request, slug: str, pk: int) -> HttpResponseBase:
    one = series_for(request, slug, pk)
    form = PointForm(request.POST)
    if form.is_valid():
        try:
            return _added(request, one, add_points(one, [form.point()], source=PAGE, actor=request.user))
        except FormatError as error:
            form.add_error("time", f"{capfirst(error.problems[0].reason)}.")
        except SeriesError as reason:
            form.add_error(None, str(reason))
    return render_series(request, one, point=form)


@login_required
@require_POST
def series_file(request: Request, slug: str, pk: int) -> HttpResponseBase:
    """Points of a file: all, or what is wrong with them line by line."""
    one = series_for(request, slug, pk)
    form = PointsFileForm(request.POST, request.FILES)
    if form.is_valid():
        try:
            file = form.cleaned_data["file"]
            return _added(request, one, add_file(one, file, name=file.name, source=PAGE, actor=request.user))
        except FormatError as error:
            return render_series(request, one, file=form, problems=error)
        except SeriesError as reason:
            form.add_error(None, str(reason))
    return render_series(request, one, file=form)


@login_required
@require_POST
def series_note(request: Request, slug: str, pk: int) -> HttpResponseBase:
    one = series_for(request, slug, pk)
    form = SeriesNoteForm(request.POST)
    if not form.is_valid():
        return render_series(request, one, note=form)
    add_note(one, **form.cleaned_data, actor=request.user)
    messages.success(request, "The note is kept.")
    return redirect("series", slug=slug, pk=pk)


@login_required
@require_POST
def series_alert(request: Request, slug: str, pk: int) -> HttpResponseBase:
    """`step=see`: somebody looks into the open alert; else it is closed, with a note."""
    one = series_for(request, slug, pk)
    form = CloseForm(request.POST)
    try:
        alert = alert_to_see_to(one)
        if request.POST.get("step") == "see":
            see_alert(alert, actor=request.user)
            messages.success(request, "The alert is yours: others see that you look into it.")
        elif form.is_valid():
            close_alert(alert, **form.cleaned_data, actor=request.user)
            messages.success(request, "The alert is closed; the path begins anew.")
        else:
            return render_series(request, one, close=form)
    except SeriesError as reason:
        messages.error(request, str(reason))
    return redirect("series", slug=slug, pk=pk)


def _added(request: Request, one: Series, added: Added) -> HttpResponseBase:
    repeats = f" {counted(added.n_known, 'point')} was there already." if added.n_known else ""
    messages.success(request, f"{counted(len(added.points), 'point')} came in.{repeats}")
    return redirect("series", slug=one.collection.slug, pk=one.pk)
