"""A/B tests and their analyses. Logs come in as imports of the kind `experiment`."""

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from annotation.kernel.access import ADMIN, RESEARCH, collection_for
from annotation.kernel.api.form_entries import checked_form, sent_entries, serializer_of_form
from annotation.kernel.api.page import Address, job_address, or_404
from annotation.kernel.api.refusals import NOTHING, conflicts
from annotation.models import Collection
from evaluation.ab_tests.forms import QuestionForm
from evaluation.ab_tests.read import analyses_of, experiment_named, experiments_of
from evaluation.ab_tests.steps.analysing import ExperimentUsedError, ask_analysis, delete_experiment
from evaluation.models import Experiment, ExperimentAnalysis


def _names(help_text: str) -> serializers.ListField:
    return serializers.ListField(child=serializers.CharField(), required=False, help_text=help_text)


def _column(help_text: str) -> serializers.CharField:
    return serializers.CharField(required=False, allow_blank=True, help_text=help_text)


QuestionEntries = serializer_of_form(
    "ExperimentQuestion",
    QuestionForm,
    control=serializers.CharField(help_text="The variant beside which the others are set."),
    measures=_names("Columns: means over units."),
    segments=_names("Columns."),
    covariate=_column("A column from before assignment (CUPED)."),
    time=_column("A column: looks over time."),
    cluster=_column("A column: what was assigned, where rows are parts of it."),
)


class ExperimentSerializer(serializers.Serializer[Experiment]):
    name = serializers.CharField()
    description = serializers.CharField()
    n_units = serializers.IntegerField()
    n = serializers.DictField(child=serializers.IntegerField(), help_text="Units by variant.")
    variant = serializers.CharField(help_text="The column that names the variant.")
    unit = serializers.CharField(help_text="The column that names the unit; may be empty.")
    numbers = serializers.ListField(child=serializers.CharField(), help_text="Columns that can be measured.")
    texts = serializers.ListField(child=serializers.CharField(), help_text="All others.")
    form = serializers.CharField(help_text="csv, tsv, jsonl or parquet.")
    filename = serializers.CharField()
    sha256 = serializers.CharField(help_text="Of the log.")
    created_at = serializers.DateTimeField()
    url = serializers.SerializerMethodField()

    def get_url(self, experiment: Experiment) -> str:
        slug = self.context["view"].kwargs["slug"]
        return reverse("api_ab_test", args=[slug, experiment.name], request=self.context["request"])


class AnalysisLineSerializer(serializers.Serializer[ExperimentAnalysis]):
    id = serializers.IntegerField()
    asked = serializers.DictField(help_text="The question, with every option.")
    made_at = serializers.DateTimeField()
    url = serializers.SerializerMethodField()

    def get_url(self, stored: ExperimentAnalysis) -> str:
        kwargs = self.context["view"].kwargs
        parts = [kwargs["slug"], kwargs["experiment"], stored.pk]
        return reverse("api_ab_test_analysis", args=parts, request=self.context["request"])


class WholeAnalysisSerializer(AnalysisLineSerializer):
    facts = serializers.SerializerMethodField(help_text="As `manage.py analyse_experiment --json` has it.")

    @extend_schema_field(OpenApiTypes.OBJECT)
    def get_facts(self, stored: ExperimentAnalysis) -> dict[str, Any]:
        facts: dict[str, Any] = stored.facts
        return facts


class AnalysisAskedSerializer(serializers.Serializer[dict[str, str]]):
    job_url = serializers.URLField(help_text="The job that analyses.")
    analyses_url = serializers.URLField(help_text="Where the analysis is once it is done.")


class ABTests(Address):
    serializer_class = ExperimentSerializer

    @extend_schema(responses=ExperimentSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """The A/B tests of a collection, by name. For admins and researchers."""
        return self.page_of(experiments_of(collection_for(self.person, slug, RESEARCH)))


class OneABTest(Address):
    serializer_class = ExperimentSerializer

    @extend_schema(responses=ExperimentSerializer)
    def get(self, request: Request, slug: str, experiment: str) -> Response:
        """One A/B test: its log, with units by variant and columns. For admins and researchers."""
        return self.one(_experiment(collection_for(self.person, slug, RESEARCH), experiment))

    @extend_schema(responses={204: None, 409: NOTHING})
    def delete(self, request: Request, slug: str, experiment: str) -> Response:
        """Delete an A/B test and its analyses. 409 while a job analyses it. For admins."""
        test = _experiment(collection_for(self.person, slug, ADMIN), experiment)
        with conflicts(ExperimentUsedError):
            delete_experiment(test, actor=self.person)
        return Response(status=status.HTTP_204_NO_CONTENT)


class ABTestAnalyses(Address):
    serializer_class: type[serializers.Serializer[Any]] = AnalysisLineSerializer

    @extend_schema(responses=AnalysisLineSerializer(many=True))
    def get(self, request: Request, slug: str, experiment: str) -> Response:
        """What was asked of an A/B test, the last first. For admins and researchers."""
        return self.page_of(analyses_of(_experiment(collection_for(self.person, slug, RESEARCH), experiment)))

    @extend_schema(request=QuestionEntries, responses={202: AnalysisAskedSerializer})
    def post(self, request: Request, slug: str, experiment: str) -> Response:
        """Analyse an A/B test, in a job: sample ratio, differences with intervals, guardrails, segments, looks.

        The same question of the same log is not computed twice. For admins and researchers.
        """
        test = _experiment(collection_for(self.person, slug, RESEARCH), experiment)
        form = checked_form(QuestionForm, sent_entries(QuestionEntries, request.data), experiment=test)
        job = ask_analysis(test, form.question, created_by=self.person)
        analyses_url = reverse("api_ab_test_analyses", args=[slug, experiment], request=request)
        return self.queued({"job_url": job_address(request, job), "analyses_url": analyses_url})


class OneABTestAnalysis(Address):
    serializer_class = WholeAnalysisSerializer

    @extend_schema(responses=WholeAnalysisSerializer)
    def get(self, request: Request, slug: str, experiment: str, pk: int) -> Response:
        """One analysis, with all its numbers and sentences. For admins and researchers."""
        test = _experiment(collection_for(self.person, slug, RESEARCH), experiment)
        return self.one(or_404(analyses_of(test).filter(pk=pk).first(), "analysis"))


def _experiment(collection: Collection, name: str) -> Experiment:
    return or_404(experiment_named(collection, name), "experiment")
