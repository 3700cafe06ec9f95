"""`Idempotency-Key`: a request that is sent again, for want of an answer, is done once."""

import hashlib
import json
from collections.abc import Callable, Iterator
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.http.response import HttpResponseBase
from django.utils.datastructures import MultiValueDict
from rest_framework import serializers, status
from rest_framework.exceptions import APIException
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.formats.store import CHUNK, Incoming
from annotation.kernel.kept_answers import claim_key
from annotation.models import KeptAnswer, User

HEADER = "Idempotency-Key"
LONGEST_KEY = 200  # characters
Deed = Callable[..., HttpResponseBase]


class ReusedKeyError(APIException):
    status_code = status.HTTP_422_UNPROCESSABLE_ENTITY
    default_detail = f"This {HEADER} came with another request before. Use a new one."


class AnsweredOnceError(APIException):
    status_code = status.HTTP_409_CONFLICT
    default_detail = "This was done before. What it told is told once and not kept: undo it and begin anew."


def answered_once(
    deed: Deed, request: Request, *args: Any, person: User, key: str, keeps_body: bool, **kwargs: Any
) -> HttpResponseBase:
    """What the deed answers, or what it has answered under this key before. The deed and the answer that is kept
    are one transaction; an error keeps nothing, so that the request may come again."""
    if not 0 < len(key) <= LONGEST_KEY:
        raise serializers.ValidationError({HEADER: [f"From 1 to {LONGEST_KEY} characters."]})
    request_hash = hash_of(request)  # the body is read before the transaction begins
    with transaction.atomic():
        row = claim_key(person, key=key, request_hash=request_hash)
        if row.status is not None:
            return _answer_again(row, request_hash)
        response = deed(request, *args, **kwargs)
        _keep(row, response, keeps_body=keeps_body)
        return response


def _keep(row: KeptAnswer, response: HttpResponseBase, *, keeps_body: bool) -> None:
    """An error or a file is not kept: the next request with the key is a first one."""
    if not isinstance(response, Response) or response.status_code >= 400:
        row.delete()
        return
    row.status, row.location = response.status_code, response.headers.get("Location", "")
    row.body = JSONRenderer().render(response.data).decode() or "null" if keeps_body else ""
    row.save(update_fields=["status", "location", "body"])


def _answer_again(row: KeptAnswer, request_hash: str) -> Response:
    if row.request_hash != request_hash:
        raise ReusedKeyError
    if not row.body:
        raise AnsweredOnceError
    headers = {"Location": row.location} if row.location else None
    return Response(json.loads(row.body), row.status, headers=headers)


def hash_of(request: Request) -> str:
    """Of the address and of what was sent, whatever the boundaries of a form or the order of keys are."""
    digest = hashlib.sha256(f"{request.method} {request.get_full_path()}\n".encode())
    for piece in _pieces(request.data):
        digest.update(piece.encode() + b"\n")
    return digest.hexdigest()


def _pieces(data: Any) -> Iterator[str]:
    if not isinstance(data, MultiValueDict):
        yield json.dumps(data, sort_keys=True, default=str)
        return
    for name, values in sorted(data.lists()):
        texts = [_hash_of_file(value) if isinstance(value, UploadedFile) else value for value in values]
        yield json.dumps([name, texts])


def _hash_of_file(file: "UploadedFile[Any]") -> list[str]:
    name = file.name or ""
    if isinstance(file.file, Incoming):
        return [name, file.file.sha256]
    digest = hashlib.sha256()
    for chunk in file.chunks(CHUNK):
        digest.update(chunk)
    file.seek(0)
    return [name, digest.hexdigest()]
