"""How many wrong passwords are borne: for a name from an address, from an address whatever the
name, for a name wherever from.

Nobody can lock a person out for long: the limit of a name alone does not hold at an address where
that person has signed in, and what is tried while a limit holds does not prolong it. Nothing of
what was sent is stored.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from axes.handlers.database import AxesDatabaseHandler
from axes.helpers import get_client_username
from axes.models import AccessLog
from django.conf import settings
from django.db.models import Sum
from django.http import HttpRequest, QueryDict
from django.utils import timezone

LIMITS = {"name and address": 10, "address": 50, "name": 50}  # in the order of AXES_LOCKOUT_PARAMETERS
REMEMBERED = timedelta(days=90)  # for which an address is known to be somebody's

Credentials = Mapping[str, Any] | None


class SignInLimits(AxesDatabaseHandler):  # type: ignore[misc]  # axes ships no types
    def get_failures(self, request: HttpRequest, credentials: Credentials = None) -> int:
        """As many as one limit in all would bear: the fullest limit counts, in parts of `AXES_FAILURE_LIMIT`."""
        failures = dict(zip(LIMITS, map(_sum, self.get_user_attempts(request, credentials)), strict=True))
        if failures["name"] >= LIMITS["name"] and _knows(request, credentials):
            del failures["name"]
        return max(n * settings.AXES_FAILURE_LIMIT // LIMITS[what] for what, n in failures.items())

    def reset_user_attempts(self, request: HttpRequest, credentials: Credentials = None) -> int:
        """Whoever signs in makes good their own mistakes there, and nobody else's."""
        own, *_ = self.filter_user_attempts(request, credentials)
        return int(own.delete()[0])

    def user_login_failed(self, sender: Any, credentials: Credentials, request: Any = None, **kwargs: Any) -> None:
        if request is None:
            return
        with _nothing_sent(request):
            super().user_login_failed(sender, credentials, request, **kwargs)


def _sum(attempts: Any) -> int:
    return int(attempts.aggregate(n=Sum("failures_since_start"))["n"] or 0)


def _knows(request: Any, credentials: Credentials) -> bool:
    """Whether the person has signed in from this address lately."""
    logs = AccessLog.objects.filter(
        username=get_client_username(request, credentials),
        ip_address=request.axes_ip_address,
        attempt_time__gt=timezone.now() - REMEMBERED,
    )
    return bool(logs.exists())


@contextmanager
def _nothing_sent(request: Any) -> Iterator[None]:
    """The request without form and query: they may hold a password under another name."""
    sent = request.POST, request.GET
    request.POST, request.GET = QueryDict(), QueryDict()
    try:
        yield
    finally:
        request.POST, request.GET = sent
