"""What Prometheus may ask: how this machine's processes do, and what stands in the database that all share.

Written by hand in the text format 0.0.4: the few lines it takes are fewer than what a library would
want of several processes (a folder emptied at each start, a file for each process that ever was).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.db import DatabaseError
from django.db.models import Count, Min, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.http import require_safe

from annotation.kernel import clock, counters
from annotation.kernel.installation import lead_of_clock
from annotation.models import Job, Judgment, Slot
from touchstone import __version__
from touchstone.health import CHECKS, outcome_of

Tags = tuple[tuple[str, str], ...]
Sample = tuple[Tags, float]

REQUEST_BOUNDS = (0.05, 0.1, 0.15, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)  # seconds


@dataclass(frozen=True)
class Family:
    """A metric: its type as Prometheus has it, and what it is."""

    type: str
    help: str


# Counted by each process of this machine.
COUNTED = {
    "touchstone_requests_total": Family("counter", "Requests answered, by pool and class of status."),
    "touchstone_request_seconds": Family("histogram", "Seconds to answer a request, by pool."),
    "touchstone_jobs_ended_total": Family("counter", "Attempts at jobs that ended here, by kind and state."),
    "touchstone_job_seconds": Family("histogram", "Seconds of an attempt at a job, by kind."),
}
# Read from the database: the same wherever it is asked.
READ = {
    "touchstone_judgments_total": Family("counter", "Judgments stored, those of imports among them (highest key)."),
    "touchstone_jobs": Family("gauge", "Jobs that wait or run, by kind and state."),
    "touchstone_queue_seconds": Family("gauge", "Seconds that the oldest waiting job has waited; 0 where none waits."),
    "touchstone_card_leases": Family("gauge", "Cards that people hold, by whether the lease is live or has lapsed."),
    "touchstone_job_leases": Family("gauge", "Jobs that workers hold, by whether the lease is live or has lapsed."),
}
# Of this machine.
HERE = {
    "touchstone_ready": Family("gauge", "Whether a check of /readyz finds nothing wrong (1) or does (0)."),
    "touchstone_clock_ahead_seconds": Family("gauge", "Seconds by which the clock is ahead of the database's."),
    "touchstone_info": Family("gauge", "1, with the version that runs."),
}
FAMILIES = COUNTED | READ | HERE


@require_safe
def monitored(request: HttpRequest) -> HttpResponse:
    """404 unless TOUCHSTONE_MONITOR_TOKEN is set, 401 without it; of a database that is away only what is here."""
    token = settings.TOUCHSTONE_MONITOR_TOKEN
    if not token:
        raise Http404
    if not constant_time_compare(request.headers.get("Authorization", ""), f"Bearer {token}"):
        return HttpResponse("The token is wrong.\n", status=401, headers={"WWW-Authenticate": "Bearer"})
    answer = HttpResponse("".join(_lines()), content_type="text/plain; version=0.0.4; charset=utf-8")
    answer.headers["Cache-Control"] = "no-store"
    return answer


def count_request(path_pool: str, status: int, seconds: float) -> None:
    if not settings.TOUCHSTONE_MONITOR_TOKEN:
        return
    counters.add("touchstone_requests_total", pool=path_pool, status=f"{status // 100}xx")
    counters.observe("touchstone_request_seconds", seconds, bounds=REQUEST_BOUNDS, pool=path_pool)


def _lines() -> Iterator[str]:
    samples = _counted()
    for name, values in (*_here(), *_read()):
        samples.setdefault(name, []).extend((name, tags, value) for tags, value in values)
    for name, family in FAMILIES.items():
        yield f"# HELP {name} {family.help}\n# TYPE {name} {family.type}\n"
        for full_name, tags, value in samples.get(name, []):
            yield f"{full_name}{_braces(tags)} {value:.12g}\n"


def _braces(tags: Tags) -> str:
    inside = ",".join(f'{name}="{_escaped(value)}"' for name, value in tags)
    return f"{{{inside}}}" if inside else ""


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _counted() -> dict[str, list[tuple[str, Tags, float]]]:
    """Samples by family; the buckets of a histogram in the order of their bounds."""
    families: dict[str, list[tuple[str, Tags, float]]] = {}
    for (name, tags), value in sorted(counters.totals().items(), key=lambda each: _order(*each[0])):
        family = name if name in COUNTED else name.rpartition("_")[0]
        families.setdefault(family, []).append((name, tags, value))
    return families


def _order(name: str, tags: Tags) -> tuple[str, Tags, float]:
    bound = dict(tags).get("le", "+Inf")
    return name, tuple(each for each in tags if each[0] != "le"), float(bound)


def _here() -> Iterator[tuple[str, Iterable[Sample]]]:
    yield "touchstone_info", [((("version", __version__),), 1)]
    outcomes = {name: outcome_of(check)[0] for name, check in CHECKS.items()}
    yield "touchstone_ready", [((("check", name),), float(words == "ok")) for name, words in outcomes.items()]


def _read() -> list[tuple[str, Iterable[Sample]]]:
    try:
        return [*_queue(), *_leases()]
    except DatabaseError:
        return []  # touchstone_ready says so


def _queue() -> Iterator[tuple[str, Iterable[Sample]]]:
    live = Job.objects.filter(state__in=[Job.State.QUEUED, Job.State.RUNNING]).order_by()
    rows = live.values_list("kind", "state").annotate(Count("pk"))
    yield "touchstone_jobs", [((("kind", kind), ("state", state)), n) for kind, state, n in sorted(rows)]
    oldest = live.filter(state=Job.State.QUEUED).aggregate(at=Min("created_at"))["at"]
    waited = clock.now() - oldest if oldest else timedelta(0)
    yield "touchstone_queue_seconds", [((), max(0.0, waited.total_seconds()))]
    highest = Judgment.objects.order_by("-pk").values_list("pk", flat=True).first()
    yield "touchstone_judgments_total", [((), highest or 0)]
    yield "touchstone_clock_ahead_seconds", [((), lead_of_clock().total_seconds())]


def _leases() -> Iterator[tuple[str, Iterable[Sample]]]:
    lapsed = Count("pk", filter=Q(lease_until__lt=clock.now()))
    for name, rows in (
        ("touchstone_card_leases", Slot.objects.filter(state=Slot.State.LEASED)),
        ("touchstone_job_leases", Job.objects.filter(state=Job.State.RUNNING)),
    ):
        numbers = rows.aggregate(n=Count("pk"), n_lapsed=lapsed)
        n_live = numbers["n"] - numbers["n_lapsed"]
        yield name, [((("lease", "live"),), n_live), ((("lease", "lapsed"),), numbers["n_lapsed"])]
