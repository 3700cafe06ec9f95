"""What goes wrong in batches under way: listed, set aside with a note, shown again."""

from typing import NamedTuple

from django.http import Http404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.health.pages.cached import alerts_now
from annotation.health.read.alerts import ShownAlert, open_batches
from annotation.health.steps import set_aside, show_again
from annotation.kernel.access import RESEARCH, batch_for, collection_for
from annotation.kernel.api.page import Address, validated_data
from annotation.kernel.api.refusals import NOTHING, NothingToChange
from annotation.models import Batch
from annotation.quality.alerts import RULES


class BatchAlert(NamedTuple):
    batch: Batch
    alert: ShownAlert


class AlertSerializer(serializers.Serializer[BatchAlert]):
    batch = serializers.CharField(source="batch.token")
    rule = serializers.ChoiceField(list(RULES), source="alert.alert.rule")
    name = serializers.CharField(source="alert.rule.title")
    about = serializers.CharField(source="alert.alert.about", help_text="A pseudonym, a topic’s number, or empty.")
    level = serializers.FloatField(source="alert.alert.level", help_text="In the rule’s own unit; higher is worse.")
    says = serializers.CharField(source="alert.alert.text")
    advice = serializers.CharField(source="alert.rule.advice")
    set_aside = serializers.SerializerMethodField(help_text="By somebody, and not worse since.")
    note = serializers.SerializerMethodField(help_text="Of whoever has set it aside.")

    def get_set_aside(self, row: BatchAlert) -> bool:
        return row.alert.event is not None

    def get_note(self, row: BatchAlert) -> str:
        return row.alert.event.note if row.alert.event else ""


class AlertDeedSerializer(serializers.Serializer[None]):
    rule = serializers.ChoiceField(list(RULES))
    about = serializers.CharField(required=False, default="", allow_blank=True, max_length=200)
    note = serializers.CharField(max_length=2000, help_text="What you found, or what you do about it.")


class Alerts(Address):
    serializer_class = AlertSerializer

    @extend_schema(
        parameters=[OpenApiParameter("batch", description="The token of a batch; all under way if left out.")],
        responses=AlertSerializer(many=True),
    )
    def get(self, request: Request, slug: str) -> Response:
        """The alerts of the batches that are open or paused, those set aside, too. For admins and researchers."""
        collection = collection_for(self.person, slug, RESEARCH)
        token = request.query_params.get("batch")
        if token is not None:
            batch_for(self.person, slug, token, RESEARCH)
        batches = [each for each in open_batches(collection) if token in {None, each.token}]
        return self.page_of([BatchAlert(batch, alert) for batch in batches for alert in alerts_now(batch).every])


class _Deed(Address):
    serializer_class = AlertSerializer

    def changed(self, slug: str, token: str, *, aside: bool) -> Response:
        batch = batch_for(self.person, slug, token)
        answers = validated_data(AlertDeedSerializer(data=self.request.data))
        rule, about = answers["rule"], answers["about"]
        alert = alerts_now(batch).one(rule, about)
        if alert is None:
            raise Http404("There is no such alert now.")
        if (alert.event is not None) == aside:
            raise NothingToChange("It is dismissed already." if aside else "It is not dismissed.")
        change = set_aside if aside else show_again
        change(batch, alert.alert, note=answers["note"], actor=self.person)
        now = alerts_now(batch).one(rule, about)
        return self.one(BatchAlert(batch, now or alert))


class AlertAside(_Deed):
    @extend_schema(request=AlertDeedSerializer, responses={200: AlertSerializer, 409: NOTHING})
    def post(self, request: Request, slug: str, token: str) -> Response:
        """Set an alert aside, with a note; it comes back if it gets worse. For admins."""
        return self.changed(slug, token, aside=True)


class AlertShow(_Deed):
    @extend_schema(request=AlertDeedSerializer, responses={200: AlertSerializer, 409: NOTHING})
    def post(self, request: Request, slug: str, token: str) -> Response:
        """Show an alert again that was set aside, with a note. For admins."""
        return self.changed(slug, token, aside=False)
