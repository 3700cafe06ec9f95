"""Recipients of messages, and what became of these: for admins."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.kernel.access import ADMIN, collection_for
from annotation.kernel.api.form_entries import checked_form, sent_entries, serializer_of_form
from annotation.kernel.api.page import Address, or_404
from annotation.kernel.api.refusals import NOTHING, conflicts, refused
from annotation.models import Delivery, Recipient, User
from annotation.outgoing.forms import RecipientForm
from annotation.outgoing.read import deliveries_of, recipient_of, recipients_of
from annotation.outgoing.steps.allowed_addresses import OutgoingError
from annotation.outgoing.steps.messages import write_test
from annotation.outgoing.steps.recipients import add_recipient, end_recipient, secret_of

RecipientEntries = serializer_of_form(
    "RecipientEntries", RecipientForm, kind=serializers.ChoiceField(Recipient.Kind.choices)
)


class RecipientSerializer(serializers.ModelSerializer[Recipient]):
    class Meta:
        model = Recipient
        fields = ("token", "kind", "address", "everything", "created_at", "ended_at")


class NewRecipientSerializer(serializers.ModelSerializer[Recipient]):
    secret = serializers.CharField(help_text="By which messages are signed, told once; empty for mail.")

    class Meta:
        model = Recipient
        fields = (*RecipientSerializer.Meta.fields, "secret")


class DeliverySerializer(serializers.ModelSerializer[Delivery]):
    recipient = serializers.CharField(source="recipient.token")
    address = serializers.CharField(source="recipient.address")

    class Meta:
        model = Delivery
        fields = (
            *("token", "recipient", "address", "subject", "state", "n_tries", "next_try", "answer"),
            *("created_at", "ended_at"),
        )


class Recipients(Address):
    serializer_class: type[serializers.Serializer[Any]] = RecipientSerializer
    tells_secret = True

    @extend_schema(responses=RecipientSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """Whom messages of the collection go to. For admins."""
        return self.page_of(recipients_of(collection_for(self.person, slug, ADMIN)))

    @extend_schema(request=RecipientEntries, responses={201: NewRecipientSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Add a recipient that the operator's settings allow. For admins."""
        collection = collection_for(self.person, slug, ADMIN)
        form = checked_form(RecipientForm, sent_entries(RecipientEntries, request.data))
        try:
            recipient = add_recipient(collection, **form.cleaned_data, actor=self.person)
        except OutgoingError as reason:
            raise refused({"address": [str(reason)]}) from reason
        secret = secret_of(recipient) if recipient.kind == Recipient.Kind.WEBHOOK else ""
        with_secret = {**RecipientSerializer(recipient).data, "secret": secret}
        return Response(with_secret, status.HTTP_201_CREATED)


class RecipientEnd(Address):
    serializer_class = RecipientSerializer

    @extend_schema(request=None, responses={200: RecipientSerializer, 409: NOTHING})
    def post(self, request: Request, slug: str, token: str) -> Response:
        """Send no message there any more. For admins."""
        recipient = recipient_for(self.person, slug, token)
        with conflicts(OutgoingError):
            end_recipient(recipient, actor=self.person)
        recipient.refresh_from_db()
        return self.one(recipient)


class RecipientTest(Address):
    serializer_class = DeliverySerializer

    @extend_schema(request=None, responses={201: DeliverySerializer, 409: NOTHING})
    def post(self, request: Request, slug: str, token: str) -> Response:
        """Send a message that tells of nothing. For admins."""
        with conflicts(OutgoingError):
            delivery = write_test(recipient_for(self.person, slug, token))
        return self.one(delivery, status.HTTP_201_CREATED)


class Deliveries(Address):
    serializer_class = DeliverySerializer

    @extend_schema(responses=DeliverySerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """What became of messages, the newest first. For admins."""
        return self.page_of(deliveries_of(collection_for(self.person, slug, ADMIN)))


def recipient_for(person: User, slug: str, token: str) -> Recipient:
    return or_404(recipient_of(collection_for(person, slug, ADMIN), token), "recipient")
