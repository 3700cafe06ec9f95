"""The addresses of this subject, of pages and of the API."""

from django.urls import URLPattern, path

from annotation.kernel.api.page import COLLECTION as C
from evaluation.beyond import api, views

urlpatterns: list[URLPattern] = [
    path("c/<slug:slug>/beyond/", views.beyond, name="beyond"),
    path("c/<slug:slug>/beyond/new/<slug:kind>", views.beyond_new, name="beyond_new"),
    path("c/<slug:slug>/beyond/of/<slug:key>", views.beyond_description, name="beyond_description"),
    path("c/<slug:slug>/beyond/of/<slug:key>/file", views.beyond_file, name="beyond_file"),
    path(f"{C}/descriptions", api.Descriptions.as_view(), name="api_descriptions"),
    path(f"{C}/descriptions/<slug:key>", api.OneDescription.as_view(), name="api_description"),
    path(f"{C}/recommendations", api.Recommendations.as_view(), name="api_recommendations"),
    path(f"{C}/alarm-scores", api.Alarms.as_view(), name="api_alarm_scores"),
    path(f"{C}/drift", api.Drift.as_view(), name="api_drift"),
]
