"""The addresses of this subject, of pages and of the API."""

from django.urls import URLPattern, path

from annotation.kernel.api.page import COLLECTION as C
from evaluation.changes import api, views

urlpatterns: list[URLPattern] = [
    path("c/<slug:slug>/snapshots/<int:pk>/changed", views.snapshot_changed, name="snapshot_changed"),
    path(f"{C}/snapshots/<int:pk>/changed", api.SnapshotChanged.as_view(), name="api_snapshot_changed"),
]
