"""What the addresses of the API have in common."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.serializers import Serializer
from rest_framework.status import HTTP_200_OK, HTTP_202_ACCEPTED

from annotation.kernel.api.idempotency import answered_once
from annotation.kernel.files import stored_download
from annotation.models import Job, User

T = TypeVar("T")
COLLECTION = "api/v1/collections/<slug:slug>"


class Address(GenericAPIView[Any]):
    """Answers a signed-in person: the getter that checks, one call, the answer by its serializer."""

    tells_secret = False  # whether a POST answers with what is told once: that is not kept for a repeated request

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """A POST with an `Idempotency-Key` is done once, by this person."""
        super().initial(request, *args, **kwargs)
        key = request.headers.get("Idempotency-Key")
        if key is not None and request.method == "POST":
            deed = getattr(self, "post", self.http_method_not_allowed)
            once = partial(answered_once, deed, person=self.person, key=key, keeps_body=not self.tells_secret)
            vars(self)["post"] = once  # what DRF looks for next

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """What a GET answers in one piece has an ETag, for those who ask again and again."""
        final = super().finalize_response(request, response, *args, **kwargs)
        if request.method != "GET" or final.status_code != HTTP_200_OK or not isinstance(final, HttpResponse):
            return final
        if isinstance(final, Response):
            final.add_post_render_callback(partial(_unless_known, request))
            return final
        return _unless_known(request, final)

    @property
    def person(self) -> User:
        assert isinstance(self.request.user, User)  # the permission classes have seen to it
        return self.request.user

    def one(self, row: object, status: int = 200) -> Response:
        return Response(self.get_serializer(row).data, status=status)

    def queued(self, answer: Mapping[str, Any]) -> Response:
        """202: a job does it, whose address is `job_url` of the answer and `Location`."""
        return Response(answer, HTTP_202_ACCEPTED, headers={"Location": answer["job_url"]})

    def page_of(self, rows: QuerySet[Any] | Sequence[Any]) -> Response:
        return self.get_paginated_response(self.get_serializer(self.paginate_queryset(rows), many=True).data)


def _unless_known(request: Request, response: HttpResponse) -> HttpResponseBase:
    """304 where the client has just this answer."""
    etag = f'"{hashlib.sha256(response.content).hexdigest()}"'
    response.headers["ETag"] = etag
    return get_conditional_response(request, etag=etag, response=response) or response


def known_by(request: Request, etag: str, answer: Callable[[], HttpResponseBase]) -> HttpResponseBase:
    """The answer under this ETag; 304, and nothing is made, where the client has it."""
    final: HttpResponseBase = get_conditional_response(request, etag=etag) or answer()
    final.headers["ETag"] = etag
    return final


def stored_file(request: Request, path: Path, *, content_type: str, filename: str) -> HttpResponseBase:
    """A content-addressed file as a download. Its name is its hash, hence its ETag; a client that has it gets 304."""
    answer = known_by(request, f'"{path.name}"', partial(stored_download, path, filename, content_type))
    answer.headers["Cache-Control"] = "private, no-store"
    return answer


def or_404(row: T | None, noun: str) -> T:
    """The row; where there is none, the answer is 404 "No such <noun>."."""
    if row is None:
        raise Http404(f"No such {noun}.")
    return row


def validated_data(serializer: Serializer[Any]) -> Any:
    """What was sent. Raises `ValidationError`, which is answered with 400."""
    serializer.is_valid(raise_exception=True)
    return serializer.validated_data


def job_address(request: Request, job: Job | None) -> str | None:
    return reverse("api_job", args=[job.token], request=request) if job else None
