"""Files that people send: straight to where they will be kept, never past the limit, and never half."""

import io
import time
from collections.abc import Callable, Iterable
from typing import Any, Protocol

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import FileUploadHandler
from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.shortcuts import render
from django.template.defaultfilters import filesizeformat

from annotation.formats.store import Incoming
from annotation.kernel.problem_details import is_for_programs, problem_answer
from annotation.kernel.store import incoming_file


class IntoTheStore(FileUploadHandler):
    """Each file of a form becomes an `Incoming` file. Closed with the request it is gone, unless it was settled.

    Of a file over the limit nothing is kept from there on: it arrives closed, with the size it had, for the form to
    refuse by name.
    """

    chunk_size = 1 << 18
    file: Incoming

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        super().new_file(*args, **kwargs)
        self.file = incoming_file()

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        if start + len(raw_data) > settings.TOUCHSTONE_UPLOAD_LIMIT:
            self.file.close()
            return
        try:
            self.file.take(raw_data)
        except OSError:  # a full disk: what came so far takes no more of it
            self.file.close()
            raise

    def file_complete(self, file_size: int) -> "UploadedFile[Any]":
        if not self.file.closed:
            self.file.seek(0)
        return UploadedFile(
            self.file, self.file_name, self.content_type, file_size, self.charset, self.content_type_extra
        )

    def upload_interrupted(self) -> None:
        self.file.close()


class WithinTheLimit:
    """All files of a request together are no larger than one may be: what announces more is refused unread.

    Stands behind whatever the page of the refusal needs, and before anything that reads a form.
    """

    PATIENCE = 10.0  # seconds: who sends, listens only at the end, or is cut off

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        length, limit = _announced(request), settings.TOUCHSTONE_UPLOAD_LIMIT
        if length <= limit + settings.DATA_UPLOAD_MAX_MEMORY_SIZE:  # files, and a form around them
            return self.get_response(request)
        self._let_pass(request)
        message = (
            f"{filesizeformat(length)} in one go: this installation takes at most {filesizeformat(limit)}, all files "
            "together. Nothing was stored. Send fewer at a time."
        )
        if is_for_programs(request):
            return problem_answer(413, message)
        return render(request, "413.html", {"message": message}, status=413)

    def _let_pass(self, request: HttpRequest) -> None:
        """Read on for a while and keep nothing, so that the answer arrives."""
        ends_at = time.monotonic() + self.PATIENCE
        try:
            while time.monotonic() < ends_at and request.read(1 << 18):
                pass
        except (UnreadablePostError, OSError):
            pass


def _announced(request: HttpRequest) -> int:
    """Bytes of the body, as the request says."""
    length = request.META.get("CONTENT_LENGTH") or "0"
    return int(length) if length.isdecimal() else 0


class Body(Protocol):
    def read(self, size: int = -1, /) -> bytes: ...


class Expected(io.IOBase):
    """The body of a request as WSGI gives it; one that ends before the length it announced is a broken connection."""

    def __init__(self, body: Body, length: int) -> None:
        self.body, self.left = body, length

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        wanted = self.left if size < 0 else min(size, self.left)
        data = self.body.read(wanted) if wanted else b""
        self.left -= len(data)
        if len(data) < wanted:
            raise OSError(f"the request broke off, {self.left} bytes before its end")
        return data


def whole_bodies(application: Callable[..., Iterable[bytes]]) -> Callable[..., Iterable[bytes]]:
    """The application, told of a body that breaks off. Servers give what came as if it were all, and half a file
    would be taken for the whole."""

    def answer(call: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        length = call.get("CONTENT_LENGTH") or "0"
        if length.isdecimal() and int(length):
            call["wsgi.input"] = Expected(call["wsgi.input"], int(length))
        return application(call, start_response)

    return answer
