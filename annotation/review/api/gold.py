"""Gold by hand, and from imported qrels: set, corrected, withdrawn. What touches people is confirmed first."""

import secrets
from collections.abc import Mapping
from typing import Any

from django.forms import Form
from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.formats.problems import FormatError
from annotation.gold.read.current import GoldChange
from annotation.gold.steps.events import GoldError, GoldTaken
from annotation.gold.steps.qrels import take_gold_from_snapshot
from annotation.kernel.access import ADMIN, collection_for
from annotation.kernel.api.form_entries import checked_form, sent_entries, serializer_of_form
from annotation.kernel.api.page import Address
from annotation.kernel.api.refusals import NOTHING, NothingToChange, conflicts, reasons_of, refused
from annotation.review.api.effects import EffectSerializer, require_freed
from annotation.review.forms.gold import LEAVE, ZERO, GoldForm, GoldSnapshotForm, WithdrawForm
from annotation.review.steps.gold_changes import GoldChanged, change_gold
from annotation.trust.read.gold_effect import effect_of


def _with_confirmation(name: str, form: type[Form]) -> type[serializers.Serializer[Any]]:
    return serializer_of_form(
        name,
        form,
        dry_run=serializers.BooleanField(required=False, help_text="Only say whom it would touch."),
        seen=serializers.IntegerField(
            required=False, help_text="Confirms a change that touches people, as the dry run gave it."
        ),
        bring_back=serializers.ListField(
            child=serializers.CharField(), required=False, help_text="Who comes back, of those that the change frees."
        ),
    )


GoldEntries = _with_confirmation("GoldEntries", GoldForm)
WithdrawalEntries = _with_confirmation("GoldWithdrawalEntries", WithdrawForm)
QrelsEntries = serializer_of_form(
    "GoldQrelsEntries",
    GoldSnapshotForm,
    snapshot=serializers.IntegerField(help_text="The id of imported qrels."),
    pool=serializers.IntegerField(required=False, help_text="The id of the pool that unlisted pairs are drawn from."),
    unlisted=serializers.ChoiceField(
        [LEAVE, ZERO],
        required=False,
        help_text="Pairs that the qrels do not list: `leave` them, or take some as gold of the lowest grade (`zero`).",
    ),
    seed=serializers.IntegerField(required=False, min_value=0, max_value=2**62, help_text="Random, if left out."),
)


class ChangedSerializer(serializers.Serializer[GoldChanged]):
    number = serializers.CharField(source="event.topic.number")
    docno = serializers.CharField(source="event.document.docno")
    grade = serializers.IntegerField(source="event.grade", allow_null=True, help_text="null: it is gold no more.")
    accepted = serializers.ListField(source="event.accepted", child=serializers.IntegerField())
    n_rescored = serializers.IntegerField(source="effect.n_rescored", help_text="Judgments that are scored anew.")
    brought_back = serializers.ListField(child=serializers.CharField(), help_text="By pseudonym.")


class TakenSerializer(serializers.Serializer[GoldTaken]):
    n_set = serializers.IntegerField()
    n_known = serializers.IntegerField(help_text="Of those set, pairs that were gold already in another way.")
    n_unlisted = serializers.IntegerField(help_text="Of those set, pairs that the qrels do not list.")
    n_unchanged = serializers.IntegerField()
    n_unknown = serializers.IntegerField(help_text="Left aside: the collection does not have them.")
    notes = serializers.ListField(child=serializers.CharField())


class _Change(Address):
    serializer_class = ChangedSerializer

    def changed(self, change: GoldChange, sent: Mapping[str, Any]) -> Response:
        """The effect alone for a dry run; 409 where it touches people and was not confirmed."""
        collection = change.topic.collection
        effect = effect_of(collection, change)
        if sent.get("dry_run"):
            return Response(EffectSerializer(effect).data)
        if "seen" not in sent and not effect.is_nothing:
            raise NothingToChange("This change touches people. See whom by `dry_run`, and send its `seen` to confirm.")
        bring_back = sent.get("bring_back", [])
        require_freed(effect, bring_back)
        confirmed = {"seen": sent.get("seen"), "bring_back": bring_back}
        with conflicts(GoldError):
            done = change_gold(collection, change, effect=effect, **confirmed, actor=self.person)
        return self.one(done)


ANSWERS = {
    200: PolymorphicProxySerializer(
        "GoldChangedOrEffect", [ChangedSerializer, EffectSerializer], resource_type_field_name=None
    ),
    409: NOTHING,
}


class GoldSet(_Change):
    @extend_schema(request=GoldEntries, responses=ANSWERS)
    def post(self, request: Request, slug: str) -> Response:
        """Make a pair gold, or correct it. With `dry_run` the answer says whom it would touch. For admins.

        What touches people is a 409 until `seen` of the dry run comes along, and if the pair has changed meanwhile.
        """
        collection = collection_for(self.person, slug, ADMIN)
        sent = sent_entries(GoldEntries, request.data)
        entered = checked_form(GoldForm, sent, collection=collection).cleaned_data
        names = ("topic", "document", "grade", "reason", "explanation")
        values = {name: entered[name] for name in names}
        return self.changed(GoldChange(**values, accepted=tuple(entered["accepted"])), sent)


class GoldWithdraw(_Change):
    @extend_schema(request=WithdrawalEntries, responses=ANSWERS)
    def post(self, request: Request, slug: str) -> Response:
        """Make a pair gold no more, with a reason; as `gold/set` asks first whom it touches. For admins."""
        collection = collection_for(self.person, slug, ADMIN)
        sent = sent_entries(WithdrawalEntries, request.data)
        entered = checked_form(WithdrawForm, sent, collection=collection).cleaned_data
        change = GoldChange(entered["topic"], entered["document"], None, reason=entered["reason"])
        return self.changed(change, sent)


class GoldFromQrels(Address):
    serializer_class = TakenSerializer

    @extend_schema(request=QrelsEntries, responses=TakenSerializer)
    def post(self, request: Request, slug: str) -> Response:
        """Take imported qrels as gold: all that they list, or some of each topic and grade. For admins.

        Pairs that are gold with another grade are a 400 that names them, unless `correct` is sent.
        """
        collection = collection_for(self.person, slug, ADMIN)
        sent = {"unlisted": LEAVE, "seed": secrets.randbelow(2**31), **sent_entries(QrelsEntries, request.data)}
        form = checked_form(GoldSnapshotForm, sent, collection=collection)
        try:
            taken = take_gold_from_snapshot(collection, **form.arguments(), actor=self.person)
        except FormatError as error:
            raise refused({"snapshot": reasons_of(error, row="Line")}) from error
        return self.one(taken)
