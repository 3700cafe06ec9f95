"""Long work: how far it is, and stopping it."""

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.exceptions import APIException
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from annotation.home.read.jobs import log_of
from annotation.kernel.access import job_for
from annotation.kernel.api.page import Address
from annotation.kernel.jobs import ask_cancel
from annotation.models import Job


class JobLineSerializer(serializers.Serializer[Any]):
    attempt = serializers.IntegerField(help_text="0 before the first.")
    text = serializers.CharField()
    at = serializers.DateTimeField(source="created_at")


class JobSerializer(serializers.Serializer[Job]):
    token = serializers.CharField()
    collection = serializers.SlugField(source="collection.slug", allow_null=True, default=None)
    kind = serializers.CharField()
    state = serializers.ChoiceField(Job.State.choices)
    done = serializers.IntegerField()
    total = serializers.IntegerField(help_text="0 where the job cannot say.")
    message = serializers.CharField()
    attempt = serializers.IntegerField(help_text="How often it was begun; 0 while it waits for the first time.")
    error = serializers.CharField()
    cancel_asked_at = serializers.DateTimeField(allow_null=True)
    created_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)
    log = serializers.SerializerMethodField(help_text="What its attempts did and met, the oldest first.")
    url = serializers.SerializerMethodField()

    @extend_schema_field(JobLineSerializer(many=True))
    def get_log(self, job: Job) -> object:
        return JobLineSerializer(log_of(job), many=True).data

    def get_url(self, job: Job) -> str:
        return reverse("api_job", args=[job.token], request=self.context["request"])


class AlreadyEnded(APIException):
    status_code = status.HTTP_409_CONFLICT
    default_detail = "This job has already ended."


class OneJob(Address):
    serializer_class = JobSerializer

    @extend_schema(responses=JobSerializer)
    def get(self, request: Request, token: str) -> Response:
        """A job's state and progress."""
        return self.one(job_for(self.person, token))


class JobCancel(Address):
    serializer_class = JobSerializer

    @extend_schema(
        request=None,
        responses={200: JobSerializer, 409: OpenApiResponse(OpenApiTypes.OBJECT, "It has already ended.")},
    )
    def post(self, request: Request, token: str) -> Response:
        """Stop a job: at once if it waits, at its next step if it runs."""
        job = job_for(self.person, token, change=True)
        if not ask_cancel(job, actor=self.person):
            raise AlreadyEnded
        job.refresh_from_db()
        return self.one(job)
