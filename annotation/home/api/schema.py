from drf_spectacular.views import SpectacularJSONAPIView


class Schema(SpectacularJSONAPIView):
    """The OpenAPI 3 description of everything under /api/v1/, as JSON."""
