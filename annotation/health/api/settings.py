"""The thresholds of alerts, what a judgment costs, and the day by which a batch is due."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.batches.steps.batches import BatchError
from annotation.health.forms import AlertsForm, CostForm, DueForm, in_percent
from annotation.health.read.alerts import chosen_alerts
from annotation.health.steps import choose_alerts, set_due, state_cost
from annotation.kernel.access import ADMIN, batch_for, collection_for
from annotation.kernel.api.form_fields import Field, field_of, serializer_of_fields
from annotation.kernel.api.page import Address, validated_data
from annotation.kernel.api.refusals import NOTHING, cleaned, conflicts
from annotation.models import Batch
from annotation.quality.alerts import THRESHOLDS, Threshold


def _threshold(threshold: Threshold[int] | Threshold[float]) -> Field:
    kind = serializers.IntegerField if isinstance(threshold.default, int) else serializers.FloatField
    bounds: dict[str, Any] = {"min_value": threshold.lowest, "max_value": threshold.highest}
    return kind(**bounds, required=False, help_text=f"{threshold.title}: {threshold.help}")


COSTS = AlertsForm.base_fields
AlertSettingsSerializer = serializer_of_fields(
    "AlertSettings",
    {},
    description="Shares are parts of 1. What is left out of a change stays as it is.",
    others={
        **{name: _threshold(threshold) for name, threshold in THRESHOLDS.items()},
        **{name: field_of(field, required=False) for name, field in COSTS.items()},
    },
)
CostSerializer = serializer_of_fields("Cost", CostForm.base_fields)
DueSerializer = serializer_of_fields("Due", DueForm.base_fields)


class BatchCostSerializer(serializers.Serializer[Batch]):
    token = serializers.CharField()
    cost_per_judgment = serializers.DecimalField(
        max_digits=10, decimal_places=4, allow_null=True, help_text="null: what the collection says."
    )


class BatchDueSerializer(serializers.Serializer[Batch]):
    token = serializers.CharField()
    due = serializers.DateField(allow_null=True, help_text="The day by which all judgments are wanted, or null.")


class AlertsSettings(Address):
    serializer_class = AlertSettingsSerializer

    @extend_schema(responses=AlertSettingsSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """The thresholds of alerts, and what a judgment costs where its batch does not say. For admins."""
        return Response(self.get_serializer(chosen_alerts(collection_for(self.person, slug, ADMIN))).data)

    @extend_schema(request=AlertSettingsSerializer, responses=AlertSettingsSerializer)
    def patch(self, request: Request, slug: str) -> Response:
        """Choose thresholds, cost and currency. For admins."""
        collection = collection_for(self.person, slug, ADMIN)
        sent = validated_data(AlertSettingsSerializer(data=request.data))
        form = AlertsForm(in_percent({**chosen_alerts(collection), **sent}))
        answers = cleaned(form)
        cost, currency = answers["cost_per_judgment"], answers["currency"]
        choose_alerts(collection, form.settings(), cost=cost, currency=currency, actor=self.person)
        return Response(self.get_serializer(chosen_alerts(collection)).data)


class BatchCost(Address):
    serializer_class = BatchCostSerializer

    @extend_schema(request=CostSerializer, responses=BatchCostSerializer)
    def post(self, request: Request, slug: str, token: str) -> Response:
        """State what a judgment of this batch costs; null for what the collection says. For admins."""
        batch = batch_for(self.person, slug, token)
        answers = cleaned(CostForm(validated_data(CostSerializer(data=request.data))))
        state_cost(batch, cost=answers["cost_per_judgment"], actor=self.person)
        return self.one(batch)


class BatchDue(Address):
    serializer_class = BatchDueSerializer

    @extend_schema(request=DueSerializer, responses={200: BatchDueSerializer, 409: NOTHING})
    def post(self, request: Request, slug: str, token: str) -> Response:
        """Set the day by which this batch is due, unless it is closed; null for none. For admins."""
        batch = batch_for(self.person, slug, token)
        answers = cleaned(DueForm(validated_data(DueSerializer(data=request.data))))
        with conflicts(BatchError):
            set_due(batch, due=answers["due"], actor=self.person)
        return self.one(batch)
