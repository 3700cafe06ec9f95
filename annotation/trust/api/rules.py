"""Who is held and whom rules would pause, the rules themselves, and the watch on critical errors."""

from dataclasses import asdict, dataclass
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.kernel.access import ADMIN, RESEARCH, collection_for
from annotation.kernel.api.as_of import AsOfField
from annotation.kernel.api.form_fields import serializer_of_fields
from annotation.kernel.api.page import Address, validated_data
from annotation.kernel.api.refusals import cleaned
from annotation.models import Collection
from annotation.quality.trust import ErrorRates, WatchSettings, error_rates
from annotation.quality.trust.rules import PauseRules
from annotation.trust.forms.pausing import RulesForm
from annotation.trust.forms.watch import WatchForm
from annotation.trust.read.held_people import EventRow, HeldRow, held_people
from annotation.trust.read.proposals import Proposal, proposals, rules_of
from annotation.trust.read.watch import watch_settings
from annotation.trust.steps.rules import choose_rules
from annotation.trust.steps.watch import choose_watch

WORDS = "What is left out stays as it is."
PauseRulesSerializer = serializer_of_fields("PauseRules", RulesForm.base_fields)
ChangedRulesSerializer = serializer_of_fields("ChangedRules", RulesForm.base_fields, description=WORDS, partial=True)
WatchSettingsSerializer = serializer_of_fields("WatchSettings", WatchForm.base_fields)
ChangedWatchSerializer = serializer_of_fields("ChangedWatch", WatchForm.base_fields, description=WORDS, partial=True)


class HoldingSerializer(serializers.Serializer[EventRow]):
    action = serializers.CharField()
    by = serializers.CharField(help_text="Who did it, or which rule.")
    reason = serializers.CharField()
    told = serializers.CharField(help_text="What the person reads.")
    created_at = serializers.DateTimeField()


class HeldSerializer(serializers.Serializer[HeldRow]):
    annotator = serializers.CharField(source="pseudonym")
    is_excluded = serializers.BooleanField()
    is_paused = serializers.BooleanField()
    events = HoldingSerializer(many=True)


class ProposalSerializer(serializers.Serializer[Proposal]):
    annotator = serializers.CharField(source="pseudonym")
    rule = serializers.CharField(help_text="Send it along when you pause or exclude the person for it.")
    reason = serializers.CharField()
    reasons = serializers.DictField(child=serializers.CharField(), help_text="Of all rules that hold, by rule.")


@dataclass(frozen=True)
class Pausing:
    """Who gets no cards, whom the rules would pause, and the rules."""

    rules: dict[str, Any]
    held: list[HeldRow]
    proposed: list[Proposal]


class PausingSerializer(serializers.Serializer[Pausing]):
    rules = PauseRulesSerializer()
    held = HeldSerializer(many=True, help_text="Who gets no cards now.")
    proposed = ProposalSerializer(many=True, help_text="Whom the rules would pause.")
    as_of = AsOfField()


class ErrorRatesSerializer(serializers.Serializer[ErrorRates]):
    """What becomes of people of one true rate, exactly."""

    rate = serializers.FloatField()
    stopped = serializers.FloatField(help_text="The share stopped before they are cleared.")
    golds = serializers.FloatField(help_text="Until stopped or cleared, on average.")
    golds_stopped = serializers.FloatField(allow_null=True)
    paused = serializers.FloatField(help_text="The share stopped after clearing, within `per_golds`.")


@dataclass(frozen=True)
class WatchInForce:
    """The settings of the watch with what they come to."""

    settings: dict[str, Any]
    rates: list[ErrorRates]


class WatchInForceSerializer(serializers.Serializer[WatchInForce]):
    settings = WatchSettingsSerializer()
    rates = ErrorRatesSerializer(many=True, help_text="For people of the good rate, and of the poor one.")


class PausingRules(Address):
    serializer_class = PausingSerializer

    @extend_schema(responses=PausingSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Who gets no cards, whom the rules would pause, and which rules do so. For admins and researchers."""
        return self.one(_pausing(collection_for(self.person, slug, RESEARCH)))

    @extend_schema(request=ChangedRulesSerializer, responses=PausingSerializer)
    def patch(self, request: Request, slug: str) -> Response:
        """Choose the rules that pause people by themselves, and what everybody reads who is paused. For admins."""
        collection = collection_for(self.person, slug, ADMIN)
        sent = validated_data(ChangedRulesSerializer(data=request.data))
        begin, note = rules_of(collection), collection.pause_note
        form = RulesForm({**asdict(begin), "note": note, **sent}, begin=begin, note=note)
        note = cleaned(form)["note"]
        choose_rules(collection, form.rules(), note=note, actor=self.person)
        return self.one(_pausing(collection))


class WatchRules(Address):
    serializer_class = WatchInForceSerializer

    @extend_schema(responses=WatchInForceSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """The settings of the watch on critical errors, and how often they err. For admins and researchers."""
        return self.one(_watch(watch_settings(collection_for(self.person, slug, RESEARCH))))

    @extend_schema(request=ChangedWatchSerializer, responses=WatchInForceSerializer)
    def patch(self, request: Request, slug: str) -> Response:
        """Choose the settings of the watch. Nobody is excluded by it. For admins."""
        collection = collection_for(self.person, slug, ADMIN)
        sent = validated_data(ChangedWatchSerializer(data=request.data))
        begin = watch_settings(collection)
        form = WatchForm({**asdict(begin), **sent}, begin=begin)
        cleaned(form)
        choose_watch(collection, form.settings(), actor=self.person)
        return self.one(_watch(form.settings()))


def _pausing(collection: Collection) -> Pausing:
    rules: PauseRules = rules_of(collection)
    chosen = {**asdict(rules), "note": collection.pause_note}
    return Pausing(chosen, held_people(collection), proposals(collection))


def _watch(settings: WatchSettings) -> WatchInForce:
    return WatchInForce(asdict(settings), error_rates(settings, [settings.good, settings.poor]))
