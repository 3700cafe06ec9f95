"""What the bodies of requests are read as."""

from collections.abc import Mapping
from typing import IO, Any

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.utils.datastructures import MultiValueDict
from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser, DataAndFiles, JSONParser, MultiPartParser

from annotation.formats.store import CHUNK, Incoming
from annotation.kernel.api.faults import TooLarge
from annotation.kernel.uploads import too_large


class ShallowJson(JSONParser):
    """JSON; what is nested too deeply to be read is a fault of the request, as everything else that is no JSON."""

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        try:
            return super().parse(stream, media_type, parser_context)
        except RecursionError as fault:
            raise ParseError("JSON parse error - nested too deeply") from fault


class FilesInParts(MultiPartParser):
    """`multipart/form-data`; a file over the limit, of which nothing is kept, is said to be so."""

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        found = super().parse(stream, media_type, parser_context)
        files: MultiValueDict[str, UploadedFile[Any]] = found.files
        for file in files.values():
            if isinstance(file, UploadedFile) and (file.size or 0) > settings.TOUCHSTONE_UPLOAD_LIMIT:
                raise TooLarge(too_large(file.name or ""))
        return found


class WholeBody(BaseParser):
    """The body is the file, whatever type it is said to be; what is to be done with it stands in the address."""

    media_type = "*/*"

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        assert parser_context is not None
        asked = parser_context["request"].query_params
        name = asked.get("filename") or "upload"
        incoming = Incoming(settings.TOUCHSTONE_FILES)
        try:
            size = _received(stream, incoming, name)
        except BaseException:
            incoming.close()
            raise
        incoming.seek(0)
        file: UploadedFile[Any] = UploadedFile(incoming, name, media_type, size)
        return DataAndFiles(asked, MultiValueDict({"file": [file]}))


def _received(stream: IO[bytes], incoming: Incoming, name: str) -> int:
    """Bytes taken in; no more than the limit are ever kept."""
    size = 0
    while chunk := stream.read(CHUNK):
        size += len(chunk)
        if size > settings.TOUCHSTONE_UPLOAD_LIMIT:
            raise TooLarge(too_large(name))
        incoming.take(chunk)
    return size
