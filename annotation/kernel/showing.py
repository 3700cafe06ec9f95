"""Whether what is worked out now is for being shown: then it may be older than the newest judgments, and says so.

Deeds, commands and jobs never show: what they rest on is current.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.http import HttpRequest, HttpResponse

HEADER = "Touchstone-As-Of"
LATE = 40  # seconds


@dataclass
class Showing:
    """`as_of`: of the oldest figures shown, the time up to which all is in them; None where all are current. `waited`:
    whole seconds for which somebody has been waiting for newer ones."""

    as_of: datetime | None = None
    waited: int = 0

    def add(self, as_of: datetime, *, waited: timedelta) -> None:
        self.as_of = min(self.as_of or as_of, as_of)
        self.waited = max(self.waited, int(waited.total_seconds()))

    @property
    def is_late(self) -> bool:
        """Whether the worker seems to be away."""
        return self.waited >= LATE


_showing: ContextVar[Showing | None] = ContextVar("showing", default=None)


@contextmanager
def showing() -> Iterator[Showing]:
    shown = Showing()
    token = _showing.set(shown)
    try:
        yield shown
    finally:
        _showing.reset(token)


def shown_now() -> Showing | None:
    """None where only what is current will do."""
    return _showing.get()


@contextmanager
def current_alone() -> Iterator[None]:
    """For what a page decides by."""
    token = _showing.set(None)
    try:
        yield
    finally:
        _showing.reset(token)


class SayAsOf:
    """What is asked for with GET may show older figures; the answer has their time in its head."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method not in {"GET", "HEAD"}:
            return self.get_response(request)
        with showing() as shown:
            response = self.get_response(request)
        if shown.as_of:
            response.headers[HEADER] = shown.as_of.isoformat()
        return response
