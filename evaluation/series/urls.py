"""The addresses of this subject, of pages and of the API."""

from django.urls import URLPattern, path

from annotation.kernel.api.page import COLLECTION as C
from evaluation.series.api import series as api
from evaluation.series.views import deeds, series

ONE = "c/<slug:slug>/series/<int:pk>"
API_ONE = f"{C}/series/<int:pk>"

urlpatterns: list[URLPattern] = [
    path("c/<slug:slug>/series/", series.series_list, name="series_list"),
    path("c/<slug:slug>/series/new", series.series_new, name="series_new"),
    path(f"{ONE}/", series.series, name="series"),
    path(f"{ONE}/points.csv", series.series_csv, name="series_csv"),
    path(f"{ONE}/point", deeds.series_point, name="series_point"),
    path(f"{ONE}/file", deeds.series_file, name="series_file"),
    path(f"{ONE}/note", deeds.series_note, name="series_note"),
    path(f"{ONE}/alert", deeds.series_alert, name="series_alert"),
    path(f"{ONE}/measure", series.series_measure, name="series_measure"),
    path(f"{ONE}/edit", series.series_edit, name="series_edit"),
    path(f"{ONE}/end", series.series_end, name="series_end"),
    path(f"{C}/series", api.ManySeries.as_view(), name="api_series_list"),
    path(API_ONE, api.OneSeries.as_view(), name="api_series"),
    path(f"{API_ONE}/points", api.Points.as_view(), name="api_series_points"),
    path(f"{API_ONE}/measurements", api.Measurement.as_view(), name="api_series_measure"),
    path(f"{API_ONE}/notes", api.Notes.as_view(), name="api_series_notes"),
    path(f"{API_ONE}/alert/see", api.AlertSeen.as_view(), name="api_series_see"),
    path(f"{API_ONE}/alert/close", api.AlertClosed.as_view(), name="api_series_close"),
    path(f"{API_ONE}/end", api.SeriesEnd.as_view(), name="api_series_end"),
]
