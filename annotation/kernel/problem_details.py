"""What an error says to a program: RFC 9457, one shape for every one of them, whoever answers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, JsonResponse

PREFIX = "/api/"
CONTENT_TYPE = "application/problem+json"

Reasons = Mapping[str, list[str]]  # why a field is refused, by its name; a list's third entry is `name.2`


@dataclass(frozen=True)
class Kind:
    """A kind of error: what programs go by."""

    code: str
    status: int
    title: str
    meaning: str

    @property
    def uri(self) -> str:
        return f"{PREFIX}problems/{self.code}"


# The first of a status is what is meant where nothing else is said.
KINDS = (
    Kind("refused", 400, "Refused", "What was sent cannot be used. `errors` names the fields, if it is about fields."),
    Kind("no-token", 401, "No token", "The request has no token, or one that does not work."),
    Kind("expired-token", 401, "Expired token", "The token has reached its last day. Make a new one."),
    Kind("not-allowed", 403, "Not allowed", "Your role does not allow this; or a browser sent no CSRF token."),
    Kind("token-scope", 403, "Beyond the token", "You may do this, but not with a token of this scope."),
    Kind("not-found", 404, "Not found", "There is no such thing or address, or it is not for you to know."),
    Kind("wrong-method", 405, "Wrong method", "The address does not take this method. `Allow` names those it takes."),
    Kind("conflict", 409, "Conflict", "It cannot be done now: it is done already, too late, or something comes first."),
    Kind("gone", 410, "Gone", "What this was about has gone to someone else. Ask for the next."),
    Kind("too-large", 413, "Too large", "The body is over the limit. Nothing of it is kept."),
    Kind("wrong-type", 415, "Wrong type", "The body is not in a type or charset that this address takes."),
    Kind("reused-key", 422, "Reused key", "This `Idempotency-Key` came with another request before."),
    Kind("failure", 500, "Failure", "The fault is on our side."),
    Kind(
        "unavailable", 503, "Unavailable", "The server cannot store anything just now. Try after `Retry-After` seconds."
    ),
    Kind("not-made-yet", 503, "Not made yet", "The worker is working it out. Ask again after `Retry-After` seconds."),
    Kind("no-room", 507, "No room", "The disk of the server is full."),
)
BY_CODE = {kind.code: kind for kind in KINDS}
BY_STATUS = {kind.status: kind for kind in reversed(KINDS)}


def is_for_programs(request: HttpRequest) -> bool:
    return f"{request.path}/".startswith(PREFIX)


def problem_details(status: int, detail: str, *, code: str = "", errors: Reasons | None = None) -> dict[str, Any]:
    """The body. `code` names the kind, else the status does."""
    kind = BY_CODE.get(code) or BY_STATUS.get(status)
    named = {"type": kind.uri, "title": kind.title} if kind else {"type": "about:blank", "title": "Error"}
    body = {**named, "status": status, "detail": detail}
    return {**body, "errors": dict(errors)} if errors else body


def problem_answer(status: int, detail: str, *, code: str = "", errors: Reasons | None = None) -> JsonResponse:
    """The answer, where no view of the API gives it."""
    return JsonResponse(
        problem_details(status, detail, code=code, errors=errors), status=status, content_type=CONTENT_TYPE
    )


def detail_of(errors: Reasons) -> str:
    """The first reasons in one line."""
    lines = [f"{name}: {' '.join(reasons)}" for name, reasons in errors.items()]
    more = f"; and {len(lines) - 3} more" if len(lines) > 3 else ""
    return "; ".join(lines[:3]) + more
