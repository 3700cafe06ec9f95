"""Evaluations: asked for, listed, read topic by topic."""

from collections.abc import Mapping, Sequence
from typing import Any, get_args

from django.utils.http import urlencode
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from annotation.kernel.access import RESEARCH, collection_for
from annotation.kernel.api.page import Address, job_address, or_404
from annotation.models import Snapshot
from annotation.trust.read.snapshots import snapshots_of
from evaluation.engine.scorer import Averaging, MeasureValues
from evaluation.leaderboard.read.evaluations import CONFIDENCE, Mean, deviations_of, evaluations_of, means_at, values_of
from evaluation.leaderboard.steps.evaluating import ask_evaluation
from evaluation.models import Evaluation, Run
from evaluation.runs.read import not_in_collection, runs_of

AVERAGING: Sequence[str] = get_args(Averaging)
MOST_RUNS, MOST_MEASURES = 1000, 100


class MeanSerializer(serializers.Serializer[dict[str, float | None]]):
    """Over topics, with the ends of its interval, of 95 % unless another `confidence` was asked for; none for a single
    topic, a sum or a geometric mean."""

    mean = serializers.FloatField()
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)


class EvaluationSerializer(serializers.Serializer[Evaluation]):
    id = serializers.IntegerField()
    snapshot = serializers.CharField(source="snapshot.name")
    counts_machines = serializers.BooleanField(
        source="snapshot.counts_machines", help_text="Whether machine judges counted in the making of its qrels."
    )
    run = serializers.CharField(source="run.tag")
    averaging = serializers.ChoiceField(AVERAGING)
    n_topics = serializers.IntegerField(help_text="Averaged over.")
    n_missing = serializers.IntegerField(help_text="Topics of the snapshot that the run lacks.")
    means = serializers.SerializerMethodField(help_text="By measure.")
    created_at = serializers.DateTimeField()
    url = serializers.SerializerMethodField()

    @extend_schema_field(serializers.DictField(child=MeanSerializer()))
    def get_means(self, evaluation: Evaluation) -> Mapping[str, Mean]:
        return means_at(evaluation, self.context.get("confidence", CONFIDENCE))

    def get_url(self, evaluation: Evaluation) -> str:
        slug = self.context["view"].kwargs["slug"]
        return reverse("api_evaluation", args=[slug, evaluation.pk], request=self.context["request"])


class TopicValuesSerializer(serializers.Serializer[dict[str, Any]]):
    number = serializers.CharField()
    values = serializers.DictField(child=serializers.FloatField(), help_text="By measure.")


class WholeEvaluationSerializer(EvaluationSerializer):
    """With its values, topic by topic; they come from the context."""

    topics = serializers.SerializerMethodField(help_text="In the byte order of their numbers.")
    missing = serializers.SerializerMethodField(help_text="Numbers of the topics that the run lacks.")
    deviations = serializers.SerializerMethodField(
        help_text="By measure, the standard deviation over topics (n − 1); null for a single topic and for no mean."
    )

    @extend_schema_field(TopicValuesSerializer(many=True))
    def get_topics(self, evaluation: Evaluation) -> list[dict[str, Any]]:
        values: MeasureValues = self.context["values"]
        rows = zip(values.numbers, values.value.tolist(), strict=True)
        return [{"number": number, "values": dict(zip(values.measures, row, strict=True))} for number, row in rows]

    @extend_schema_field(serializers.DictField(child=serializers.FloatField(allow_null=True)))
    def get_deviations(self, evaluation: Evaluation) -> dict[str, float | None]:
        values: MeasureValues = self.context["values"]
        return dict(zip(values.measures, deviations_of(values), strict=True))

    def get_missing(self, evaluation: Evaluation) -> list[str]:
        return list(self.context["values"].missing)


class NamedSerializer(serializers.Serializer[None]):
    """Names looked up in the collection of the context: an unknown one is a fault, not an empty answer."""

    def validate_snapshot(self, name: str) -> Snapshot:
        snapshot = snapshots_of(self.context["collection"]).filter(name=name).first()
        if snapshot is None:
            raise serializers.ValidationError(f"The collection has no snapshot called {name}.")
        return snapshot


class ChoiceSerializer(NamedSerializer):
    """Which evaluations to list."""

    snapshot = serializers.CharField(required=False, help_text="The name of a snapshot.")
    run = serializers.CharField(required=False, help_text="The tag of a run.")
    averaging = serializers.ChoiceField(AVERAGING, required=False)
    confidence = serializers.FloatField(
        min_value=0.5, max_value=0.9999, default=CONFIDENCE, help_text="Of the intervals of means, each for itself."
    )

    def validate_run(self, tag: str) -> Run:
        run = runs_of(self.context["collection"]).filter(tag=tag).first()
        if run is None:
            raise serializers.ValidationError(f"The collection has no run with the tag {tag}.")
        return run


class EvaluateSerializer(NamedSerializer):
    """What to evaluate. An unknown name is a fault."""

    snapshot = serializers.CharField(help_text="The name of a snapshot.")
    runs = serializers.ListField(
        child=serializers.CharField(), allow_empty=False, max_length=MOST_RUNS, help_text="The tags of runs."
    )
    measures = serializers.ListField(
        child=serializers.CharField(max_length=100),
        default=list,
        max_length=MOST_MEASURES,
        help_text="Besides the usual ones.",
    )
    averaging = serializers.ChoiceField(AVERAGING, default="complete")

    def validate_runs(self, tags: list[str]) -> list[Run]:
        runs = list(runs_of(self.context["collection"]).filter(tag__in=tags))
        unknown = sorted(set(tags) - {run.tag for run in runs})
        if unknown:
            raise serializers.ValidationError(not_in_collection(unknown))
        return runs


class AskedSerializer(serializers.Serializer[dict[str, str]]):
    job_url = serializers.URLField(help_text="The job that evaluates.")
    evaluations_url = serializers.URLField(help_text="Where the evaluations are once it is done.")


class Evaluations(Address):
    serializer_class = EvaluationSerializer

    @extend_schema(parameters=[ChoiceSerializer], responses=EvaluationSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """Means with their intervals, against the newest snapshot first, then by tag. For admins and researchers."""
        collection = collection_for(self.person, slug, RESEARCH)
        serializer = ChoiceSerializer(data=request.query_params.dict(), context={"collection": collection})
        serializer.is_valid(raise_exception=True)
        asked = serializer.validated_data
        context = {**self.get_serializer_context(), "confidence": asked.pop("confidence")}
        rows = self.paginate_queryset(evaluations_of(collection, **asked))
        return self.get_paginated_response(self.get_serializer(rows, many=True, context=context).data)

    @extend_schema(request=EvaluateSerializer, responses={202: AskedSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Evaluate runs against a snapshot. A worker does it; what was evaluated before is replaced."""
        collection = collection_for(self.person, slug, RESEARCH)
        serializer = EvaluateSerializer(data=request.data, context={"collection": collection})
        serializer.is_valid(raise_exception=True)
        snapshot = serializer.validated_data.pop("snapshot")
        try:
            job = ask_evaluation(snapshot, **serializer.validated_data, created_by=self.person)
        except ValueError as reason:
            raise serializers.ValidationError({"measures": [str(reason)]}) from reason
        query = urlencode({"snapshot": snapshot.name, "averaging": job.payload["averaging"]})
        address = reverse("api_evaluations", args=[slug], request=request)
        answer = {"job_url": job_address(request, job), "evaluations_url": f"{address}?{query}"}
        return self.queued(answer)


class OneEvaluation(Address):
    serializer_class = WholeEvaluationSerializer

    @extend_schema(responses=WholeEvaluationSerializer)
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """One run against one snapshot: every measure, in the mean and topic by topic."""
        evaluation = or_404(
            evaluations_of(collection_for(self.person, slug, RESEARCH)).filter(pk=pk).first(), "evaluation"
        )
        context = {**self.get_serializer_context(), "values": values_of(evaluation)}
        return Response(WholeEvaluationSerializer(evaluation, context=context).data)
