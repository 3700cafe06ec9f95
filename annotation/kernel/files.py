"""Files to download."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from django.http import FileResponse, Http404, HttpResponse, StreamingHttpResponse

CSV = "text/csv; charset=utf-8"


@dataclass(frozen=True)
class Outgoing:
    """A file whose `pieces` are made while it is sent."""

    filename: str
    content_type: str
    pieces: Iterator[bytes]


def download(file: Outgoing) -> StreamingHttpResponse:
    """The file, made while it goes out."""
    headers = _attachment(file.filename)
    return StreamingHttpResponse(file.pieces, content_type=file.content_type, headers=headers)


def stored_download(path: Path, filename: str, content_type: str) -> FileResponse:
    """A stored file. Where it was there a moment ago, and has been deleted with what named it, the answer is 404."""
    try:
        file = path.open("rb")
    except FileNotFoundError as error:
        raise Http404("This file is gone.") from error
    return FileResponse(file, as_attachment=True, filename=filename, content_type=content_type)


def csv_file(name: str, text: bytes) -> HttpResponse:
    """To be downloaded; `name` without its ending."""
    return HttpResponse(text, content_type=CSV, headers=_attachment(f"{name}.csv"))


def text_file(name: str, ending: str, text: str) -> HttpResponse:
    """To be downloaded, as CSV, LaTeX or JSON."""
    content_type = {"csv": CSV, "json": "application/json"}.get(ending, "text/plain; charset=utf-8")
    return HttpResponse(text, content_type=content_type, headers=_attachment(f"{name}.{ending}"))


def csv_stream(name: str, lines: Iterable[bytes]) -> StreamingHttpResponse:
    """The same, line by line."""
    return StreamingHttpResponse(lines, content_type=CSV, headers=_attachment(f"{name}.csv"))


def _attachment(filename: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{filename}"'}
