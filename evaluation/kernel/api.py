"""What the addresses of the API have in common. The sibling of annotation's, whose API is not ours to use."""

from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from annotation.models import Job, User


class Address(GenericAPIView[Any]):
    """Answers a signed-in person: the getter that checks, one call, the answer by its serializer."""

    @property
    def person(self) -> User:
        assert isinstance(self.request.user, User)  # the permission classes have seen to it
        return self.request.user

    def one(self, found: object) -> Response:
        return Response(self.get_serializer(found).data)

    def page_of(self, rows: QuerySet[Any] | Sequence[Any]) -> Response:
        return self.get_paginated_response(self.get_serializer(self.paginate_queryset(rows), many=True).data)


def job_address(request: Request, job: Job | None) -> str | None:
    return reverse("api_job", args=[job.token], request=request) if job else None
