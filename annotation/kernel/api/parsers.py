"""Parsers of request bodies."""

from collections.abc import Mapping
from typing import IO, Any

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.utils.datastructures import MultiValueDict
from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser, DataAndFiles, JSONParser, MultiPartParser

from annotation.formats.objects import strict_json
from annotation.formats.store import CHUNK, Incoming
from annotation.kernel.api.faults import TooLarge
from annotation.kernel.store import incoming_file
from annotation.kernel.uploads import too_large


class StrictJson(JSONParser):
    """JSON; a value nested too deeply or a key that stands twice is a 400, as any other body that is not JSON."""

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        try:
            return strict_json(stream.read().decode())
        except ValueError as fault:
            raise ParseError(f"JSON parse error - {fault}") from fault


class FilesInParts(MultiPartParser):
    """`multipart/form-data`; a file over the limit, whose bytes the upload handler dropped, is a 413."""

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        body = super().parse(stream, media_type, parser_context)
        files: MultiValueDict[str, UploadedFile[Any]] = body.files
        for file in files.values():
            if isinstance(file, UploadedFile) and (file.size or 0) > settings.TOUCHSTONE_UPLOAD_LIMIT:
                raise TooLarge(too_large(file.name or ""))
        return body


class WholeBody(BaseParser):
    """The body is the file, whatever its content type; the options are in the query string."""

    media_type = "*/*"

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        assert parser_context is not None
        options = parser_context["request"].query_params
        name = options.get("filename") or "upload"
        incoming = incoming_file()
        try:
            size = _take_in(stream, incoming, name)
        except BaseException:
            incoming.close()
            raise
        incoming.seek(0)
        file: UploadedFile[Any] = UploadedFile(incoming, name, media_type, size)
        return DataAndFiles(options, MultiValueDict({"file": [file]}))


def _take_in(stream: IO[bytes], incoming: Incoming, name: str) -> int:
    """The number of bytes read; never more than the limit are kept."""
    size = 0
    while chunk := stream.read(CHUNK):
        size += len(chunk)
        if size > settings.TOUCHSTONE_UPLOAD_LIMIT:
            raise TooLarge(too_large(name))
        incoming.take(chunk)
    return size
