"""Whom messages of a collection go to, and what became of these."""

from collections.abc import Iterator
from typing import Unpack

from touchstone.client.parts import Part
from touchstone.client.schema.outgoing import Delivery, NewRecipient, Recipient, RecipientEntriesRequest


class OutgoingPart(Part):
    """At the address of the collection; for its admins."""

    def recipients(self) -> Iterator[Recipient]:
        return self._pages(Recipient, "recipients")

    def add(self, **entries: Unpack[RecipientEntriesRequest]) -> NewRecipient:
        """Its `secret` is told once."""
        return self._post(NewRecipient, "recipients", body=entries)

    def test(self, recipient: str) -> Delivery:
        """By its `token`: a message that tells of nothing."""
        return self._post(Delivery, "recipients", recipient, "test")

    def end(self, recipient: str) -> Recipient:
        return self._post(Recipient, "recipients", recipient, "end")

    def deliveries(self) -> Iterator[Delivery]:
        return self._pages(Delivery, "deliveries")
