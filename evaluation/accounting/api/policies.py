"""Policies side by side by what each does to the ranking of runs: asked for, listed, read, taken as a file."""

from functools import partial
from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from annotation.kernel.access import RESEARCH, collection_for
from annotation.kernel.api.page import Address, or_404, validated_data
from annotation.kernel.files import csv_file
from annotation.models import Collection
from annotation.trust.read.policies import policies_of
from annotation.trust.read.withheld import judged_batches
from evaluation.accounting.api.asking import AskedJobSerializer, AskedRunsSerializer, ask
from evaluation.accounting.api.snapshots import AccountedSerializer, DropReasonSerializer
from evaluation.accounting.forms import PoliciesForm
from evaluation.accounting.read import PolicyFacts, accounted_in, accountings_of, compared_policies
from evaluation.accounting.steps.requests import ask_policies
from evaluation.formats.accounting import FORMS, as_object
from evaluation.models import Accounting


class AskedPoliciesSerializer(AskedRunsSerializer):
    """Two to eight policies and rules by themselves, on the same batches."""

    batches = serializers.ListField(
        child=serializers.CharField(),
        required=False,
        allow_empty=False,
        help_text="Tokens; all judged ones if left out.",
    )
    policies = serializers.ListField(child=serializers.CharField(), default=list, help_text="Each as `name vN`.")
    rules = serializers.ListField(
        child=serializers.CharField(), default=list, help_text="By themselves: everybody is believed."
    )


class AccountingLineSerializer(serializers.Serializer[Accounting]):
    id = serializers.IntegerField()
    policies = serializers.SerializerMethodField(help_text="Those that were compared.")
    made_at = serializers.DateTimeField()
    url = serializers.SerializerMethodField()

    def get_policies(self, stored: Accounting) -> list[str]:
        return [each["name"] for each in stored.facts["policies"]]

    def get_url(self, stored: Accounting) -> str:
        slug = self.context["view"].kwargs["slug"]
        return reverse("api_accounting", args=[slug, stored.pk], request=self.context["request"])


class PolicyFactsSerializer(serializers.Serializer[PolicyFacts]):
    name = serializers.CharField()
    rule = serializers.CharField()
    n_kept = serializers.IntegerField(source="kept")
    n_to_decide = serializers.IntegerField(source="total")
    n_pairs = serializers.IntegerField()
    n_topics = serializers.IntegerField()
    n_right = serializers.IntegerField(help_text="Of the gold pairs that it has not seen.")
    n_gold = serializers.IntegerField()
    accuracy = serializers.FloatField(allow_null=True)
    interval = serializers.ListField(child=serializers.FloatField(), allow_null=True, help_text="95 %, Wilson's.")
    dropped = DropReasonSerializer(many=True)
    n_shared = serializers.IntegerField(source="shared", help_text="Pairs by which the runs were measured.")


class WholeAccountingSerializer(AccountingLineSerializer):
    compared = serializers.SerializerMethodField()
    accounted = serializers.SerializerMethodField(help_text="As the JSON of the page: shares judged, means, orders.")

    @extend_schema_field(PolicyFactsSerializer(many=True))
    def get_compared(self, stored: Accounting) -> list[dict[str, Any]]:
        facts = compared_policies(stored, accounted_in(stored))
        return [dict(PolicyFactsSerializer(each).data) for each in facts]

    @extend_schema_field(AccountedSerializer)
    def get_accounted(self, stored: Accounting) -> dict[str, Any]:
        return as_object(accounted_in(stored))


class AccountingFormSerializer(serializers.Serializer[None]):
    form = serializers.ChoiceField(choices=list(FORMS), default="csv")


class Accountings(Address):
    serializer_class = AccountingLineSerializer

    @extend_schema(responses=AccountingLineSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """Comparisons of policies by the runs, the newest first. For admins and researchers."""
        collection = collection_for(self.person, slug, RESEARCH)
        return self.page_of(accountings_of(collection).filter(snapshot=None))

    @extend_schema(request=AskedPoliciesSerializer, responses={202: AskedJobSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Compare policies and rules by what each does to the ranking of runs, in a job. For admins and researchers."""
        collection = collection_for(self.person, slug, RESEARCH)
        sent = validated_data(AskedPoliciesSerializer(data=request.data))
        batches, policies = judged_batches(collection), policies_of(collection)
        form = partial(PoliciesForm, collection=collection, batches=batches, policies=policies)
        return ask(self, form, sent, partial(ask_policies, collection))


class OneAccounting(Address):
    serializer_class = WholeAccountingSerializer

    @extend_schema(responses=WholeAccountingSerializer)
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """One comparison of policies, as it was computed."""
        return self.one(_stored(collection_for(self.person, slug, RESEARCH), pk, snapshot=None))


class AccountingFile(Address):
    @extend_schema(
        parameters=[AccountingFormSerializer],
        responses={(200, "text/csv"): OpenApiTypes.STR, (200, "application/json"): OpenApiTypes.OBJECT},
    )
    def get(self, request: Request, slug: str, pk: int) -> HttpResponse:
        """An accounting as a file: `csv` of values, `orders` of the runs, `swaps` of places, `json` with all of it."""
        stored = _stored(collection_for(self.person, slug, RESEARCH), pk)
        form = validated_data(AccountingFormSerializer(data=request.query_params.dict()))["form"]
        text, name = FORMS[form](accounted_in(stored)), f"{slug}-accounting-{pk}"
        if form != "json":
            return csv_file(f"{name}-{form}", text.encode())
        headers = {"Content-Disposition": f'attachment; filename="{name}.json"'}
        return HttpResponse(text, content_type="application/json", headers=headers)


def _stored(collection: Collection, pk: int, **narrower: Any) -> Accounting:
    return or_404(accountings_of(collection).filter(pk=pk, **narrower).first(), "accounting")
