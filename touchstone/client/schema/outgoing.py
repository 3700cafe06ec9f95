"""What the API takes and gives, as its schema says it: written by `python -m tests.unchanged record`."""

from typing import Literal, NotRequired, TypedDict

DeliveryStateEnum = Literal["waiting", "sent", "failed"]


class Delivery(TypedDict):
    address: str
    answer: NotRequired[str]
    created_at: str
    ended_at: NotRequired[str | None]
    n_tries: NotRequired[int]
    next_try: NotRequired[str | None]
    recipient: str
    state: NotRequired[DeliveryStateEnum]
    subject: str
    token: NotRequired[str]


RecipientKind = Literal["webhook", "mail"]


class NewRecipient(TypedDict):
    address: str
    created_at: str
    ended_at: NotRequired[str | None]
    everything: NotRequired[bool]
    kind: RecipientKind
    secret: str  # By which messages are signed, told once; empty for mail.
    token: NotRequired[str]


class Recipient(TypedDict):
    address: str
    created_at: str
    ended_at: NotRequired[str | None]
    everything: NotRequired[bool]
    kind: RecipientKind
    token: NotRequired[str]


class RecipientEntriesRequest(TypedDict):
    address: str  # Of a webhook (https://…), or a mail address.
    everything: NotRequired[bool]
    kind: RecipientKind
