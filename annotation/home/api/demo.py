"""The demo collection, by a program."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.home.steps.demo import ask_demo
from annotation.kernel.access import require_may_create_collections
from annotation.kernel.api.page import Address, job_address


class DemoSerializer(serializers.Serializer[dict[str, str]]):
    job_url = serializers.URLField(help_text="The job that makes it; its result names the `collection`.")


class Demo(Address):
    serializer_class: type[serializers.Serializer[Any]] = DemoSerializer

    @extend_schema(request=None, responses={202: DemoSerializer})
    def post(self, request: Request) -> Response:
        """Make a demo collection of your own, in a job. For who may create collections."""
        job = ask_demo(require_may_create_collections(self.person))
        return self.queued({"job_url": job_address(request, job)})
