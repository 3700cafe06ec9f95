"""Around every request: its id, and a line in the log once it is answered."""

import logging
import re
import time
from collections.abc import Callable
from uuid import uuid4

from django.contrib.auth import SESSION_KEY
from django.http import HttpRequest, HttpResponse
from django.utils.functional import SimpleLazyObject

from touchstone.logs import ANSWERED, hidden, request_id
from touchstone.monitoring import count_request
from touchstone.pools import pool_of

logger = logging.getLogger(__name__)

_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")


class RequestLog:
    """The id of a request comes from X-Request-ID or is made, and goes back in X-Request-ID. Stands first of all.

    The line names the person by number, never by name, and the path without its query and without the secrets of
    one-time links.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        sent = request.headers.get("X-Request-ID", "")
        own = sent if _ID.fullmatch(sent) else uuid4().hex
        began, before = time.perf_counter(), request_id.set(own)
        request.META[ANSWERED] = own
        try:
            response = self.get_response(request)
            response.headers["X-Request-ID"] = own
            seconds = time.perf_counter() - began
            count_request(pool_of(request.path), response.status_code, seconds)
            _log(request, response.status_code, seconds)
        finally:
            request_id.reset(before)
        return response


def _log(request: HttpRequest, status: int, seconds: float) -> None:
    path, spent = hidden(request.path), round(1000 * seconds, 1)
    facts = {"method": request.method, "path": path, "status": status, "duration_ms": spent}
    logger.info("%s %s %s in %s ms", *facts.values(), extra={"user_id": _person(request), **facts})


def _person(request: HttpRequest) -> int | None:
    """Who asked, if answering has found it out: for the log alone nothing is looked up."""
    user = getattr(request, "user", None)
    if user is not None and not isinstance(user, SimpleLazyObject):  # a bearer's, put there by the API
        return int(user.pk) if user.pk else None
    session = getattr(request, "session", None)
    key = session.get(SESSION_KEY) if session is not None and session.accessed else None
    return int(key) if key else None
