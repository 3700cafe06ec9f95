"""The members of a collection: listed, given other roles, removed; and a link for who has lost a password."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from annotation.kernel.access import ADMIN, collection_for, person_for, require_may_reset_password
from annotation.kernel.api.form_entries import checked_form, sent_entries, serializer_of_form
from annotation.kernel.api.page import Address
from annotation.kernel.api.refusals import NOTHING, conflicts
from annotation.models import Collection, Role, User
from annotation.people.forms import RolesForm
from annotation.people.read.members import Member, members_of
from annotation.people.steps.accounts import LINK_DAYS, make_password_link
from annotation.people.steps.members import LastAdminError, change_roles, remove_member

NOT_KEPT = {"Cache-Control": "private, no-store"}


class MemberSerializer(serializers.Serializer[Member]):
    username = serializers.CharField(source="person.username")
    roles = serializers.ListField(child=serializers.ChoiceField(Role.choices))
    pseudonym = serializers.CharField(help_text="As an annotator; empty for who never was one here.")
    is_not_blind = serializers.BooleanField(help_text="An annotator who may also look up what is known of pairs.")
    last_activity = serializers.DateTimeField(allow_null=True, help_text="In this collection.")


class PasswordLinkSerializer(serializers.Serializer[None]):
    link = serializers.URLField(help_text="Whoever opens it chooses a new password. It is shown here and never again.")
    days = serializers.IntegerField(help_text="So long it can be used, once.")


RolesEntries = serializer_of_form(
    "RolesEntries",
    RolesForm,
    roles=serializers.ListField(child=serializers.ChoiceField(Role.choices), allow_empty=False),
)


class People(Address):
    serializer_class = MemberSerializer

    @extend_schema(responses=MemberSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """The members of a collection and their roles, by username. For admins."""
        return self.page_of(members_of(collection_for(self.person, slug, ADMIN)))


class OnePerson(Address):
    serializer_class = MemberSerializer

    @extend_schema(responses=MemberSerializer)
    def get(self, request: Request, slug: str, username: str) -> Response:
        """A member of a collection. For admins."""
        return self.one(_member(*person_for(self.person, slug, username)))

    @extend_schema(request=RolesEntries, responses={200: MemberSerializer, 409: NOTHING})
    def put(self, request: Request, slug: str, username: str) -> Response:
        """Give a member exactly these roles. 409 for the last admin. For admins."""
        collection, person = person_for(self.person, slug, username)
        form = checked_form(RolesForm, sent_entries(RolesEntries, request.data))
        with conflicts(LastAdminError):
            change_roles(collection, person, roles=set(form.cleaned_data["roles"]), actor=self.person)
        return self.one(_member(collection, person))

    @extend_schema(responses={204: None, 409: NOTHING})
    def delete(self, request: Request, slug: str, username: str) -> Response:
        """Take every role from a member. What they judged stays. 409 for the last admin. For admins."""
        collection, person = person_for(self.person, slug, username)
        with conflicts(LastAdminError):
            remove_member(collection, person, actor=self.person)
        return Response(status=status.HTTP_204_NO_CONTENT)


class PersonPasswordLink(Address):
    tells_secret = True
    serializer_class = PasswordLinkSerializer

    @extend_schema(request=None, responses={201: PasswordLinkSerializer})
    def post(self, request: Request, slug: str, username: str) -> Response:
        """Make a link by which a member chooses a new password; it replaces those made before. For admins.

        403 for who has a role where you are no admin, or may do more on this installation.
        """
        collection, person = person_for(self.person, slug, username)
        require_may_reset_password(self.person, person)
        secret = make_password_link(person, actor=self.person, collection=collection)
        answer = {"link": reverse("password_link", args=[secret], request=request), "days": LINK_DAYS}
        return Response(answer, status.HTTP_201_CREATED, headers=NOT_KEPT)


def _member(collection: Collection, person: User) -> Member:
    return next(member for member in members_of(collection) if member.person == person)
