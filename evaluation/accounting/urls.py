"""The addresses of this subject, of pages and of the API."""

from django.urls import URLPattern, path

from annotation.kernel.api.page import COLLECTION as C
from evaluation.accounting import api
from evaluation.accounting.views import accounting, policies

urlpatterns: list[URLPattern] = [
    path("c/<slug:slug>/snapshots/<int:pk>/accounting", accounting.accounting, name="accounting"),
    path("c/<slug:slug>/snapshots/<int:pk>/accounting/ask", accounting.accounting_ask, name="accounting_ask"),
    path(
        "c/<slug:slug>/snapshots/<int:pk>/accounting/dropped.csv",
        accounting.accounting_dropped_csv,
        name="accounting_dropped_csv",
    ),
    path("c/<slug:slug>/accounting/policies", policies.accounting_policies, name="accounting_policies"),
    path("c/<slug:slug>/accounting/<int:pk>/", policies.accounting_compared, name="accounting_compared"),
    path("c/<slug:slug>/accounting/<int:pk>/file", accounting.accounting_file, name="accounting_file"),
    path(
        f"{C}/snapshots/<int:pk>/accounting",
        api.SnapshotAccounting.as_view(),
        name="api_snapshot_accounting",
    ),
]
