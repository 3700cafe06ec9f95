"""Descriptions asked for by programs, listed and read."""

from typing import Any

from django.http import Http404
from drf_spectacular.utils import OpenApiRequest, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from annotation.kernel.access import RESEARCH, collection_for
from annotation.kernel.api.form_entries import checked_form, sent_entries, serializer_of_form
from annotation.kernel.api.page import Address, job_address
from annotation.kernel.api.parsers import FilesInParts, ShallowJson
from evaluation.beyond.forms import AlarmsForm, DriftForm, RecommendationsForm, SourcesForm
from evaluation.beyond.read import description_named, descriptions_of
from evaluation.beyond.steps.asking import ask_description
from evaluation.models import Description


def _text(help_text: str) -> serializers.CharField:
    return serializers.CharField(required=False, help_text=help_text)


def _sent(help_text: str) -> serializers.FileField:
    return serializers.FileField(required=False, max_length=255, help_text=help_text)


RUN = "The tag of a run of the collection."
VECTORS = "Stored vectors: `documents/MODEL` or `queries/MODEL`."

RecommendationEntries = serializer_of_form(
    "RecommendationEntries",
    RecommendationsForm,
    run=_text(RUN),
    run_file=_sent("A run, in place of one of the collection."),
    items=_sent("item, popularity, category."),
    vectors=_text("Of the items: `documents/MODEL`."),
    snapshot=_text("By name: what people wanted, for the hit rate."),
    truth=_sent("The same as qrels."),
    history=_sent("person, item: what they knew, for serendipity."),
    asked_file=_sent("Who was asked, how often; alone, with a column of results, a query log."),
)
AlarmEntries = serializer_of_form(
    "AlarmEntries",
    AlarmsForm,
    scores=_sent("score, positive; time and event as wanted."),
    run=_text(RUN),
    vectors=_text(VECTORS),
    anomalies=_sent("item, positive: of a run or of vectors."),
)
DriftEntries = serializer_of_form(
    "DriftEntries",
    DriftForm,
    reference=_text(f"{VECTORS} Or the scores of a run: `run/TAG`."),
    reference_file=_sent("A table of scores, in place of it."),
    window=_text("As `reference`, of later."),
    window_file=_sent("A table of scores, in place of it."),
)


class AskedDescriptionSerializer(serializers.Serializer[dict[str, str]]):
    key = serializers.CharField(help_text="The hash of what was asked.")
    job_url = serializers.URLField(help_text="The job that describes.")
    description_url = serializers.URLField(help_text="Where the description is once it is made.")


class DescriptionLineSerializer(serializers.Serializer[Description]):
    key = serializers.CharField(help_text="The hash of what was asked.")
    kind = serializers.ChoiceField(Description.Kind.choices)
    asked = serializers.DictField(help_text="`sources` by the part they play, with their hashes, and `options`.")
    made_at = serializers.DateTimeField()
    url = serializers.SerializerMethodField()

    def get_url(self, description: Description) -> str:
        slug = self.context["view"].kwargs["slug"]
        return reverse("api_description", args=[slug, description.key], request=self.context["request"])


class DescriptionSerializer(DescriptionLineSerializer):
    figures = serializers.DictField(
        help_text="As `describe_recommendations`, `evaluate_alarms` or `describe_drift` has them with `--json`."
    )
    drawing = serializers.DictField(help_text="What the page draws: curves as `x` and `y`, shares in bins.")


class Descriptions(Address):
    serializer_class = DescriptionLineSerializer

    @extend_schema(responses=DescriptionLineSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """What was described of lists, alarms and drift, the newest first. For admins and researchers."""
        return self.page_of(descriptions_of(collection_for(self.person, slug, RESEARCH)))


class OneDescription(Address):
    serializer_class = DescriptionSerializer

    @extend_schema(responses=DescriptionSerializer)
    def get(self, request: Request, slug: str, key: str) -> Response:
        """One description, with all its figures and sentences. For admins and researchers."""
        found = description_named(collection_for(self.person, slug, RESEARCH), key)
        if found is None:
            raise Http404("No such description.")
        return self.one(found)


class _Asking(Address):
    serializer_class: type[serializers.Serializer[Any]] = AskedDescriptionSerializer
    parser_classes = [FilesInParts, ShallowJson]
    form: type[SourcesForm]
    entries: type[serializers.Serializer[Any]]

    def ask(self, request: Request, slug: str) -> Response:
        collection = collection_for(self.person, slug, RESEARCH)
        sent = sent_entries(self.entries, request.data)
        files = {name: sent.pop(name) for name in set(sent) & set(request.FILES)}
        asked = checked_form(self.form, sent, files=files, collection=collection).asked()
        job = ask_description(collection, asked, created_by=self.person)
        url = reverse("api_description", args=[slug, asked.key], request=request)
        return self.queued({"key": asked.key, "job_url": job_address(request, job), "description_url": url})


def _bodies(entries: type[serializers.Serializer[Any]]) -> dict[str, Any]:
    return {"multipart/form-data": OpenApiRequest(entries), "application/json": OpenApiRequest(entries)}


class Recommendations(_Asking):
    form, entries = RecommendationsForm, RecommendationEntries

    @extend_schema(request=_bodies(RecommendationEntries), responses={202: AskedDescriptionSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Describe lists of items, or a query log, beyond their order: coverage, exposure, novelty, zero results.

        Files as parts of the form, or runs, vectors and snapshots of the collection by name. In a job; the same
        question on the same files is not computed twice. For admins and researchers.
        """
        return self.ask(request, slug)


class Alarms(_Asking):
    form, entries = AlarmsForm, AlarmEntries

    @extend_schema(request=_bodies(AlarmEntries), responses={202: AskedDescriptionSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Evaluate an anomaly detector's alarms: detection, areas, cost, time to detection.

        From a file of scores, a run or vectors. In a job. For admins and researchers.
        """
        return self.ask(request, slug)


class Drift(_Asking):
    form, entries = DriftForm, DriftEntries

    @extend_schema(request=_bodies(DriftEntries), responses={202: AskedDescriptionSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Say whether a window of vectors or scores has drifted from a reference.

        In a job. For admins and researchers.
        """
        return self.ask(request, slug)
