"""Models beside a reference model: asked for, listed, read."""

from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from annotation.kernel.access import RESEARCH, collection_for
from annotation.kernel.api.form_entries import checked_form, sent_entries, serializer_of_form
from annotation.kernel.api.page import Address, job_address, or_404
from annotation.kernel.api.refusals import refusals
from evaluation.models import ModelComparison
from evaluation.vectors.forms import ModelComparisonForm
from evaluation.vectors.pages.reference_model import conclusion
from evaluation.vectors.read import comparisons_of
from evaluation.vectors.steps.comparing import ask_comparison

ComparisonEntries = serializer_of_form(
    "ModelComparisonEntries",
    ModelComparisonForm,
    reference=serializers.CharField(help_text="The model whose nearest documents take the place of judgments."),
    models=serializers.ListField(child=serializers.CharField(), allow_empty=False, help_text="Those beside it."),
    k=serializers.ListField(
        child=serializers.IntegerField(min_value=1), required=False, allow_empty=False, help_text="Cutoffs."
    ),
)


class ComparisonAskedSerializer(serializers.Serializer[dict[str, str]]):
    job_url = serializers.URLField(help_text="The job that compares.")
    comparisons_url = serializers.URLField(help_text="Where the comparison is once it is done.")


class ComparisonLineSerializer(serializers.Serializer[ModelComparison]):
    id = serializers.IntegerField()
    reference = serializers.CharField()
    models = serializers.ListField(child=serializers.CharField(), source="others", help_text="Those beside it.")
    made_at = serializers.DateTimeField()
    url = serializers.SerializerMethodField()

    def get_url(self, stored: ModelComparison) -> str:
        slug = self.context["view"].kwargs["slug"]
        return reverse("api_model_comparison", args=[slug, stored.pk], request=self.context["request"])


class MeasureOfModelSerializer(serializers.Serializer[dict[str, Any]]):
    """One measure of one model; null for what is not defined."""

    measure = serializers.CharField()
    k = serializers.IntegerField(required=False, allow_null=True, help_text="Null for similarities.")
    mean = serializers.FloatField(allow_null=True)
    deviation = serializers.FloatField(allow_null=True, help_text="Standard deviation.")
    low = serializers.FloatField(required=False, allow_null=True, help_text="Of the mean's 95 % interval.")
    high = serializers.FloatField(required=False, allow_null=True)
    n_queries = serializers.IntegerField(required=False)


class ModelBesideSerializer(serializers.Serializer[dict[str, Any]]):
    model = serializers.CharField()
    measures = MeasureOfModelSerializer(many=True)


class ModelsTestedSerializer(serializers.Serializer[dict[str, Any]]):
    measure = serializers.CharField()
    first = serializers.CharField()
    second = serializers.CharField()
    difference = serializers.FloatField(help_text="Of the means, first minus second.")
    adjusted_p = serializers.FloatField(help_text="After the correction.")
    test = serializers.CharField()
    correction = serializers.CharField()


class ModelsBesideSerializer(serializers.Serializer[dict[str, Any]]):
    """As `compare_embeddings --json` has it: beside target similarities `n_pairs`, else all the others."""

    reference = serializers.CharField(required=False)
    similarity = serializers.CharField(required=False)
    n_queries = serializers.IntegerField(required=False)
    n_documents = serializers.IntegerField(required=False, help_text="That all models have.")
    n_compared = serializers.IntegerField(required=False, help_text="Of them, those whose similarities are compared.")
    n_alone = serializers.IntegerField(required=False, help_text="Ids that some model lacks.")
    n_pairs = serializers.IntegerField(required=False)
    models = ModelBesideSerializer(many=True)
    tests = ModelsTestedSerializer(many=True, help_text="All pairs of models.")


class WholeComparisonSerializer(ComparisonLineSerializer):
    conclusion = serializers.SerializerMethodField(help_text="The sentences of the page.")
    facts = ModelsBesideSerializer()
    rests_on = serializers.JSONField(help_text="Models with their vectors by hash; all that was asked.")

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_conclusion(self, stored: ModelComparison) -> list[str]:
        return conclusion(stored.facts)


class ModelComparisons(Address):
    serializer_class = ComparisonLineSerializer

    @extend_schema(responses=ComparisonLineSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """Models that were compared with a reference model, the newest first. For admins and researchers."""
        return self.page_of(comparisons_of(collection_for(self.person, slug, RESEARCH)))

    @extend_schema(request=ComparisonEntries, responses={202: ComparisonAskedSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Compare models with a reference model, or with target similarities of `pairs`. In a job.

        The same question on the same vectors is not answered twice. For admins and researchers.
        """
        collection = collection_for(self.person, slug, RESEARCH)
        sent = sent_entries(ComparisonEntries, request.data)
        if "k" in sent:
            sent["k"] = " ".join(map(str, sent["k"]))
        form = checked_form(ModelComparisonForm, sent, collection=collection)
        with refusals(ValueError):
            job = ask_comparison(collection, **form.cleaned_data, created_by=self.person)
        comparisons_url = reverse("api_model_comparisons", args=[slug], request=request)
        return self.queued({"job_url": job_address(request, job), "comparisons_url": comparisons_url})


class OneModelComparison(Address):
    serializer_class = WholeComparisonSerializer

    @extend_schema(responses=WholeComparisonSerializer)
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """One comparison, with all its numbers. For admins and researchers."""
        return self.one(
            or_404(comparisons_of(collection_for(self.person, slug, RESEARCH)).filter(pk=pk).first(), "comparison")
        )
