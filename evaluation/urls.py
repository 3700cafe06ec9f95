"""All addresses of evaluation."""

from django.urls import URLPattern, URLResolver, include, path

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("evaluation.runs.urls")),
    path("", include("evaluation.vectors.urls")),
    path("", include("evaluation.leaderboard.urls")),
    path("", include("evaluation.pooling.urls")),
    path("", include("evaluation.sensitivity.urls")),
    path("", include("evaluation.accounting.urls")),
    path("", include("evaluation.changes.urls")),
    path("", include("evaluation.reports.urls")),
    path("", include("evaluation.planning.urls")),
    path("", include("evaluation.ab_tests.urls")),
    path("", include("evaluation.beyond.urls")),
    path("", include("evaluation.clicks.urls")),
    path("", include("evaluation.series.urls")),
]
