"""A page whose figures are worked out for the first time: the worker does it, the page says how far
it is, and comes by itself when they are there."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

from django.http import HttpRequest, HttpResponse

from annotation.kernel.clock import now
from annotation.kernel.navigation import section_of
from annotation.kernel.page import render_page
from annotation.kernel.problem_details import is_for_programs, problem_answer
from annotation.kernel.showing import LATE
from annotation.models import KeptResult

PART = "result-unmade"  # of the page, which asks again
RETRY_AFTER = "10"  # seconds


class NotMadeYetError(Exception):
    """The worker was asked for a result that a page shows."""

    def __init__(self, row: KeptResult) -> None:
        super().__init__("These figures are being worked out for the first time. Ask again in some seconds.")
        self.row = row


@dataclass(frozen=True)
class Making:
    """Whole seconds: since it was asked for, since the worker began, and what another of its kind took; None where it
    has not begun, or there is no other."""

    asked: int
    begun: int | None
    usual: int | None

    @classmethod
    def of(cls, row: KeptResult) -> Self:
        moment = now()
        others = KeptResult.objects.filter(collection=row.collection_id, kind=row.kind, as_of__isnull=False)
        other = others.order_by("-as_of").first()
        return cls(
            asked=int((moment - (row.asked_at or moment)).total_seconds()),
            begun=int((moment - row.begun_at).total_seconds()) if row.begun_at else None,
            usual=max(1, round(other.made["seconds"])) if other else None,
        )

    @property
    def is_late(self) -> bool:
        """Whether the worker seems to be away."""
        return self.begun is None and self.asked >= LATE


class AnswerMeanwhile:
    """202 and a page that asks again, or that part of it alone; once the view answers, the page is told to reload.
    Programs and whoever asks for a file get 503 and when to ask again."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if request.headers.get("HX-Target") == PART and response.status_code != 202:
            return HttpResponse(headers={"HX-Refresh": "true"})
        return response

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if not isinstance(exception, NotMadeYetError):
            return None
        if is_for_programs(request):
            response: HttpResponse = problem_answer(503, str(exception), code="not-made-yet")
        else:
            response = _page(request, exception.row)
        if response.status_code == 503:
            response.headers["Retry-After"] = RETRY_AFTER
            vars(response)["_has_been_logged"] = True  # by Django as an error, which it is not
        return response


def _page(request: HttpRequest, row: KeptResult) -> HttpResponse:
    is_file, is_part = _asks_for_a_file(request), request.headers.get("HX-Request") == "true"
    return render_page(
        request,
        "components/result_unmade_part.html" if is_part else "components/result_unmade.html",
        collection=row.collection,
        section=section_of(match.url_name or "") if (match := request.resolver_match) else "",
        making=Making.of(row),
        part=PART,
        live=not is_file,
        status=503 if is_file else 202,
    )


def _asks_for_a_file(request: HttpRequest) -> bool:
    """By its address, or that of a list (`?as=csv`): told to reload, a page would stay and fetch it again and again."""
    return request.path.endswith(".csv") or any(name.rpartition("-")[2] == "as" for name in request.GET)
