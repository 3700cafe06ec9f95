"""Invitations: made, one or many at once; listed; withdrawn."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from annotation.kernel.access import ADMIN, collection_for, invitation_for
from annotation.kernel.api.form_entries import checked_form, sent_entries, serializer_of_form
from annotation.kernel.api.page import Address
from annotation.kernel.api.refusals import NOTHING, NothingToChange
from annotation.models import Invitation, Role
from annotation.people.api.members import NOT_KEPT
from annotation.people.forms import MOST_INVITATIONS, InvitationsForm
from annotation.people.read.members import invitations_of
from annotation.people.steps.invitations import make_invitations, withdraw_invitation


class InvitationSerializer(serializers.Serializer[Invitation]):
    id = serializers.IntegerField()
    role = serializers.ChoiceField(Role.choices)
    note = serializers.CharField()
    state = serializers.ChoiceField(["open", "used", "withdrawn", "expired"])
    created_by = serializers.CharField(source="created_by.username")
    expires_at = serializers.DateTimeField()
    used_by = serializers.CharField(source="used_by.username", allow_null=True, default=None)


class NewInvitationSerializer(serializers.Serializer[Invitation]):
    id = serializers.IntegerField()
    role = serializers.ChoiceField(Role.choices)
    note = serializers.CharField()
    expires_at = serializers.DateTimeField()
    link = serializers.URLField(help_text="Whoever opens it joins. It is shown here and never again.")


class NewInvitationsSerializer(serializers.Serializer[None]):
    invitations = NewInvitationSerializer(many=True)


InvitationEntries = serializer_of_form(
    "InvitationEntries",
    InvitationsForm,
    role=serializers.ChoiceField(Role.choices, required=False, help_text="Without one, annotator."),
    notes=serializers.ListField(
        child=serializers.CharField(max_length=200),
        required=False,
        max_length=MOST_INVITATIONS,
        help_text="Whom each link is for: one link a note. Only admins see them.",
    ),
)


class Invitations(Address):
    tells_secret = True
    serializer_class: type[serializers.Serializer[Any]] = InvitationSerializer

    @extend_schema(responses=InvitationSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """The invitations to a collection, the newest first, without their links. For admins."""
        return self.page_of(invitations_of(collection_for(self.person, slug, ADMIN)))

    @extend_schema(request=InvitationEntries, responses={201: NewInvitationsSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Make invitations, one a note or `count` of them. This answer alone has the links. For admins."""
        collection = collection_for(self.person, slug, ADMIN)
        sent = sent_entries(InvitationEntries, request.data)
        sent["notes"] = "\n".join(" ".join(note.split()) for note in sent.get("notes", ()))
        entered = checked_form(InvitationsForm, sent).cleaned_data
        options = {name: entered[name] for name in ("role", "notes", "days")}
        pairs = make_invitations(collection, **options, actor=self.person)
        answer = {"invitations": [self._with_link(invitation, secret) for invitation, secret in pairs]}
        return Response(answer, status.HTTP_201_CREATED, headers=NOT_KEPT)

    def _with_link(self, invitation: Invitation, secret: str) -> dict[str, Any]:
        invitation.link = reverse("invitation", args=[secret], request=self.request)  # type: ignore[attr-defined]
        return dict(NewInvitationSerializer(invitation).data)


class InvitationWithdraw(Address):
    serializer_class = InvitationSerializer

    @extend_schema(request=None, responses={200: InvitationSerializer, 409: NOTHING})
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Withdraw an invitation: its link works no more. 409 once it was used or withdrawn. For admins."""
        invitation = invitation_for(self.person, slug, number)
        if not withdraw_invitation(invitation, actor=self.person):
            raise NothingToChange("That invitation was used or withdrawn before.")
        return self.one(invitations_of(invitation.collection).get(pk=invitation.pk))
