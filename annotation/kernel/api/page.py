"""What the addresses of the API have in common."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from django.db.models import QuerySet
from django.http import FileResponse, Http404
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.serializers import Serializer
from rest_framework.status import HTTP_202_ACCEPTED

from annotation.models import Job, User

COLLECTION = "api/v1/collections/<slug:slug>"


class Address(GenericAPIView[Any]):
    """Answers a signed-in person: the getter that checks, one call, the answer by its serializer."""

    @property
    def person(self) -> User:
        assert isinstance(self.request.user, User)  # the permission classes have seen to it
        return self.request.user

    def one(self, row: object, status: int = 200) -> Response:
        return Response(self.get_serializer(row).data, status=status)

    def page_of(self, rows: QuerySet[Any] | Sequence[Any]) -> Response:
        return self.get_paginated_response(self.get_serializer(self.paginate_queryset(rows), many=True).data)


def stored_file(request: Request, path: Path, *, content_type: str, filename: str) -> HttpResponseBase:
    """A content-addressed file as a download. Its name is its hash, hence its ETag; a client that has it gets 304.

    What has just been cleared away is answered with 404.
    """
    etag = f'"{path.name}"'
    answer: HttpResponseBase | None = get_conditional_response(request, etag=etag)
    if answer is None:
        answer = FileResponse(_open(path), as_attachment=True, filename=filename, content_type=content_type)
    answer.headers["ETag"] = etag
    answer.headers["Cache-Control"] = "private, no-store"
    return answer


def _open(path: Path) -> BinaryIO:
    try:
        return path.open("rb")
    except FileNotFoundError as error:
        raise Http404("This file is gone.") from error


def validated_data(serializer: Serializer[Any]) -> Any:
    """What was sent. Raises `ValidationError`, which is answered with 400."""
    serializer.is_valid(raise_exception=True)
    return serializer.validated_data


def queued(answer: Mapping[str, Any]) -> Response:
    """202: a job does it, whose address is `job_url` of the answer and `Location`."""
    return Response(answer, HTTP_202_ACCEPTED, headers={"Location": answer["job_url"]})


def job_address(request: Request, job: Job | None) -> str | None:
    return reverse("api_job", args=[job.token], request=request) if job else None
