"""What has to happen around every view."""

from collections.abc import Callable
from urllib.parse import urljoin
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseNotFound
from django.shortcuts import resolve_url
from django.utils import timezone
from django_htmx.http import HttpResponseClientRedirect
from django_htmx.middleware import HtmxDetails

from annotation.kernel.problem_details import detail_of, is_for_programs, problem_answer


class RefuseNul:
    """An address with a NUL in it, in its path or its query, leads nowhere: no id and no word has one.

    PostgreSQL refuses to compare a text with one; asked by each view, that would be a failure of the server. The API
    names the parameters that have one.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        has_nul = "\x00" in request.path or "%00" in request.META.get("QUERY_STRING", "")
        if not has_nul:
            return self.get_response(request)
        if is_for_programs(request):
            return _fault_of_nul(request)
        return HttpResponseNotFound("Not found\n", content_type="text/plain")


def _fault_of_nul(request: HttpRequest) -> HttpResponse:
    names = [name for name, values in request.GET.lists() if any("\x00" in value for value in values)]
    if "\x00" in request.path or not names:
        return problem_answer(404, "Not found.")
    errors = {name: ["Null characters are not allowed."] for name in names}
    return problem_answer(400, detail_of(errors), errors=errors)


class KeepNothing:
    """What a view answers is for who asked, now: no browser or proxy keeps it, unless the view says otherwise.

    Pages and the API hold gold, quality and qrels; on a shared machine the next person would find them by *Back*.
    Static files are answered further out. What a script sends is kept by nobody anyway; said of it, a browser would
    not bring the page back as it was left.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if request.method in {"GET", "HEAD"} and "Cache-Control" not in response.headers:
            response.headers["Cache-Control"] = "private, no-store"
        return response


class SignInRequest(HttpRequest):
    htmx: HtmxDetails


class ReadersZone:
    """Pages show times in the zone that the reader prefers; programs are answered in UTC. Stands after authentication.

    A name that this machine's zones do not have (any more) is read as UTC.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with timezone.override(None if is_for_programs(request) else _zone_of(request)):
            return self.get_response(request)


def _zone_of(request: HttpRequest) -> ZoneInfo | None:
    name = request.user.time_zone if request.user.is_authenticated else ""
    try:
        return ZoneInfo(name) if name else None
    except (ZoneInfoNotFoundError, ValueError):
        return None


class FragmentSignIn:
    """A sign-in that ran out never lands inside a fragment: the whole page goes to sign in, and comes back to itself.

    `login_required` answers a fragment's request with a redirect that htmx would follow, putting the sign-in page where
    the fragment was. A script that says what it holds (`X-Judge`) goes nowhere by itself: it is told 401 and where to
    sign in, and keeps what it has until then. Stands after HtmxMiddleware.
    """

    def __init__(self, get_response: Callable[[SignInRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: SignInRequest) -> HttpResponse:
        response = self.get_response(request)
        if "X-Judge" in request.headers and _leads_to_sign_in(response):
            judging_page = urljoin(request.path, ".")  # whose deeds lie in it as in a folder
            return HttpResponse(status=401, headers={"X-Sign-In": redirect_to_login(judging_page).url})
        if request.htmx and _leads_to_sign_in(response):
            page = request.htmx.current_url_abs_path or settings.LOGIN_REDIRECT_URL
            return HttpResponseClientRedirect(redirect_to_login(page).url)
        return response


def _leads_to_sign_in(response: HttpResponse) -> bool:
    if response.status_code not in {301, 302, 303, 307}:
        return False
    return response.headers.get("Location", "").partition("?")[0] == resolve_url(settings.LOGIN_URL)
