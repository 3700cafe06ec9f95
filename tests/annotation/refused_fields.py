"""What an answer of the API refuses, read from its problem details."""

from typing import Any, Protocol

from annotation.kernel.problem_details import BY_STATUS, CONTENT_TYPE


class JsonAnswer(Protocol):
    def json(self) -> Any: ...


class Answer(JsonAnswer, Protocol):
    status_code: int
    headers: Any


def refused_fields(answer: JsonAnswer) -> set[str]:
    """The names of the fields that a 400 gives reasons for; of a list's entry, the list's."""
    return {name.partition(".")[0] for name in reasons_of(answer)}


def reasons_of(answer: JsonAnswer) -> dict[str, list[str]]:
    errors: dict[str, list[str]] = answer.json().get("errors", {})
    return errors


def problem_of(answer: Answer) -> tuple[int, str]:
    """The status and the detail, once the rest has been seen to be as RFC 9457 wants it."""
    body, kind = answer.json(), BY_STATUS[answer.status_code]
    assert answer.headers["Content-Type"] == CONTENT_TYPE
    assert (body["status"], body["title"] != "") == (kind.status, True)
    assert body["type"].startswith("/api/problems/")
    return answer.status_code, body["detail"]
