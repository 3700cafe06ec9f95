"""How DRF answers unless an endpoint says otherwise: the classes that the settings name."""

from collections.abc import Iterable, Mapping
from typing import Any

from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.pagination import PageNumberPagination
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request


class Pages(PageNumberPagination):
    """`?page=2&page_size=500`; a larger page than the largest is cut to it."""

    page_size = 100
    page_size_query_param = "page_size"
    max_page_size = 1000


class EscapedJson(JSONRenderer):
    ensure_ascii = True


class EveryJson(JSONRenderer):
    """JSON in UTF-8; a refusal that quotes half a character, which JSON can send and UTF-8 cannot write, escapes it."""

    def render(
        self, data: Any, accepted_media_type: str | None = None, renderer_context: Mapping[str, Any] | None = None
    ) -> bytes:
        try:
            return super().render(data, accepted_media_type, renderer_context)
        except UnicodeEncodeError:
            return EscapedJson().render(data, accepted_media_type, renderer_context)


class OnlyJson(DefaultContentNegotiation):
    """Whatever a client accepts, the answer is what the endpoint gives: a download, or JSON; errors are JSON."""

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        renderer = next(iter(renderers))
        return renderer, renderer.media_type
