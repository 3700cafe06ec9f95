"""The pairs of a qualification round: added by hand or from gold, changed, moved, removed, while it is a draft."""

from collections.abc import Mapping, Sequence
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.batches.api.qualifications import RoundAddress, WholeRoundSerializer
from annotation.batches.forms.qualifications import GoldChoiceForm, MoveForm, PairForm, TaughtForm
from annotation.batches.read.qualifications import gold_to_choose
from annotation.batches.steps import qualifications as flow
from annotation.corpus.read.texts import current_document_versions, current_topic_versions
from annotation.kernel.access import ADMIN, qualification_for, qualification_pair_for
from annotation.kernel.api.form_entries import checked_form, sent_entries, serializer_of_form
from annotation.kernel.api.refusals import NOTHING, conflicts, refused
from annotation.models import Qualification, QualificationItem

RoundPairEntries = serializer_of_form("RoundPairEntries", PairForm)
TaughtEntries = serializer_of_form("TaughtEntries", TaughtForm)
MoveEntries = serializer_of_form("MoveEntries", MoveForm)


class GoldPairSerializer(serializers.Serializer[None]):
    number = serializers.CharField(max_length=200)
    docno = serializers.CharField(max_length=400)


class GoldChoiceEntries(serializers.Serializer[None]):
    pairs = GoldPairSerializer(many=True, allow_empty=False, help_text="Pairs that are gold and not in the round.")


class QualificationPairs(RoundAddress):
    @extend_schema(request=RoundPairEntries, responses={201: WholeRoundSerializer, 409: NOTHING})
    def post(self, request: Request, slug: str, token: str) -> Response:
        """Add a pair to a draft, with what it teaches. 409 for one that it has already. For admins."""
        qualification = qualification_for(self.person, slug, token, ADMIN)
        sent = sent_entries(RoundPairEntries, request.data)
        texts = {
            "topics": current_topic_versions(qualification.collection),
            "documents": current_document_versions(qualification.collection),
        }
        entered = checked_form(PairForm, sent, scale=qualification.scale, **texts).cleaned_data
        with conflicts(flow.QualificationError):
            flow.add_pair(qualification, **entered)
        return self.whole(qualification, status.HTTP_201_CREATED)


class QualificationGold(RoundAddress):
    @extend_schema(request=GoldChoiceEntries, responses={201: WholeRoundSerializer, 409: NOTHING})
    def post(self, request: Request, slug: str, token: str) -> Response:
        """Take gold pairs into a draft; what is known of them is copied now. For admins."""
        qualification = qualification_for(self.person, slug, token, ADMIN)
        pairs = sent_entries(GoldChoiceEntries, request.data)["pairs"]
        chosen = {"pairs": _events(qualification, pairs)}
        form = checked_form(GoldChoiceForm, chosen, events=gold_to_choose(qualification))
        with conflicts(flow.QualificationError):
            flow.copy_gold(qualification, events=list(form.cleaned_data["pairs"]))
        return self.whole(qualification, status.HTTP_201_CREATED)


class OneQualificationPair(RoundAddress):
    @extend_schema(request=TaughtEntries, responses={200: WholeRoundSerializer, 409: NOTHING})
    def patch(self, request: Request, slug: str, token: str, item: str) -> Response:
        """Change what a pair of a draft teaches: what is not sent stays as it is. For admins."""
        pair = qualification_pair_for(self.person, slug, token, item)
        sent = {**_taught(pair), **sent_entries(TaughtEntries, request.data, partial=True)}
        entered = checked_form(TaughtForm, sent, scale=pair.qualification.scale).cleaned_data
        with conflicts(flow.QualificationError):
            flow.change_pair(pair, **entered)
        return self.whole(pair.qualification)

    @extend_schema(responses={200: WholeRoundSerializer, 409: NOTHING})
    def delete(self, request: Request, slug: str, token: str, item: str) -> Response:
        """Take a pair out of a draft. For admins."""
        pair = qualification_pair_for(self.person, slug, token, item)
        with conflicts(flow.QualificationError):
            flow.remove_pair(pair)
        return self.whole(pair.qualification)


class QualificationPairMove(RoundAddress):
    @extend_schema(request=MoveEntries, responses={200: WholeRoundSerializer, 409: NOTHING})
    def post(self, request: Request, slug: str, token: str, item: str) -> Response:
        """Move a pair of a draft one place up or down; the first and the last stay where they are. For admins."""
        pair = qualification_pair_for(self.person, slug, token, item)
        form = checked_form(MoveForm, sent_entries(MoveEntries, request.data))
        with conflicts(flow.QualificationError):
            flow.move_pair(pair, down=form.cleaned_data["step"] == "down")
        return self.whole(pair.qualification)


def _taught(pair: QualificationItem) -> dict[str, Any]:
    return {"accepted": pair.accepted, "hint": pair.hint, "explanation": pair.explanation}


def _events(qualification: Qualification, pairs: Sequence[Mapping[str, str]]) -> list[int]:
    """The events that hold, of pairs that can be chosen. 400 for another pair."""
    events = gold_to_choose(qualification).filter(topic__number__in={pair["number"] for pair in pairs})
    pks = {(event.topic.number, event.document.docno): event.pk for event in events}
    names_of_pairs = [(pair["number"], pair["docno"]) for pair in pairs]
    unknown = [f"Topic {number}, document {docno}" for number, docno in names_of_pairs if (number, docno) not in pks]
    if unknown:
        raise refused({"pairs": [f"{each}: is no gold with texts here, or is in the round." for each in unknown]})
    return [pks[pair] for pair in names_of_pairs]
