"""What judgments say together: coverage, agreement with intervals and reasons, machine judges."""

from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.kernel.access import RESEARCH, collection_for
from annotation.kernel.api.as_of import AsOfField
from annotation.kernel.api.page import Address
from annotation.quality.agreement import BootstrapInterval
from annotation.quality.wilson import Share
from annotation.trust.pages.agreement import CoefficientRow
from annotation.trust.pages.api_choice import CHOICE, quality_in_query
from annotation.trust.pages.choice import ChoiceOfBatches
from annotation.trust.pages.machines import MachineRow
from annotation.trust.pages.report import QualityReport
from annotation.trust.read.dropped import ReasonCount


class BootstrapSerializer(serializers.Serializer[BootstrapInterval]):
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    reason = serializers.CharField(help_text="Why there is no interval; empty where there is one.")


class CoefficientSerializer(serializers.Serializer[CoefficientRow]):
    name = serializers.CharField()
    meaning = serializers.CharField()
    value = serializers.FloatField(source="agreement.value", allow_null=True, help_text="null where it is undefined.")
    reason = serializers.CharField(
        source="agreement.reason", help_text="Why it is undefined; empty where it has a value."
    )
    over_items = BootstrapSerializer(allow_null=True, help_text="What other documents of these topics would give.")
    over_topics = BootstrapSerializer(allow_null=True, help_text="What other topics would give.")


class DroppedSerializer(serializers.Serializer[ReasonCount]):
    reason = serializers.CharField(source="key")
    words = serializers.CharField()
    n = serializers.IntegerField()


class ShareSerializer(serializers.Serializer[Share]):
    n_yes = serializers.IntegerField()
    n = serializers.IntegerField()
    share = serializers.FloatField(source="value", allow_null=True)
    low = serializers.FloatField(allow_null=True, read_only=True, help_text="Of Wilson's interval, 95 %.")
    high = serializers.FloatField(allow_null=True, read_only=True)


class MachineSerializer(serializers.Serializer[MachineRow]):
    annotator = serializers.CharField(source="name")
    excluded = serializers.BooleanField()
    n_judged = serializers.IntegerField(source="compared.n_judged")
    same_as_people = ShareSerializer(source="same", help_text="As the grade that people came to, gold apart.")
    kappa = serializers.FloatField(source="kappa.value", allow_null=True)
    kappa_quadratic = serializers.FloatField(source="weighted.value", allow_null=True)
    bias = serializers.FloatField(
        source="mean_bias", allow_null=True, help_text="Mean steps above (+) or below the grade of people."
    )
    confusion = serializers.SerializerMethodField(help_text="Pairs by people's grade (rows) and the machine's.")
    right_on_gold = ShareSerializer(source="gold")
    reading = serializers.ListField(
        source="conclusions", child=serializers.CharField(), help_text="What to conclude, in sentences."
    )

    def get_confusion(self, machine: MachineRow) -> list[list[int]]:
        table: list[list[int]] = machine.compared.table.tolist()
        return table


class QualitySerializer(serializers.Serializer[QualityReport]):
    batches = serializers.SerializerMethodField(help_text="The tokens of those that were read.")
    policy = serializers.SerializerMethodField()
    counts_machines = serializers.BooleanField(
        source="outcome.policy.count_machines", help_text="Whether machine judges count like people."
    )
    n_kept = serializers.IntegerField(source="coverage.kept", help_text="Pairs that judgments decide.")
    n_to_decide = serializers.IntegerField(source="coverage.total")
    n_believed = serializers.IntegerField(help_text="People whose judgments are believed.")
    n_people = serializers.IntegerField(read_only=True)
    dropped = DroppedSerializer(source="reasons", many=True)
    n_compared = serializers.IntegerField(source="agreement.n_pairs", help_text="Pairs that two people or more judged.")
    exact_agreement = serializers.FloatField(source="agreement.exact.value", allow_null=True)
    pairwise_agreement = serializers.FloatField(source="agreement.pairwise.value", allow_null=True)
    agreement = serializers.SerializerMethodField()
    reading = serializers.ListField(
        source="agreement.conclusions", child=serializers.CharField(), help_text="What to conclude, in sentences."
    )
    machines = MachineSerializer(many=True, help_text="Machine judges, beside people and never among them.")
    as_of = AsOfField()

    def get_batches(self, _report: QualityReport) -> list[str]:
        choice: ChoiceOfBatches = self.context["choice"]
        return [batch.token for batch in choice.chosen_batches()]

    def get_policy(self, _report: QualityReport) -> str:
        choice: ChoiceOfBatches = self.context["choice"]
        return str(choice.chosen_policy())

    @extend_schema_field(CoefficientSerializer(many=True))
    def get_agreement(self, report: QualityReport) -> list[dict[str, Any]]:
        """Every coefficient, those first that answer most questions; none before two people have judged a pair."""
        rows = [*report.agreement.first, *report.agreement.further] if report.agreement.n_pairs else []
        return [CoefficientSerializer(row).data for row in rows]


class Quality(Address):
    serializer_class = QualitySerializer

    @extend_schema(parameters=CHOICE, responses=QualitySerializer)
    def get(self, request: Request, slug: str) -> Response:
        """How far people agree, with intervals and reasons, and what a policy keeps. For admins and researchers.

        Takes some seconds where there are many judgments; of 100,000 or more, figures may be some minutes old, and
        `as_of` says so. 404 where nothing is judged.
        """
        collection = collection_for(self.person, slug, RESEARCH)
        choice, report = quality_in_query(request, collection)
        context = {**self.get_serializer_context(), "choice": choice}
        return Response(QualitySerializer(report, context=context).data)
