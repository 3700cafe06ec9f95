"""What the API takes and gives, as its schema says it: written by `python -m tests.unchanged record`."""

from typing import Literal, NotRequired, TypedDict

from touchstone.client.schema.shared import RolesEnum


class Consent(TypedDict):
    agreed_at: str
    annotator: str


class Information(TypedDict):
    batches: list[str]  # Names of those that a revision would move on.
    consents: list[Consent]  # Who has agreed, by pseudonym.
    created_at: str
    number: int
    text: str  # Markdown.


class InformationEntriesRequest(TypedDict):
    text: str  # What people should know before they take part. Markdown: **bold**, lists with “- ”, headings “## ”.


class InformationLine(TypedDict):
    batches: list[str]  # Names of those that ask for it.
    created_at: str
    created_by: NotRequired[str | None]
    n_agreed: int  # People who have agreed to it.
    number: int


InvitationStateEnum = Literal["open", "used", "withdrawn", "expired"]


class Invitation(TypedDict):
    created_by: str
    expires_at: str
    id: int
    note: str
    role: RolesEnum
    state: InvitationStateEnum
    used_by: NotRequired[str | None]


class InvitationEntriesRequest(TypedDict):
    count: NotRequired[int | None]  # How many links, up to 500. One, if you leave this and the notes empty.
    days: NotRequired[int]
    notes: NotRequired[list[str]]  # Whom each link is for: one link a note. Only admins see them.
    # Without one, annotator. * `admin` - Admin * `researcher` - Researcher * `annotator` - Annotator
    role: NotRequired[RolesEnum]


ScopeEnum = Literal["read", "judge", "admin"]


class MadeToken(TypedDict):
    created_at: str
    expires_at: str | None  # null where it never does.
    last_used_at: str | None  # To the minute; null before the first time.
    name: str
    prefix: str  # What the token begins with.
    revoked_at: str | None
    scope: ScopeEnum
    token: str  # Told now and never again.


class Member(TypedDict):
    is_not_blind: bool  # An annotator who may also look up what is known of pairs.
    last_activity: str | None  # In this collection.
    pseudonym: str  # As an annotator; empty for who never was one here.
    roles: list[RolesEnum]
    username: str


class NewInvitation(TypedDict):
    expires_at: str
    id: int
    link: str  # Whoever opens it joins. It is shown here and never again.
    note: str
    role: RolesEnum


class NewInvitations(TypedDict):
    invitations: list[NewInvitation]


class NewTokenRequest(TypedDict):
    days: NotRequired[int]  # Until it expires; never, if left out.
    name: str  # What will use it, so that you know it again.
    scope: NotRequired[ScopeEnum]


class PasswordLink(TypedDict):
    days: int  # So long it can be used, once.
    link: str  # Whoever opens it chooses a new password. It is shown here and never again.


TableRowsEnum = Literal["roomy", "compact"]

TextSizeEnum = Literal["normal", "large", "larger"]

ThemeEnum = Literal["system", "light", "dark", "contrast"]


class Preferences(TypedDict):
    table_rows: TableRowsEnum
    text_size: TextSizeEnum
    theme: ThemeEnum
    time_zone: str  # An IANA name, as Europe/Vienna. Of pages alone.


class PreferencesRequest(TypedDict):
    table_rows: TableRowsEnum
    text_size: TextSizeEnum
    theme: ThemeEnum
    time_zone: str  # An IANA name, as Europe/Vienna. Of pages alone.


class RolesEntriesRequest(TypedDict):
    roles: list[RolesEnum]


class Token(TypedDict):
    created_at: str
    expires_at: str | None  # null where it never does.
    last_used_at: str | None  # To the minute; null before the first time.
    name: str
    prefix: str  # What the token begins with.
    revoked_at: str | None
    scope: ScopeEnum
