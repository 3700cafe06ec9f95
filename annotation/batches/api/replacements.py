"""Judgments that are missing since somebody was excluded: proposed, added, taken back."""

from dataclasses import dataclass

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.batches.forms.batches import ReplaceForm
from annotation.batches.read.replacements import Additions, Missing, additions, missing_judgments
from annotation.batches.steps.layout import AddingError, SlotCounts
from annotation.batches.steps.replacements import replace_lost, withdraw_spare
from annotation.kernel.access import RESEARCH, batch_for, collection_for
from annotation.kernel.api.form_fields import serializer_of_fields
from annotation.kernel.api.page import Address, validated_data
from annotation.kernel.api.refusals import NOTHING, cleaned, conflicts

ReplaceSerializer = serializer_of_fields(
    "Replace",
    {},
    others={"n": serializers.IntegerField(min_value=1, help_text="As many as are missing, as you have read it.")},
)


class MissingSerializer(serializers.Serializer[Missing]):
    batch = serializers.CharField(source="batch.token")
    name = serializers.CharField(source="batch.name")
    n = serializers.IntegerField(help_text="Judgments missing. Send it back to add as many slots.")
    n_pairs = serializers.SerializerMethodField()
    judgments_of = serializers.ListField(source="names", child=serializers.CharField(), help_text="Excluded people.")
    hours = serializers.FloatField(help_text="That replacing them takes.")
    cost = serializers.DecimalField(max_digits=None, decimal_places=4, allow_null=True)
    n_stuck = serializers.IntegerField(help_text="Of these, slots that nobody who gets cards could take.")
    unchecked = serializers.ListField(
        source="gold.unchecked", child=serializers.CharField(), help_text="Who would meet no gold among them."
    )
    can_be_added = serializers.BooleanField(help_text="Not while the batch is closed.")

    def get_n_pairs(self, missing: Missing) -> int:
        return len(missing.n_of)


class AdditionsSerializer(serializers.Serializer[Additions]):
    batch = serializers.CharField(source="batch.token")
    name = serializers.CharField(source="batch.name")
    n_added = serializers.IntegerField(help_text="Slots that the batch was given after its layout.")
    n_judged = serializers.IntegerField()
    n_beyond = serializers.IntegerField(help_text="Judgments beyond what the batch asks for.")
    n_spare = serializers.IntegerField(help_text="Open slots not needed any more.")
    can_be_withdrawn = serializers.BooleanField()


@dataclass(frozen=True)
class Replacements:
    """What is missing, and what was added so far."""

    missing: list[Missing]
    added: list[Additions]


class ReplacementsSerializer(serializers.Serializer[Replacements]):
    missing = MissingSerializer(many=True)
    added = AdditionsSerializer(many=True)


class SlotCountsSerializer(serializers.Serializer[SlotCounts]):
    n_slots = serializers.IntegerField()
    n_items = serializers.IntegerField(help_text="Of so many pairs.")


class BatchReplacements(Address):
    serializer_class = ReplacementsSerializer

    @extend_schema(responses=ReplacementsSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Judgments missing since somebody was excluded, and what was added. For admins and researchers."""
        collection = collection_for(self.person, slug, RESEARCH)
        return self.one(Replacements(missing_judgments(collection), additions(collection)))


class BatchReplace(Address):
    serializer_class = SlotCountsSerializer

    @extend_schema(request=ReplaceSerializer, responses={200: SlotCountsSerializer, 409: NOTHING})
    def post(self, request: Request, slug: str, token: str) -> Response:
        """Add the slots that are missing; 409 where they are not `n` any more. For admins."""
        batch = batch_for(self.person, slug, token)
        answer = cleaned(ReplaceForm(validated_data(ReplaceSerializer(data=request.data))))
        with conflicts(AddingError):
            added = replace_lost(batch, **answer, actor=self.person)
        return self.one(added)


class BatchWithdraw(Address):
    serializer_class = SlotCountsSerializer

    @extend_schema(request=None, responses={200: SlotCountsSerializer, 409: NOTHING})
    def post(self, request: Request, slug: str, token: str) -> Response:
        """Take back the added slots that nobody holds and no pair needs any more. For admins."""
        with conflicts(AddingError):
            withdrawn = withdraw_spare(batch_for(self.person, slug, token), actor=self.person)
        return self.one(withdrawn)
