"""The addresses of this subject, of pages and of the API."""

from django.urls import URLPattern, path

from annotation.kernel.api.page import COLLECTION as C
from evaluation.pooling.api import next_pairs as api_next_pairs
from evaluation.pooling.views import next_pairs

urlpatterns: list[URLPattern] = [
    path("c/<slug:slug>/pools/next", next_pairs.pooling_next, name="pooling_next"),
    path(f"{C}/pools/next", api_next_pairs.PoolingNext.as_view(), name="api_pooling_next"),
]
