"""Reports: asked for, listed, taken as a folder in a zip."""

from typing import Any

from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from annotation.kernel.access import RESEARCH, collection_for
from annotation.kernel.api.form_entries import checked_form, sent_entries, serializer_of_form
from annotation.kernel.api.page import Address, job_address, or_404, stored_file, validated_data
from annotation.kernel.api.refusals import refusals
from annotation.models import Collection
from evaluation.models import Report
from evaluation.reports.forms import ReportForm
from evaluation.reports.read import reports_by, reports_of, zip_path
from evaluation.reports.steps import ask_report

ReportEntries = serializer_of_form(
    "ReportEntries",
    ReportForm,
    snapshot=serializers.CharField(help_text="The name of a snapshot."),
    runs=serializers.ListField(child=serializers.CharField(), allow_empty=False, help_text="Tags."),
    measures=serializers.ListField(child=serializers.CharField(max_length=100), required=False, help_text="Names."),
    baseline=serializers.CharField(required=False, help_text="A tag: every other run is compared with it."),
)


class ReportSerializer(serializers.Serializer[Report]):
    id = serializers.IntegerField()
    title = serializers.CharField()
    kind = serializers.CharField(help_text="evaluation or comparison")
    snapshot = serializers.CharField(source="snapshot.name")
    runs = serializers.ListField(child=serializers.CharField(), source="asked.runs")
    measures = serializers.ListField(child=serializers.CharField(), source="asked.measures")
    made_at = serializers.DateTimeField()
    sha256 = serializers.CharField(help_text="Of the zip.")
    url = serializers.SerializerMethodField()

    def get_url(self, report: Report) -> str:
        slug = self.context["view"].kwargs["slug"]
        return reverse("api_report", args=[slug, report.pk], request=self.context["request"])


class AskedReportSerializer(serializers.Serializer[dict[str, str]]):
    job_url = serializers.URLField(help_text="The job that makes the report.")
    reports_url = serializers.URLField(help_text="Where the report is listed once it is made.")


class MadeBySerializer(serializers.Serializer[None]):
    job = serializers.CharField(required=False, help_text="The token of a job: the report that it made.")


class Reports(Address):
    serializer_class = ReportSerializer

    @extend_schema(parameters=[MadeBySerializer], responses=ReportSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """Reports of evaluations and comparisons, the newest first. For admins and researchers."""
        collection = collection_for(self.person, slug, RESEARCH)
        job = validated_data(MadeBySerializer(data=request.query_params.dict())).get("job")
        return self.page_of(reports_of(collection) if job is None else reports_by(collection, job))

    @extend_schema(request=ReportEntries, responses={202: AskedReportSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Make a report of runs against a snapshot, in a job: what `manage.py report` writes from the same files.

        For admins and researchers.
        """
        collection = collection_for(self.person, slug, RESEARCH)
        sent: dict[str, Any] = sent_entries(ReportEntries, request.data)
        sent["measures"] = " ".join(sent.get("measures", ()))
        form = checked_form(ReportForm, sent, collection=collection)
        with refusals(ValueError):
            job = ask_report(**form.arguments(), created_by=self.person)
        reports_url = reverse("api_reports", args=[slug], query={"job": job.token}, request=request)
        return self.queued({"job_url": job_address(request, job), "reports_url": reports_url})


class OneReport(Address):
    serializer_class = ReportSerializer

    @extend_schema(responses=ReportSerializer)
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """What a report is of. For admins and researchers."""
        return self.one(_stored(collection_for(self.person, slug, RESEARCH), pk))


class ReportFile(Address):
    @extend_schema(responses={(200, "application/zip"): OpenApiTypes.BINARY})
    def get(self, request: Request, slug: str, pk: int) -> HttpResponseBase:
        """A report's folder as a zip: page, tables, plots, inputs, manifest. For admins and researchers."""
        path = zip_path(_stored(collection_for(self.person, slug, RESEARCH), pk))
        return stored_file(request, path, content_type="application/zip", filename=f"{slug}-report-{pk}.zip")


def _stored(collection: Collection, pk: int) -> Report:
    return or_404(reports_of(collection).filter(pk=pk).first(), "report")
