"""The addresses of this subject."""

from django.urls import URLPattern, path

from annotation.gold import api
from annotation.kernel.api.page import COLLECTION as C

urlpatterns: list[URLPattern] = [
    path(f"{C}/gold", api.Gold.as_view(), name="api_gold"),
]
