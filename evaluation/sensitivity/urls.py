"""The addresses of this subject, of pages and of the API."""

from django.urls import URLPattern, path

from annotation.kernel.api.page import COLLECTION as C
from evaluation.sensitivity import api, views

urlpatterns: list[URLPattern] = [
    path("c/<slug:slug>/sensitivity/", views.sensitivity, name="sensitivity"),
    path("c/<slug:slug>/sensitivity/shares", views.sensitivity_shares, name="sensitivity_shares"),
    path("c/<slug:slug>/sensitivity/<int:pk>/", views.sensitivity_study, name="sensitivity_study"),
    path("c/<slug:slug>/sensitivity/<int:pk>/file", views.sensitivity_file, name="sensitivity_file"),
    path(f"{C}/sensitivity", api.SensitivityStudies.as_view(), name="api_sensitivity"),
    path(f"{C}/sensitivity/shares", api.SensitivityShares.as_view(), name="api_sensitivity_shares"),
    path(f"{C}/sensitivity/<int:pk>", api.OneSensitivityStudy.as_view(), name="api_sensitivity_study"),
]
