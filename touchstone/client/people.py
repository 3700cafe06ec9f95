"""Who takes part: tokens, members, invitations."""

from collections.abc import Iterator
from typing import Unpack

from touchstone.client.parts import Part
from touchstone.client.schema.people import (
    Invitation,
    InvitationEntriesRequest,
    MadeToken,
    Member,
    NewInvitations,
    NewTokenRequest,
    PasswordLink,
    Preferences,
    PreferencesRequest,
    Token,
)
from touchstone.client.schema.shared import RolesEnum


class Tokens(Part):
    """Your own."""

    def all(self) -> Iterator[Token]:
        return self._pages(Token)

    def make(self, **entries: Unpack[NewTokenRequest]) -> MadeToken:
        """A new one; its secret, `token`, is told once. Without `days` it lasts."""
        return self._post(MadeToken, body=entries)

    def revoke(self, prefix: str) -> Token:
        return self._post(Token, prefix, "revoke")


class OwnPreferences(Part):
    """How pages look to you."""

    def read(self) -> Preferences:
        return self._get(Preferences)

    def save(self, **entries: Unpack[PreferencesRequest]) -> Preferences:
        """All four of them. The API keeps UTC whatever the `time_zone`."""
        return self._put(Preferences, body=entries)


class People(Part):
    def all(self) -> Iterator[Member]:
        return self._pages(Member)

    def read(self, username: str) -> Member:
        """One member: `roles`, and the `pseudonym` of whoever judges."""
        return self._get(Member, username)

    def set_roles(self, username: str, *, roles: list[RolesEnum]) -> Member:
        """Exactly these, of a member; others join by an invitation."""
        return self._put(Member, username, body={"roles": roles})

    def remove(self, username: str) -> None:
        self._do(username, method="DELETE")

    def make_password_link(self, username: str) -> PasswordLink:
        """A `link`, told once, by which the member chooses a new password."""
        return self._post(PasswordLink, username, "password-link")


class Invitations(Part):
    def all(self) -> Iterator[Invitation]:
        """Without their links."""
        return self._pages(Invitation)

    def make(self, **entries: Unpack[InvitationEntriesRequest]) -> NewInvitations:
        """One a note (`notes`), or `count` of them; the links are told in this answer alone."""
        return self._post(NewInvitations, body=entries)

    def withdraw(self, number: int) -> Invitation:
        return self._post(Invitation, number, "withdraw")
