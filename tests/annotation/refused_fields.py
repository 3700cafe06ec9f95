"""Which fields an answer of the API says are wrong, whatever shape its error has."""

from typing import Any, Protocol


class JsonAnswer(Protocol):
    def json(self) -> Any: ...


def refused_fields(answer: JsonAnswer) -> set[str]:
    """The names of the fields that a 400 gives reasons for."""
    body = answer.json()
    return set(body.get("errors", body))
