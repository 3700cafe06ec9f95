"""What every page of a collection is rendered with. The sibling of annotation's, whose views are not ours to use."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django_htmx.middleware import HtmxDetails

from annotation.kernel.access import roles_in
from annotation.models import Collection, User
from evaluation.kernel.jobs import JobsNow


class Request(HttpRequest):
    """A signed-in person's request; only for annotations, Django makes the object."""

    user: User
    htmx: HtmxDetails


def answer_jobs(request: Request, collection: Collection, jobs: JobsNow) -> HttpResponse:
    """To a page that asks again: what is new of the job, 204 where nothing is; to reload where it has ended."""
    if jobs.live is None:
        return HttpResponse(headers={"HX-Refresh": "true"})
    if request.GET.get("said") == jobs.mark:
        return HttpResponse(status=204)
    return render_page(request, "evaluation/accounting/accounting_job.html", collection=collection, jobs=jobs)


def render_page(
    request: HttpRequest, template: str, *, collection: Collection, status: int = 200, **context: object
) -> HttpResponse:
    """Render with `collection` and the person's `roles` in it, which the navigation goes by."""
    roles = roles_in(request.user, collection)
    return render(request, template, {"collection": collection, "roles": roles, **context}, status=status)
