"""The addresses of this subject, of pages and of the API."""

from django.urls import URLPattern, path

from annotation.kernel.api.page import COLLECTION as C
from evaluation.reports import api, views

urlpatterns: list[URLPattern] = [
    path("c/<slug:slug>/reports/", views.reports, name="reports"),
    path("c/<slug:slug>/reports/new", views.report_new, name="report_new"),
    path("c/<slug:slug>/reports/<int:pk>/", views.report, name="report"),
    path("c/<slug:slug>/reports/<int:pk>/report.zip", views.report_file, name="report_file"),
    path(f"{C}/reports", api.Reports.as_view(), name="api_reports"),
    path(f"{C}/reports/<int:pk>", api.OneReport.as_view(), name="api_report"),
    path(f"{C}/reports/<int:pk>/file", api.ReportFile.as_view(), name="api_report_file"),
]
