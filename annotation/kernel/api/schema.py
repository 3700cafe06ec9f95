from typing import Any

from drf_spectacular.views import SpectacularJSONAPIView

FAULTS = {
    "400": "What was sent cannot be used: `detail`, or a list of reasons for each field.",
    "401": "No token, or one that does not work.",
    "403": "Your role does not allow this.",
    "404": "There is no such thing, or it is not for you to know.",
}


class Schema(SpectacularJSONAPIView):
    """The OpenAPI 3 description of everything under /api/v1/, as JSON."""


def tell_faults(result: dict[str, Any], **options: object) -> dict[str, Any]:
    """Add to every operation the errors that all of them can answer."""
    result["components"]["schemas"]["Fault"] = {"type": "object", "properties": {"detail": {"type": "string"}}}
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/Fault"}}}
    for methods in result["paths"].values():
        for operation in methods.values():
            for code, words in FAULTS.items():
                operation["responses"].setdefault(code, {"description": words, "content": content})
    return result
