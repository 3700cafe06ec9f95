"""What comes in is UTF-8. A charset that a caller names would decide how bodies and queries are decoded."""

import codecs
from collections.abc import Callable, Iterable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.http import parse_header_parameters

from annotation.kernel.problem_details import is_for_programs, problem_answer

REFUSAL = "This has to be sent in UTF-8."
DECODED = frozenset({"application/x-www-form-urlencoded", "multipart/form-data", "application/json"})
UTF_8 = frozenset({"utf-8", "ascii"})  # ASCII is a part of it


class OnlyUtf8:
    """Forms and JSON in another charset are answered with 415, before anything is decoded.

    Python knows charsets that are no text (hex), that fail (idna) or that hide a NUL (UTF-7).
    The body of any other type is a file: its bytes are kept as they are, and the query beside it is UTF-8.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.encoding and codecs.lookup(request.encoding).name not in UTF_8:
            if request.content_type in DECODED:
                return _refuse(request)
            request.encoding = "utf-8"
        return self.get_response(request)


def _refuse(request: HttpRequest) -> HttpResponse:
    if is_for_programs(request):
        return problem_answer(415, REFUSAL)
    return HttpResponse(f"{REFUSAL}\n", status=415, content_type="text/plain")


def readable_types(application: Callable[..., Iterable[bytes]]) -> Callable[..., Iterable[bytes]]:
    """The application, spared a Content-Type that cannot be read: Django fails over it before it can answer."""

    def answer(call: dict[str, Any], start_response: Callable[..., Any] | None) -> Iterable[bytes]:
        try:
            parse_header_parameters(call.get("CONTENT_TYPE", ""))
        except (ValueError, LookupError):
            call = {**call, "CONTENT_TYPE": ""}
        return application(call, start_response)

    return answer
