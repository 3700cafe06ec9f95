"""The addresses of this subject, of pages and of the API."""

from django.urls import URLPattern, path

from annotation.kernel.api.page import COLLECTION as C
from evaluation.beyond import views
from evaluation.beyond.api import descriptions, interleaving
from evaluation.beyond.api import lists_alarms_drift as described

urlpatterns: list[URLPattern] = [
    path("c/<slug:slug>/beyond/", views.beyond, name="beyond"),
    path("c/<slug:slug>/beyond/new/<slug:kind>", views.beyond_new, name="beyond_new"),
    path("c/<slug:slug>/beyond/of/<slug:key>", views.beyond_description, name="beyond_description"),
    path("c/<slug:slug>/beyond/of/<slug:key>/file", views.beyond_file, name="beyond_file"),
    path("c/<slug:slug>/beyond/of/<slug:key>/delete", views.beyond_delete, name="beyond_delete"),
    path("c/<slug:slug>/beyond/lists", views.interleaved_lists, name="interleaved_lists"),
    path(f"{C}/descriptions", descriptions.Descriptions.as_view(), name="api_descriptions"),
    path(f"{C}/descriptions/<slug:key>", descriptions.OneDescription.as_view(), name="api_description"),
    path(f"{C}/recommendations", described.Recommendations.as_view(), name="api_recommendations"),
    path(f"{C}/alarm-scores", described.Alarms.as_view(), name="api_alarm_scores"),
    path(f"{C}/drift", described.Drift.as_view(), name="api_drift"),
    path(f"{C}/interleaving", interleaving.Interleaving.as_view(), name="api_interleaving"),
    path(f"{C}/interleaving-power", interleaving.InterleavingPower.as_view(), name="api_interleaving_power"),
    path(f"{C}/interleaved-lists", interleaving.InterleavedLists.as_view(), name="api_interleaved_lists"),
]
