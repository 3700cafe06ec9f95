"""Tables that leave as files."""

from collections.abc import Iterable

from django.http import HttpResponse, StreamingHttpResponse

CSV = "text/csv; charset=utf-8"


def csv_file(name: str, text: bytes) -> HttpResponse:
    """To be downloaded; `name` without its ending."""
    return HttpResponse(text, content_type=CSV, headers=_attached(name))


def csv_stream(name: str, lines: Iterable[bytes]) -> StreamingHttpResponse:
    """The same, line by line."""
    return StreamingHttpResponse(lines, content_type=CSV, headers=_attached(name))


def _attached(name: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{name}.csv"'}
