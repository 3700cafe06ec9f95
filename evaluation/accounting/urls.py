"""The addresses of this subject, of pages and of the API."""

from django.urls import URLPattern, path

from annotation.kernel.api.page import COLLECTION as C
from evaluation.accounting.api import policies as api_policies
from evaluation.accounting.api import snapshots as api_snapshots
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
        api_snapshots.SnapshotAccounting.as_view(),
        name="api_snapshot_accounting",
    ),
    path(f"{C}/accounting", api_policies.Accountings.as_view(), name="api_accountings"),
    path(f"{C}/accounting/<int:pk>", api_policies.OneAccounting.as_view(), name="api_accounting"),
    path(f"{C}/accounting/<int:pk>/file", api_policies.AccountingFile.as_view(), name="api_accounting_file"),
]
