"""The addresses of this subject, of pages and of the API."""

from django.urls import URLPattern, path

from annotation.kernel.api.page import COLLECTION as C
from evaluation.ab_tests import api, views

ONE = "ab-tests/<str:experiment>"

urlpatterns: list[URLPattern] = [
    path("c/<slug:slug>/ab-tests/", views.ab_tests, name="ab_tests"),
    path(f"c/<slug:slug>/{ONE}/", views.ab_test, name="ab_test"),
    path(f"c/<slug:slug>/{ONE}/analyses/<int:pk>/file", views.ab_test_file, name="ab_test_file"),
    path(f"c/<slug:slug>/{ONE}/delete", views.ab_test_delete, name="ab_test_delete"),
    path(f"{C}/ab-tests", api.ABTests.as_view(), name="api_ab_tests"),
    path(f"{C}/{ONE}", api.OneABTest.as_view(), name="api_ab_test"),
    path(f"{C}/{ONE}/analyses", api.ABTestAnalyses.as_view(), name="api_ab_test_analyses"),
    path(f"{C}/{ONE}/analyses/<int:pk>", api.OneABTestAnalysis.as_view(), name="api_ab_test_analysis"),
]
