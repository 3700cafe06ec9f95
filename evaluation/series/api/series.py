"""Series and their points, notes and alerts."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import IntegrityError
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.formats.problems import FormatError, Problems
from annotation.kernel.access import RESEARCH, collection_for
from annotation.kernel.api.form_entries import checked_form, form_errors, sent_entries, serializer_of_form
from annotation.kernel.api.page import Address, job_address, or_404, validated_data
from annotation.kernel.api.refusals import NOTHING, conflicts, reasons_of, refused
from annotation.models import User
from evaluation.models import Series, SeriesPoint
from evaluation.series.api.serializers import (
    CloseEntries,
    NoteEntries,
    PointsEntries,
    SeriesJobSerializer,
    SeriesPointSerializer,
    SeriesSerializer,
    SeriesStateSerializer,
)
from evaluation.series.forms import CloseForm, PointForm, SeriesEditForm, SeriesForm, SeriesNoteForm
from evaluation.series.pages.overview import Overview, overview_of
from evaluation.series.read.series import all_points, series_numbered, series_of
from evaluation.series.steps.alerts import add_note, alert_to_see_to, close_alert, see_alert
from evaluation.series.steps.editing import edit_series
from evaluation.series.steps.making import SeriesError, create_series, end_series
from evaluation.series.steps.points import NewPoint, add_points
from evaluation.series.steps.schedule import ask_measurement

SeriesEntries = serializer_of_form("SeriesEntries", SeriesForm)
ChangedSeriesEntries = serializer_of_form(
    "ChangedSeriesEntries", SeriesEditForm, description="What is left out stays as it is."
)
TAKEN = "The collection already has a series of this name."


def series_for(person: User, slug: str, pk: int) -> Series:
    collection = collection_for(person, slug, RESEARCH)
    return or_404(series_numbered(collection, pk), "series")


class ManySeries(Address):
    serializer_class: type[serializers.Serializer[Any]] = SeriesSerializer

    @extend_schema(
        parameters=[OpenApiParameter("name", description="Only the one of this name.")],
        responses=SeriesSerializer(many=True),
    )
    def get(self, request: Request, slug: str) -> Response:
        """Series of the collection, those that are watched first. For admins and researchers."""
        here = series_of(collection_for(self.person, slug, RESEARCH))
        name = request.query_params.get("name")
        return self.page_of(here if name is None else here.filter(name=name))

    @extend_schema(request=SeriesEntries, responses={201: SeriesStateSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Begin a series. For admins and researchers."""
        collection = collection_for(self.person, slug, RESEARCH)
        form = checked_form(SeriesForm, sent_entries(SeriesEntries, request.data), collection=collection)
        try:
            series = create_series(collection, created_by=self.person, **form.columns())
        except IntegrityError as error:
            raise refused({"name": [TAKEN]}) from error
        return _state(series, status.HTTP_201_CREATED)


class OneSeries(Address):
    serializer_class = SeriesStateSerializer

    def get(self, request: Request, slug: str, pk: int) -> Response:
        """How a series stands: its rule, what is usual, its alerts and notes. For admins and researchers."""
        return _state(series_for(self.person, slug, pk))

    @extend_schema(request=ChangedSeriesEntries, responses={200: SeriesStateSerializer, 409: NOTHING})
    def patch(self, request: Request, slug: str, pk: int) -> Response:
        """Another name, rule or schedule; what is measured stays. A rule that is named has its usual numbers, where no
        others are named. 409 where it has ended, and for another rule while an alert is open. For admins and
        researchers."""
        series = series_for(self.person, slug, pk)
        form = SeriesEditForm.with_entries(series, sent_entries(ChangedSeriesEntries, request.data, partial=True))
        if not form.is_valid():
            raise refused(form_errors(form))
        with conflicts(SeriesError):
            try:
                edit_series(series, actor=self.person, **form.columns())
            except IntegrityError as error:
                raise refused({"name": [TAKEN]}) from error
        return _state(series)


class Points(Address):
    serializer_class: type[serializers.Serializer[Any]] = SeriesPointSerializer

    @extend_schema(responses=SeriesPointSerializer(many=True))
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """All points in order of time, those that were missed among them. For admins and researchers."""
        return self.page_of(all_points(series_for(self.person, slug, pk)))

    @extend_schema(request=PointsEntries, responses={201: SeriesStateSerializer, 409: NOTHING})
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Points from outside, in order of time: all, or none. One that is there already, with the same value, is left
        alone. 409 where the series has ended or measures itself. For admins and researchers."""
        series = series_for(self.person, slug, pk)
        sent = validated_data(PointsEntries(data=request.data))["points"]
        with conflicts(SeriesError):
            try:
                add_points(series, _points(sent), source=SeriesPoint.Source.API, actor=self.person)
            except FormatError as error:
                raise refused({"points": reasons_of(error, row="Point")}) from error
        return _state(series, status.HTTP_201_CREATED)


class Measurement(Address):
    serializer_class = SeriesJobSerializer

    @extend_schema(request=None, responses={202: SeriesJobSerializer, 409: NOTHING})
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Measure the series now, in a job. 409 where its points come from outside. For admins and researchers."""
        series = series_for(self.person, slug, pk)
        with conflicts(SeriesError):
            job = ask_measurement(series, created_by=self.person)
        return self.queued({"name": series.name, "job_url": job_address(request, job)})


class Notes(Address):
    serializer_class = SeriesStateSerializer

    @extend_schema(request=NoteEntries, responses={201: SeriesStateSerializer})
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Say something of a moment of the series. For admins and researchers."""
        series = series_for(self.person, slug, pk)
        form = checked_form(SeriesNoteForm, sent_entries(NoteEntries, request.data))
        add_note(series, **form.cleaned_data, actor=self.person)
        return _state(series, status.HTTP_201_CREATED)


class AlertSeen(Address):
    serializer_class = SeriesStateSerializer

    @extend_schema(request=None, responses={200: SeriesStateSerializer, 409: NOTHING})
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Say that you look into the open alert. For admins and researchers."""
        series = series_for(self.person, slug, pk)
        with conflicts(SeriesError):
            see_alert(alert_to_see_to(series), actor=self.person)
        return _state(series)


class AlertClosed(Address):
    serializer_class = SeriesStateSerializer

    @extend_schema(request=CloseEntries, responses={200: SeriesStateSerializer, 409: NOTHING})
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Close the open alert, with a note; the path begins anew. For admins and researchers."""
        series = series_for(self.person, slug, pk)
        form = checked_form(CloseForm, sent_entries(CloseEntries, request.data))
        with conflicts(SeriesError):
            close_alert(alert_to_see_to(series), **form.cleaned_data, actor=self.person)
        return _state(series)


class SeriesEnd(Address):
    serializer_class = SeriesStateSerializer

    @extend_schema(request=None, responses={200: SeriesStateSerializer, 409: NOTHING})
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """End the series: no point comes any more, what there is stays. For admins and researchers."""
        series = series_for(self.person, slug, pk)
        with conflicts(SeriesError):
            end_series(series, actor=self.person)
        return _state(series)


def _points(sent: Sequence[Mapping[str, Any]]) -> list[NewPoint]:
    """Raises `FormatError` with what is wrong, by the place of each point."""
    problems = Problems("points")
    forms = [PointForm({name: value for name, value in each.items() if value is not None}) for each in sent]
    for number, form in enumerate(forms, 1):
        for name, reasons in form.errors.items():
            problems.add(number, f"{name}: {' '.join(map(str, reasons))}")
    problems.check()
    return [form.point() for form in forms]


def _facts(series: Series) -> Any:
    overview: Overview = overview_of(Series.objects.select_related("collection").get(pk=series.pk), with_changes=False)
    return SeriesStateSerializer(overview).data


def _state(series: Series, code: int = 200) -> Response:
    return Response(_facts(series), code)
