"""What can go wrong, in words that a person reads."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import httpx

from touchstone.client.schema.exchange import Problem

LONGEST_DETAIL = 300  # characters of an answer that is no problem detail: a proxy's page, say


class ClientError(Exception):
    """Whatever this client raises."""


class UnreachableError(ClientError):
    """No answer came, however often it was asked for."""


class ApiError(ClientError):
    """An answer that is an error: a problem detail (RFC 9457), or what a proxy says instead.

    `status` is that of HTTP; `code` names the kind of error and never changes (`refused`, `conflict`, …: go by it);
    `detail` is for people; `errors` has the reasons for each field that is wrong; `problem` is all that came.
    """

    def __init__(self, status: int, problem: Mapping[str, Any], *, retry_after: float | None = None) -> None:
        self.status, self.problem = status, problem
        self.code = str(problem.get("type", "")).rpartition("/")[2]
        self.title, self.detail = str(problem.get("title", "Error")), str(problem.get("detail", ""))
        self.errors: Mapping[str, Sequence[str]] = problem.get("errors") or {}
        self.retry_after = retry_after  # seconds, where the server says so
        super().__init__(f"{status} {self.title}" + (f": {self.detail}" if self.detail else ""))


class JobError(ClientError):
    """Long work that failed or was cancelled. `answer` is how it stood."""

    def __init__(self, message: str, answer: Mapping[str, Any]) -> None:
        super().__init__(message)
        self.answer = answer


class JobTimeoutError(JobError):
    """Long work that took longer than one would wait; it goes on."""


class RefusedFileError(JobError):
    """A file of which nothing is stored."""

    @property
    def problems(self) -> Sequence[Problem]:
        """The file, line and reason of each fault; of many the first 10,000."""
        return self.answer.get("problems") or ()


def error_of(response: httpx.Response) -> ApiError:
    """The error that an answer is. Its body has been read."""
    if response.is_redirect:
        return _other_error(response, f"The server sends us to {response.headers.get('Location')}: use that address.")
    try:
        problem = response.json()
    except ValueError:
        problem = None
    if isinstance(problem, dict) and "title" in problem:
        return ApiError(response.status_code, problem, retry_after=_asked_pause(response))
    return _other_error(response, response.text[:LONGEST_DETAIL])


def _other_error(response: httpx.Response, detail: str) -> ApiError:
    problem = {"title": response.reason_phrase or "Error", "detail": detail}
    return ApiError(response.status_code, problem, retry_after=_asked_pause(response))


def _asked_pause(response: httpx.Response) -> float | None:
    """Seconds, of a header that has them or a date (RFC 9110, 10.2.3)."""
    asked = response.headers.get("Retry-After", "").strip()
    if asked.isdecimal():
        return float(asked)
    try:
        moment = parsedate_to_datetime(asked)
    except ValueError:
        return None
    return max(0.0, (moment.replace(tzinfo=moment.tzinfo or UTC) - datetime.now(UTC)).total_seconds())
