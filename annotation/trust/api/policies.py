"""Policies: what there are, a new one, and several side by side on the same judgments."""

from dataclasses import asdict, fields
from typing import Any

from django.http import Http404, QueryDict
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.kernel.access import RESEARCH, collection_for
from annotation.kernel.api.as_of import AsOfField
from annotation.kernel.api.page import Address
from annotation.kernel.api.refusals import refused
from annotation.kernel.api.typed import serializer_of_type
from annotation.models import Collection, Policy
from annotation.quality.policy import Policy as Parameters
from annotation.quality.policy import PolicyError
from annotation.trust.api.quality import DroppedSerializer
from annotation.trust.forms.quality import ChoiceOfPolicies
from annotation.trust.pages.api_choice import BATCH
from annotation.trust.read.comparison import ComparedPolicy, Comparison, compare_policies
from annotation.trust.read.policies import parameters_of, policies_of
from annotation.trust.read.withheld import judged_batches
from annotation.trust.steps.policies import store_policy

PolicyParametersSerializer = serializer_of_type(Parameters, "PolicyParameters")


class PolicySerializer(serializers.Serializer[Policy]):
    name = serializers.CharField()
    version = serializers.IntegerField()
    sha256 = serializers.CharField()
    parameters = serializers.SerializerMethodField(help_text="All of them, those left at their default, too.")
    counts_machines = serializers.BooleanField(help_text="Whether machine judges count like people.")
    created_at = serializers.DateTimeField(allow_null=True, help_text="null for the built-in one until its first use.")

    @extend_schema_field(PolicyParametersSerializer)
    def get_parameters(self, policy: Policy) -> dict[str, Any]:
        return asdict(parameters_of(policy))


class NewPolicySerializer(serializers.Serializer[None]):
    name = serializers.CharField(max_length=100)
    parameters = serializers.DictField(help_text="Those that differ from the default policy.")

    def validate_parameters(self, values: dict[str, Any]) -> Parameters:
        unknown = sorted(values.keys() - {field.name for field in fields(Parameters)})
        if unknown:
            raise serializers.ValidationError([f"{name}: is no parameter of a policy" for name in unknown])
        try:
            return Parameters(**values)
        except PolicyError as error:
            raise serializers.ValidationError(str(error)) from error


class OnGoldSerializer(serializers.Serializer[ComparedPolicy]):
    n = serializers.IntegerField(source="gold.n_kept", help_text="Gold pairs that the policy keeps, that gold hidden.")
    n_right = serializers.IntegerField(source="gold.n_right")
    accuracy = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(
        source="on_gold.low", allow_null=True, read_only=True, help_text="Of Wilson's interval, 95 %."
    )
    high = serializers.FloatField(source="on_gold.high", allow_null=True, read_only=True)
    confidence = serializers.FloatField(allow_null=True, help_text="What the policy says of them, on average.")


class ComparedSerializer(serializers.Serializer[ComparedPolicy]):
    name = serializers.CharField(help_text="`name vN`, or `trial: rule`.")
    rule = serializers.CharField()
    n_kept = serializers.IntegerField(source="coverage.kept")
    n_to_decide = serializers.IntegerField(source="coverage.total")
    dropped = DroppedSerializer(source="reasons", many=True)
    on_gold = OnGoldSerializer(source="*", help_text="Cross-fitted: gold never judges itself.")
    n_as_first = serializers.IntegerField(
        source="same.n_yes", read_only=True, help_text="Judged pairs with the grade of the first row."
    )
    n_both_keep = serializers.IntegerField(source="same.n", read_only=True, help_text="Of so many that both keep.")


class ComparisonSerializer(serializers.Serializer[Comparison]):
    n_gold = serializers.IntegerField(help_text="Gold pairs that judgments could decide.")
    dealt = serializers.ChoiceField(
        ["topics", "pairs"],
        help_text="What is left out in turn: topics; or pairs, where fewer than two topics have judged gold: then "
        "nothing is told of other topics.",
    )
    rows = ComparedSerializer(many=True)
    as_of = AsOfField()


class Policies(Address):
    serializer_class = PolicySerializer

    @extend_schema(responses=PolicySerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """The policies of a collection by name, the newest version first. For admins and researchers."""
        return self.page_of(policies_of(collection_for(self.person, slug, RESEARCH)))

    @extend_schema(
        request=NewPolicySerializer,
        responses={201: PolicySerializer, 200: OpenApiResponse(PolicySerializer, "The same is here under this name.")},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Store a policy. An existing name with other parameters becomes its next version."""
        collection = collection_for(self.person, slug, RESEARCH)
        entries = NewPolicySerializer(data=request.data)
        entries.is_valid(raise_exception=True)
        before = Policy.objects.filter(collection=collection).count()
        policy = store_policy(collection, **entries.validated_data, actor=self.person)
        is_new = Policy.objects.filter(collection=collection).count() > before
        return Response(self.get_serializer(policy).data, status.HTTP_201_CREATED if is_new else status.HTTP_200_OK)


class PoliciesCompare(Address):
    serializer_class = ComparisonSerializer

    @extend_schema(
        parameters=[
            BATCH,
            OpenApiParameter("policy", description="`name vN`, repeated.", many=True),
            OpenApiParameter("rule", OpenApiTypes.STR, description="A rule on trial by itself, repeated.", many=True),
        ],
        responses=ComparisonSerializer,
    )
    def get(self, request: Request, slug: str) -> Response:
        """One to eight policies and rules on the same judgments: what each keeps, drops, and how right it is on gold.

        Takes some seconds where there are many judgments. 404 where nothing is judged.
        """
        collection = collection_for(self.person, slug, RESEARCH)
        choice = _choice(request, collection)
        comparison = choice.report(lambda batches: compare_policies(collection, batches, choice.parameters()))
        if comparison is None:
            raise refused(choice.errors)
        return self.one(comparison)


def _choice(request: Request, collection: Collection) -> ChoiceOfPolicies:
    batches, policies = judged_batches(collection), policies_of(collection)
    if not batches:
        raise Http404("Nothing has been judged here.")
    data = QueryDict(mutable=True)
    data.setlist("batch", request.query_params.getlist("batch") or [batch.token for batch in batches])
    for name in ("policy", "rule"):
        data.setlist(name, request.query_params.getlist(name))
    return ChoiceOfPolicies(data, batches=batches, policies=policies)
