"""All addresses of annotation.

Batches stand before trust: two of their tables have addresses that would match a pattern of trust,
too.
"""

from django.urls import URLPattern, URLResolver, include, path

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("annotation.judging.urls")),
    path("", include("annotation.home.urls")),
    path("", include("annotation.people.urls")),
    path("", include("annotation.outgoing.urls")),
    path("", include("annotation.corpus.urls")),
    path("", include("annotation.gold.urls")),
    path("", include("annotation.batches.urls")),
    path("", include("annotation.trust.urls")),
    path("", include("annotation.review.urls")),
    path("", include("annotation.health.urls")),
    path("", include("annotation.exchange.urls")),
]
