"""The space that vectors lie in: what was found of it, and the job that finds it."""

from dataclasses import dataclass
from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.kernel.access import RESEARCH, collection_for
from annotation.kernel.api.form_entries import checked_form, sent_entries, serializer_of_form
from annotation.kernel.api.page import Address, job_address
from annotation.kernel.jobs.latest import latest_jobs
from annotation.models import Job
from evaluation.models import SpaceDescription
from evaluation.vectors.api.vectors import set_of
from evaluation.vectors.forms import SpaceForm
from evaluation.vectors.pages.findings import Finding, findings_of, verdict
from evaluation.vectors.read import newest_description, space_jobs
from evaluation.vectors.steps.describing import DESCRIBE, ask_description


@dataclass(frozen=True)
class _Answer:
    stored: SpaceDescription | None
    job: Job | None


class FindingSerializer(serializers.Serializer[Finding]):
    key = serializers.CharField(help_text="Of the figure.")
    passes_level = serializers.BooleanField(help_text="Whether it is beyond the usual warning level.")
    words = serializers.CharField()


class SpaceSerializer(serializers.Serializer[_Answer]):
    """Null where nothing was asked for yet."""

    verdict = serializers.SerializerMethodField()
    findings = serializers.SerializerMethodField()
    figures = serializers.SerializerMethodField(help_text="As `describe_vectors --json` has them.")
    rests_on = serializers.SerializerMethodField(help_text="Vectors and judgments by their hashes; seed; neighbours.")
    drawing = serializers.SerializerMethodField(
        help_text="What the page draws: `spectrum` (eigenvalues of the covariance), `cosines` (counts in 40 bins from "
        "−1 to 1), `ids` with `place` in the plane (PCA), `umap` where that is installed, and `group`."
    )
    made_at = serializers.DateTimeField(source="stored.made_at", allow_null=True, default=None)
    job_url = serializers.SerializerMethodField(help_text="The job under way, if any.")

    def get_verdict(self, answer: _Answer) -> str | None:
        return verdict(answer.stored.figures) if answer.stored else None

    @extend_schema_field(FindingSerializer(many=True))
    def get_findings(self, answer: _Answer) -> Any:
        findings = findings_of(answer.stored.figures) if answer.stored else []
        return [FindingSerializer(one).data for one in findings]

    def get_figures(self, answer: _Answer) -> dict[str, Any] | None:
        return answer.stored.figures if answer.stored else None

    def get_rests_on(self, answer: _Answer) -> dict[str, Any] | None:
        return answer.stored.rests_on if answer.stored else None

    def get_drawing(self, answer: _Answer) -> dict[str, Any] | None:
        return answer.stored.drawing if answer.stored else None

    def get_job_url(self, answer: _Answer) -> str | None:
        return job_address(self.context["request"], answer.job)


SpaceEntries = serializer_of_form(
    "SpaceEntries",
    SpaceForm,
    snapshot=serializers.CharField(required=False, help_text="Of judgments, for the alignment."),
    against=serializers.CharField(
        required=False, help_text="Another model with vectors of this side: overlap of neighbours and CKA of the two."
    ),
)


class AskedSpaceSerializer(serializers.Serializer[dict[str, str]]):
    job_url = serializers.URLField(help_text="The job that describes the space.")


class Space(Address):
    serializer_class = SpaceSerializer

    @extend_schema(responses=SpaceSerializer)
    def get(self, request: Request, slug: str, side: str, model: str) -> Response:
        """What is known of the space that these vectors lie in. For admins and researchers."""
        vectors = set_of(collection_for(self.person, slug, RESEARCH), side, model)
        return self.one(_Answer(newest_description(vectors), latest_jobs(space_jobs(vectors, DESCRIBE)).live))

    @extend_schema(request=SpaceEntries, responses={202: AskedSpaceSerializer})
    def post(self, request: Request, slug: str, side: str, model: str) -> Response:
        """Describe the space. A worker does it; what was found before from the same files is not computed again."""
        vectors = set_of(collection_for(self.person, slug, RESEARCH), side, model)
        sent = sent_entries(SpaceEntries, request.data)
        form = checked_form(SpaceForm, sent, vectors=vectors)
        job = ask_description(vectors, **form.cleaned_data, created_by=self.person)
        return self.queued({"job_url": job_address(request, job)})
