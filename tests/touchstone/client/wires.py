"""A client whose server answers by the list, and what that server was sent."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest

from touchstone.client import Client

Answer = httpx.Response | Exception


@dataclass
class Server:
    """Gives its answers in turn, the last one ever after; an exception is a lost connection."""

    answers: list[Answer]
    requests: list[httpx.Request] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)

    def answer(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        self.bodies.append(request.read())
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer

    @property
    def keys(self) -> list[str | None]:
        return [request.headers.get("Idempotency-Key") for request in self.requests]


def client_of(server: Server, *, tries: int = 5) -> Client:
    return Client("https://host/base/", "secret", tries=tries, transport=httpx.MockTransport(server.answer))


def problem(status: int, **entries: Any) -> httpx.Response:
    whole = {
        "type": "/api/problems/conflict",
        "title": "Conflict",
        "status": status,
        "detail": "It is open.",
        **entries,
    }
    return httpx.Response(status, json=whole)


class Pauses(list[float]):
    """Seconds that were slept, none of them really; `clock` goes on by them."""

    def sleep(self, seconds: float) -> None:
        self.append(seconds)

    def clock(self) -> float:
        return sum(self)


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> Pauses:
    pauses = Pauses()
    monkeypatch.setattr("touchstone.client.wire.sleep", pauses.sleep)
    monkeypatch.setattr("touchstone.client.jobs.sleep", pauses.sleep)
    monkeypatch.setattr("touchstone.client.jobs.monotonic", pauses.clock)
    return pauses


class Broken(httpx.SyncByteStream):
    """A body whose connection is lost after some bytes."""

    def __init__(self, *pieces: bytes, after: Callable[[], Exception]) -> None:
        self._pieces, self._after = pieces, after

    def __iter__(self) -> Iterator[bytes]:
        yield from self._pieces
        raise self._after()
