"""What every page of a collection is rendered with."""

from collections.abc import Iterable
from functools import partial

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render

from annotation.kernel.access import roles_in
from annotation.kernel.jobs.latest import LatestJobs
from annotation.kernel.navigation import Group, navigation_for
from annotation.kernel.showing import shown_now
from annotation.kernel.waiting import waiting_counts
from annotation.models import Collection


def render_page(
    request: HttpRequest, template: str, *, collection: Collection | None = None, status: int = 200, **context: object
) -> HttpResponse:
    """Render with `collection` and the person's `roles` in it, which the navigation goes by.

    What waits is counted where the navigation is drawn. `showing` knows how old a page's figures are.
    """
    roles = roles_in(request.user, collection) if collection else frozenset()
    base = {
        "collection": collection,
        "roles": roles,
        "navigation": partial(_navigation, collection, roles),
        "showing": shown_now(),
    }
    return render(request, template, {**base, **context}, status=status)


def _navigation(collection: Collection | None, roles: frozenset[str]) -> list[Group]:
    return navigation_for(roles, waiting_counts(collection, roles) if collection else None)


def unknown_parameters(query: QueryDict, names: Iterable[str]) -> list[str]:
    """Names in an address that the page does not know: it says so, rather than seem to have heeded them."""
    return sorted(set(query) - set(names))


def render_polled(
    request: HttpRequest, template: str, *, part: str, live: bool, collection: Collection | None, **context: object
) -> HttpResponse:
    """The page, or its moving part alone where that asks again by itself. Status 286 tells htmx to ask no more."""
    if request.headers.get("HX-Request") != "true":
        return render_page(request, template, collection=collection, live=live, status=200, **context)
    return render_page(request, part, collection=collection, live=live, status=200 if live else 286, **context)


def render_jobs(request: HttpRequest, *, collection: Collection, jobs: LatestJobs) -> HttpResponse:
    """To a page that waits for a job and asks with `?said=`: the job where it got further, else 204; a reload once it
    has ended."""
    if jobs.live is None:
        return HttpResponse(headers={"HX-Refresh": "true"})
    if request.GET.get("said") == jobs.mark:
        return HttpResponse(status=204)
    return render_page(request, "components/running_job.html", collection=collection, jobs=jobs)
