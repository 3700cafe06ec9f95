"""How DRF answers unless an endpoint says otherwise: the classes that the settings name."""

from collections.abc import Iterable
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


class AsciiJson(JSONRenderer):
    ensure_ascii = True


class EscapingJson(JSONRenderer):
    """JSON in UTF-8; where an answer quotes half a character that was sent, escaped as it came."""

    def render(self, data: Any, *args: Any, **kwargs: Any) -> bytes:
        try:
            return super().render(data, *args, **kwargs)
        except UnicodeEncodeError:
            return AsciiJson().render(data, *args, **kwargs)


class OnlyJson(DefaultContentNegotiation):
    """Whatever a client accepts, the answer is what the endpoint gives: a download, or JSON; errors are JSON."""

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        renderer = next(iter(renderers))
        return renderer, renderer.media_type
