"""Series: the list, a new one, one of them."""

import csv
import io
from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import IntegrityError
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.text import slugify
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation.formats.problems import FormatError
from annotation.kernel.access import RESEARCH, collection_for
from annotation.kernel.files import text_file
from annotation.kernel.listing import render_listing
from annotation.kernel.page import render_page
from annotation.kernel.request import Request
from evaluation.models import Series
from evaluation.series.forms import CloseForm, PointForm, PointsFileForm, SeriesEditForm, SeriesForm, SeriesNoteForm
from evaluation.series.pages.lists import alert_listing, point_listing, series_listing
from evaluation.series.pages.overview import overview_of
from evaluation.series.pages.words import STATES, words_of_kind, words_of_schedule
from evaluation.series.read.series import alerts_of, all_points, newest_points, series_numbered, series_of
from evaluation.series.steps.editing import edit_series
from evaluation.series.steps.making import SeriesError, create_series, end_series
from evaluation.series.steps.schedule import ask_measurement

COLUMNS = ("time", "value", "low", "high", "missed", "reason", "source", "rests_on")


def series_for(request: Request, slug: str, pk: int) -> Series:
    collection = collection_for(request.user, slug, RESEARCH)
    series = series_numbered(collection, pk)
    if series is None:
        raise Http404("No such series.")
    return series


@login_required
@require_GET
def series_list(request: Request, slug: str) -> HttpResponseBase:
    collection = collection_for(request.user, slug, RESEARCH)
    return render_listing(
        request,
        "evaluation/series/series_list.html",
        series_listing(collection),
        series_of(collection),
        collection=collection,
        section="series_list",
    )


@login_required
@require_http_methods(["GET", "POST"])
def series_new(request: Request, slug: str) -> HttpResponse:
    """`?kind=` says what is measured; the form has the fields that go with it."""
    collection = collection_for(request.user, slug, RESEARCH)
    kind = request.GET.get("kind", "")
    initial = {"kind": kind} if kind in Series.Kind.values else {}
    form = SeriesForm(request.POST or None, collection=collection, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            series = create_series(collection, created_by=request.user, **form.columns())
            return redirect("series", slug=slug, pk=series.pk)
        except IntegrityError:
            form.add_error("name", "The collection already has a series of this name.")
    return render_page(
        request,
        "evaluation/series/series_new.html",
        collection=collection,
        section="series_list",
        form=form,
        kinds=Series.Kind.choices,
        kind=str(form.data.get("kind") or form.initial.get("kind") or Series.Kind.OUTSIDE),
        status=422 if form.errors else 200,
    )


@login_required
@require_http_methods(["GET", "POST"])
def series_edit(request: Request, slug: str, pk: int) -> HttpResponse:
    """Name, rule and schedule; what is measured stays."""
    one = series_for(request, slug, pk)
    form = SeriesEditForm(request.POST or None, series=one)
    if request.method == "POST" and form.is_valid():
        try:
            if edit_series(one, actor=request.user, **form.columns()):
                messages.success(request, "The series is changed.")
            return redirect("series", slug=slug, pk=pk)
        except IntegrityError:
            form.add_error("name", "The collection already has a series of this name.")
        except SeriesError as reason:
            form.add_error(None, str(reason))
    return render_page(
        request,
        "evaluation/series/series_edit.html",
        collection=one.collection,
        section="series_list",
        series=one,
        form=form,
        status=422 if form.errors else 200,
    )


@login_required
@require_GET
def series(request: Request, slug: str, pk: int) -> HttpResponseBase:
    one = series_for(request, slug, pk)
    return render_series(request, one)


def render_series(
    request: Request,
    one: Series,
    *,
    point: PointForm | None = None,
    file: PointsFileForm | None = None,
    note: SeriesNoteForm | None = None,
    close: CloseForm | None = None,
    problems: FormatError | None = None,
) -> HttpResponseBase:
    """The page with a form that was refused, or as it is."""
    overview = overview_of(one)
    refused = [form for form in (point, file, note, close) if form is not None]
    return render_listing(
        request,
        "evaluation/series/series.html",
        point_listing(one),
        newest_points(one),
        others={"alerts": (alert_listing(one), alerts_of(one))},
        collection=one.collection,
        section="series_list",
        series=one,
        overview=overview,
        badge=STATES[overview.state],
        kind_words=words_of_kind(one),
        schedule_words=words_of_schedule(one),
        point_form=point or PointForm(),
        file_form=file or PointsFileForm(),
        note_form=note or SeriesNoteForm(),
        close_form=close or CloseForm(),
        problems=problems.problems[:20] if problems else [],
        n_problems=problems.total if problems else 0,
        status=422 if refused or problems else 200,
    )


@login_required
@require_GET
def series_csv(request: Request, slug: str, pk: int) -> HttpResponse:
    """All points, those that were missed among them."""
    one = series_for(request, slug, pk)
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(COLUMNS)
    for point in all_points(one):
        figures = [point.value, point.low, point.high]
        rows.writerow(
            [
                point.time.isoformat(),
                *("" if figure is None else repr(figure) for figure in figures),
                point.n_missed or "",
                point.reason,
                point.source,
                point.rests_on,
            ]
        )
    return text_file(slugify(f"{slug}-{one.name}"), "csv", text.getvalue())


@login_required
@require_POST
def series_measure(request: Request, slug: str, pk: int) -> HttpResponse:
    return _done(request, slug, pk, lambda one: ask_measurement(one, created_by=request.user), "It is being measured.")


@login_required
@require_POST
def series_end(request: Request, slug: str, pk: int) -> HttpResponse:
    return _done(request, slug, pk, lambda one: end_series(one, actor=request.user), "The series has ended.")


def _done(request: Request, slug: str, pk: int, deed: Callable[[Series], object], words: str) -> HttpResponse:
    """What cannot be done is said on the page."""
    one = series_for(request, slug, pk)
    try:
        deed(one)
        messages.success(request, words)
    except SeriesError as reason:
        messages.error(request, str(reason))
    return redirect("series", slug=slug, pk=pk)
