"""A new run made of several, by the form of the page."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from annotation.kernel.access import RESEARCH, collection_for
from annotation.kernel.api.form_entries import checked_form, sent_entries, serializer_of_form
from annotation.kernel.api.page import Address, job_address
from evaluation.runs.forms import FusionForm
from evaluation.runs.steps.fusing import ask_fusion

FusionEntries = serializer_of_form(
    "FusionEntries",
    FusionForm,
    runs=serializers.ListField(child=serializers.CharField(), allow_empty=False, help_text="Tags, two at least."),
)


class FusedRunSerializer(serializers.Serializer[dict[str, str]]):
    job_url = serializers.URLField(help_text="The job that makes the run.")
    run_url = serializers.URLField(help_text="Where the run is once it is made.")


class FusedRuns(Address):
    serializer_class: type[serializers.Serializer[Any]] = FusedRunSerializer

    @extend_schema(request=FusionEntries, responses={202: FusedRunSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Make a new run of several. A worker does it. For admins and researchers."""
        collection = collection_for(self.person, slug, RESEARCH)
        form = checked_form(FusionForm, sent_entries(FusionEntries, request.data), collection=collection)
        assert isinstance(form, FusionForm)
        job = ask_fusion(collection, **form.arguments(), created_by=self.person)
        run_url = reverse("api_run", args=[slug, form.cleaned_data["tag"]], request=request)
        return self.queued({"job_url": job_address(request, job), "run_url": run_url})
