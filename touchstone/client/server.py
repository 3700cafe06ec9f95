"""The way in: one server, as the person whose token it is."""

from collections.abc import Iterator
from types import TracebackType
from typing import Self, Unpack

import httpx

from touchstone.client.collection import Collection
from touchstone.client.exchange import Arrivals
from touchstone.client.jobs import Job, job_of
from touchstone.client.judging import Choices, Judging, OwnDesk, Work
from touchstone.client.parts import Part
from touchstone.client.people import OwnPreferences, Tokens
from touchstone.client.schema.home import Collection as CollectionAnswer
from touchstone.client.schema.home import Demo, InboxQuery, NewCollectionEntriesRequest, Notice, Place, ReadNumber
from touchstone.client.wire import Wire, address


class Collections(Part):
    def all(self) -> Iterator[Place]:
        """Yours, and your `roles` in them."""
        return self._pages(Place)

    def make(self, **entries: Unpack[NewCollectionEntriesRequest]) -> CollectionAnswer:
        """An empty one, of which you are the admin. Without a `slug` it is made from the name."""
        return self._post(CollectionAnswer, body=entries)


class Inbox(Part):
    """What happened that concerns you, in all of your collections."""

    def all(self, **query: Unpack[InboxQuery]) -> Iterator[Notice]:
        """The newest first; with `unread=True` what was not read."""
        return self._pages(Notice, query=query)

    def mark_read(self, token: str) -> Notice:
        return self._post(Notice, token, "read")

    def mark_all_read(self, until: str) -> int:
        """The entry of this token and all before it; what has come in since stays unread. How many."""
        return self._post(ReadNumber, until, "read-all")["read"]


class Client(Part):
    """`Client("https://touchstone.example.org", token)`. Close it, or use it in a `with`; threads may share it."""

    def __init__(
        self,
        url: str,
        token: str,
        *,
        timeout: float = 60.0,
        tries: int = 5,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        wire = Wire(url, token, timeout=timeout, tries=tries, transport=transport)
        super().__init__(wire, "")
        self.collections = Collections(wire, "collections")
        self.arrivals = Arrivals(wire, "bundles")
        self.inbox = Inbox(wire, "inbox")
        self.preferences = OwnPreferences(wire, "preferences")
        self.tokens = Tokens(wire, "tokens")
        self.judging = Judging(wire, "judging")
        self.choices = Choices(wire, "judging-choices")
        self.work = Work(wire, "work")

    def collection(self, slug: str) -> Collection:
        return Collection(self._wire, slug)

    def desk(self, batch: str) -> OwnDesk:
        """Your own in the batch of this token."""
        return OwnDesk(self._wire, f"judging/{address(batch)}")

    def load_demo(self) -> Job:
        """A demo collection of your own: a job makes it, and names it in its result."""
        return job_of(self._wire, self._post(Demo, "demo"))

    def job(self, token: str) -> Job:
        """Long work that was asked for earlier, by this program or another."""
        return Job(self._wire, token)

    def close(self) -> None:
        self._wire.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
