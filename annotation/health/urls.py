"""The addresses of this subject, of pages and of the API."""

from django.urls import URLPattern, path

from annotation.health.api import alerts as api_alerts
from annotation.health.api import settings as api_settings
from annotation.health.views import alerts, health
from annotation.kernel.api.page import COLLECTION as C

urlpatterns: list[URLPattern] = [
    path("c/<slug:slug>/alerts/", alerts.alerts, name="alerts"),
    path("c/<slug:slug>/alerts/settings", alerts.alerts_settings, name="alerts_settings"),
    path("c/<slug:slug>/batches/<str:token>/health", health.batch_health, name="batch_health"),
    path("c/<slug:slug>/batches/<str:token>/health/<slug:table>.csv", health.batch_health_csv, name="batch_health_csv"),
    path("c/<slug:slug>/batches/<str:token>/alert", alerts.batch_alert, name="batch_alert"),
    path("c/<slug:slug>/batches/<str:token>/cost", health.batch_cost, name="batch_cost"),
    path("c/<slug:slug>/batches/<str:token>/due", health.batch_due, name="batch_due"),
    path(f"{C}/alerts", api_alerts.Alerts.as_view(), name="api_alerts"),
    path(f"{C}/batches/<slug:token>/alerts/set-aside", api_alerts.AlertAside.as_view(), name="api_alert_aside"),
    path(f"{C}/batches/<slug:token>/alerts/show-again", api_alerts.AlertShow.as_view(), name="api_alert_show"),
    path(f"{C}/alerts/settings", api_settings.AlertsSettings.as_view(), name="api_alerts_settings"),
    path(f"{C}/batches/<slug:token>/cost", api_settings.BatchCost.as_view(), name="api_batch_cost"),
    path(f"{C}/batches/<slug:token>/due", api_settings.BatchDue.as_view(), name="api_batch_due"),
]
