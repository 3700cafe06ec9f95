"""Every address: the two apps' own, and three for whoever watches the server."""

from django.urls import include, path

from touchstone.health import healthz, readyz
from touchstone.monitoring import monitored

handler400 = "touchstone.errors.bad_request"
handler404 = "touchstone.errors.not_found"
handler500 = "touchstone.errors.server_error"

urlpatterns = [
    path("healthz", healthz, name="healthz"),
    path("readyz", readyz, name="readyz"),
    path("metrics", monitored, name="monitored"),
    path("", include("annotation.urls")),
    path("", include("evaluation.urls")),
]
