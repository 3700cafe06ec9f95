"""Pairs sent to those who decide, by the API."""

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.kernel.access import ADMIN, collection_for
from annotation.kernel.api.page import Address, validated_data
from annotation.kernel.api.refusals import NOTHING, NothingToChange
from annotation.review.api.contested_serializers import PairSerializer
from annotation.review.steps.adjudication import Sending, send_pairs


class SendSerializer(serializers.Serializer[None]):
    pairs = PairSerializer(many=True, allow_empty=False)
    reason = serializers.CharField(
        max_length=500, help_text="Whoever decides reads it before they grade: name no grade, and nobody who gave one."
    )


class SentSerializer(serializers.Serializer[Sending]):
    sent = serializers.SerializerMethodField(help_text="Pairs that this has sent.")
    already = serializers.IntegerField(help_text="Sent before and waiting; they keep the reason they came with.")
    decided = serializers.IntegerField(help_text="Somebody has decided on them.")
    unfit = serializers.IntegerField(help_text="Gold, attention checks, or laid out in no batch.")

    def get_sent(self, sending: Sending) -> int:
        return len(sending.sent)


class SendPairs(Address):
    serializer_class = SentSerializer

    @extend_schema(request=SendSerializer, responses={200: SentSerializer, 409: NOTHING})
    def post(self, request: Request, slug: str) -> Response:
        """Send judged pairs to those who decide, whatever the policy makes of them. For admins.

        The answer says what became of them; 409 where on none of them there is anything to decide.
        """
        collection = collection_for(self.person, slug, ADMIN)
        entries = validated_data(SendSerializer(data=request.data))
        pairs = [(pair["number"], pair["docno"]) for pair in entries["pairs"]]
        reason = entries["reason"]
        sending = send_pairs(collection, pairs, reason=reason, actor=self.person, moment=timezone.now())
        if sending.nothing_to_decide:
            raise NothingToChange(sending.words)
        return self.one(sending)
