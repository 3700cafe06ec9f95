"""The addresses of this subject, of pages and of the API."""

from django.urls import URLPattern, path

from annotation.kernel.api.page import COLLECTION as C
from evaluation.clicks import api, views

urlpatterns: list[URLPattern] = [
    path("c/<slug:slug>/clicks/", views.clicks, name="clicks"),
    path("c/<slug:slug>/clicks/delete/<path:name>", views.click_comparison_delete, name="click_comparison_delete"),
    path("c/<slug:slug>/clicks/<path:name>", views.click_comparison, name="click_comparison"),
    path(f"{C}/clicks", api.Clicks.as_view(), name="api_clicks"),
    path(f"{C}/clicks/<path:name>", api.OneClickComparison.as_view(), name="api_click_comparison"),
]
