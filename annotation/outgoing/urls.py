"""The addresses of this subject, of pages and of the API."""

from django.urls import URLPattern, path

from annotation.kernel.api.page import COLLECTION as C
from annotation.outgoing import api, views

urlpatterns: list[URLPattern] = [
    path("c/<slug:slug>/outgoing/", views.outgoing, name="outgoing"),
    path("c/<slug:slug>/outgoing/<str:token>/end", views.outgoing_end, name="outgoing_end"),
    path("c/<slug:slug>/outgoing/<str:token>/test", views.outgoing_test, name="outgoing_test"),
    path(f"{C}/recipients", api.Recipients.as_view(), name="api_recipients"),
    path(f"{C}/recipients/<slug:token>/end", api.RecipientEnd.as_view(), name="api_recipient_end"),
    path(f"{C}/recipients/<slug:token>/test", api.RecipientTest.as_view(), name="api_recipient_test"),
    path(f"{C}/deliveries", api.Deliveries.as_view(), name="api_deliveries"),
]
