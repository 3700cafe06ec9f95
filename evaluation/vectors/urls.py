"""The addresses of this subject, of pages and of the API."""

from django.urls import URLPattern, path

from annotation.kernel.api.page import COLLECTION as C
from evaluation.vectors.api import comparing as api_comparing
from evaluation.vectors.api import space as api_space
from evaluation.vectors.api import vectors as api_vectors
from evaluation.vectors.views import comparing, space, vectors

SET = "<slug:side>/<path:model>"

urlpatterns: list[URLPattern] = [
    path("c/<slug:slug>/vectors/", vectors.vectors, name="vectors"),
    path("c/<slug:slug>/vectors/search", vectors.vectors_search, name="vectors_search"),
    path(f"c/<slug:slug>/vectors/sets/{SET}", vectors.vectors_set, name="vectors_set"),
    path(f"c/<slug:slug>/vectors/delete/{SET}", vectors.vectors_delete, name="vectors_delete"),
    path(f"c/<slug:slug>/vectors/spaces/{SET}", space.vectors_space, name="vectors_space"),
    path("c/<slug:slug>/vectors/comparisons/", comparing.vectors_compare, name="vectors_compare"),
    path("c/<slug:slug>/vectors/comparisons/<int:pk>", comparing.vectors_comparison, name="vectors_comparison"),
    path(
        "c/<slug:slug>/vectors/comparisons/<int:pk>/file",
        comparing.vectors_comparison_file,
        name="vectors_comparison_file",
    ),
    path(f"{C}/searched-runs", api_vectors.SearchedRuns.as_view(), name="api_searched_runs"),
    path(f"{C}/vectors", api_vectors.Vectors.as_view(), name="api_vectors"),
    path(f"{C}/vectors/{SET}", api_vectors.OneVectorSet.as_view(), name="api_vectors_set"),
    path(f"{C}/spaces/{SET}", api_space.Space.as_view(), name="api_space"),
    path(f"{C}/model-comparisons", api_comparing.ModelComparisons.as_view(), name="api_model_comparisons"),
    path(f"{C}/model-comparisons/<int:pk>", api_comparing.OneModelComparison.as_view(), name="api_model_comparison"),
]
