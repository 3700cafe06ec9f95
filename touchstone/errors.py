"""The pages of last resort. They read neither the form nor the session: what failed may be just that."""

import errno
import sys

from django.db import InterfaceError, InternalError, OperationalError, connection
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import render
from django.utils.text import capfirst
from django.views.defaults import page_not_found

from annotation.kernel.installation import sees_files
from annotation.kernel.problem_details import is_for_programs, problem_answer
from annotation.kernel.store import DamagedError, MissingError
from touchstone.lock_wait import wait_little

UNREADABLE = "This request cannot be read. Nothing was stored."
WORDS = {
    500: "Something failed here. Nothing was stored by this request.",
    503: "The server cannot store anything right now. Nothing was stored by this request. Try again in a minute.",
    507: "The server has no room left. Nothing was stored by this request. Tell whoever runs it.",
}
RETRY_AFTER = "10"  # seconds

_NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_NO_WRITING = {errno.EROFS, errno.EACCES, errno.EPERM, errno.EHOSTUNREACH}
_DISK_FULL, _READ_ONLY, _LOCKED_ROW = "53100", "25006", "55P03"  # PostgreSQL's codes
_LOCKED = "database is locked"  # as SQLite says it


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    if is_for_programs(request):
        return problem_answer(400, UNREADABLE)
    return HttpResponseBadRequest(f"{UNREADABLE}\n", content_type="text/plain")


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """No address is like this one, or no id can look like that."""
    if is_for_programs(request):
        return problem_answer(404, "There is no such address.")
    return page_not_found(request, exception)


def server_error(request: HttpRequest) -> HttpResponse:
    """507 where there is no room left, 503 where the database or the files take nothing just now, or are away, else
    500; a stored file that is missing or damaged is named."""
    error = sys.exc_info()[1]
    status = status_of(error)
    if _LOCKED in str(error) or _code_of(error) == _LOCKED_ROW:
        wait_little(connection)
    is_of_a_file = isinstance(error, DamagedError | MissingError)
    named = f"{capfirst(str(error))}. Tell whoever runs this server." if is_of_a_file else ""
    if is_for_programs(request):
        response: HttpResponse = problem_answer(status, named or WORDS[status])
    else:
        words = named or (WORDS[status] if status != 500 else "")
        response = render(None, "500.html", {"words": words}, status=status)
    if status == 503:
        response.headers["Retry-After"] = RETRY_AFTER
    return response


def status_of(error: BaseException | None) -> int:
    if isinstance(error, OperationalError | InterfaceError | InternalError):
        return _status_of_database(error)
    if isinstance(error, MissingError):
        return 500 if sees_files() else 503
    number = error.errno if isinstance(error, OSError) else None
    if number in _NO_ROOM:
        return 507
    return 503 if number in _NO_WRITING else 500


def _status_of_database(error: Exception) -> int:
    code = _code_of(error)
    if code == _DISK_FULL or "disk is full" in str(error):
        return 507
    return 500 if isinstance(error, InternalError) and code != _READ_ONLY else 503


def _code_of(error: BaseException | None) -> str | None:
    """PostgreSQL's."""
    return getattr(error and error.__cause__, "sqlstate", None)
