"""What the worker keeps: each series is measured when it is due, and a moment that passed without is said as missed."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.text import capfirst

from annotation.formats.problems import FormatError
from annotation.kernel.jobs import LIVE, JobRefusedError, JobRun, enqueue
from annotation.models import Job, User
from evaluation.models import Series, SeriesPoint
from evaluation.series.read.due import due_until, is_late, next_due
from evaluation.series.read.series import last_point
from evaluation.series.steps.making import SeriesError
from evaluation.series.steps.measuring import Measured, MeasuringError, measure_series
from evaluation.series.steps.points import NewPoint, add_points, locked

JOB = "measure_series"
NO_WORKER = "No worker looked at it then."
NO_POINT = "No point came."
STILL_WAITED = "The measurement before it was still waiting."
CANCELLED = "The measurement was cancelled."
LONGEST = 500  # characters of a reason
BEFORE = timedelta(microseconds=1)


def sweep_series() -> int:
    """Queue what is due, and note what was missed; of how many series. For the worker, now and then."""
    _note_lost()
    due = Series.objects.filter(next_due__lte=timezone.now()).values_list("pk", flat=True)
    return sum(_see_to(pk) for pk in list(due))


def ask_measurement(series: Series, *, created_by: User | None) -> Job:
    """Measure it now, in a job. Raises `SeriesError` where that is not for us to do, or under way."""
    with transaction.atomic():
        check_measurable(locked(series))
        return enqueue(JOB, collection=series.collection, created_by=created_by, series=series.pk, about=series.name)


def check_measurable(series: Series) -> None:
    """Raises `SeriesError`: it has ended, its points come from outside, or it is being measured."""
    if series.ended_at:
        raise SeriesError("The series has ended.")
    if series.kind == Series.Kind.OUTSIDE:
        raise SeriesError("The points of this series come from outside.")
    if _is_under_way(series):
        raise SeriesError("It is being measured.")


def measure_in_job(run: JobRun) -> dict[str, object]:
    """The job: the point and that the job is done are one transaction, so that no crash measures twice.

    No point comes where it would rest on just what the last one rests on: the same thing would count twice.
    """
    series = Series.objects.filter(pk=run.job.payload["series"]).select_related("collection").first()
    if series is None or series.ended_at:
        raise JobRefusedError("The series has ended.")
    due = run.job.payload.get("due")
    run.report(done=0, total=1, message=f"measuring {series.name}")
    try:
        if _is_past(run.job.payload):
            raise MeasuringError("The job waited too long.")
        return _keep(run, series, _measured(series))
    except (MeasuringError, SeriesError) as reason:
        return _fail(run, series, str(reason), due)
    except FormatError as error:
        return _fail(run, series, f"{capfirst(error.problems[0].reason)}.", due)


def _measured(series: Series) -> Measured:
    try:
        return measure_series(series)
    except OSError as fault:
        raise MeasuringError(f"A file cannot be read: {fault.strerror or type(fault).__name__}.") from fault


def _keep(run: JobRun, series: Series, measured: Measured) -> dict[str, object]:
    with transaction.atomic():
        run.fence()
        newest = last_point(locked(series))
        if newest is not None and newest.key == measured.key:
            words = f"Nothing new: {measured.rests_on}, as the last point."
            Series.objects.filter(pk=series.pk).update(looked=_with_time(words))
            run.finish({"series": series.name, "words": words})
            return {}
        added = add_points(
            series, [NewPoint(timezone.now(), **vars(measured))], source=SeriesPoint.Source.SCHEDULE, actor=None
        )
        Series.objects.filter(pk=series.pk).update(looked="")
        run.finish({"series": series.name, "value": measured.value, "alert": added.alert is not None})
    return {}


def _fail(run: JobRun, series: Series, reason: str, due: str | None) -> dict[str, object]:
    """Of a moment of the schedule it is noted; asked for by hand, the job alone says so."""
    if due is None:
        raise JobRefusedError(reason)
    with transaction.atomic():
        run.fence()
        _miss(series, [datetime.fromisoformat(due)], reason)
        run.finish({"series": series.name, "words": reason})
    return {}


def _note_lost() -> None:
    """Moments of the schedule whose job ended before it could say anything of them. A point, or why there is none,
    is one transaction with that the job is done."""
    ended = Job.objects.filter(kind=JOB, state__in=(Job.State.FAILED, Job.State.CANCELLED), payload__due__isnull=False)
    lost = [(job.payload["series"], datetime.fromisoformat(job.payload["due"]), job) for job in ended]
    misses = SeriesPoint.objects.filter(series__in={pk for pk, _, _ in lost}, value__isnull=True)
    moments = set(misses.filter(time__in={due for _, due, _ in lost}).values_list("series", "time")) if lost else set()
    for pk, due, job in lost:
        if (pk, due) not in moments:
            _note_one_lost(pk, due, f"The measurement failed: {job.error}" if job.error else CANCELLED)


@transaction.atomic
def _note_one_lost(pk: int, due: datetime, reason: str) -> None:
    series = Series.objects.select_for_update(no_key=True, of=("self",)).get(pk=pk)
    if series.ended_at is None and not series.points.filter(value__isnull=True, time=due).exists():
        _miss(series, [due], reason[:LONGEST])


@transaction.atomic
def _see_to(pk: int) -> bool:
    now = timezone.now()
    series = Series.objects.select_for_update(no_key=True, of=("self",)).select_related("collection").get(pk=pk)
    if series.next_due is None or series.next_due > now:
        return False
    moments, following = due_until(series.schedule, series.hour, series.zone, series.next_due, now)
    Series.objects.filter(pk=pk).update(next_due=following)
    if series.kind == Series.Kind.OUTSIDE:
        _miss(series, [due for due in moments if not _has_point_before(series, due)], NO_POINT)
        return True
    *before, last = moments
    missed = {True: NO_WORKER, False: STILL_WAITED}
    is_past = is_late(last, following, now)
    is_asked = not is_past and not _is_under_way(series)
    _miss(series, before, NO_WORKER)
    if is_asked:
        due = {"due": last.isoformat(), "following": following.isoformat()}
        enqueue(JOB, collection=series.collection, created_by=None, series=pk, **due)
    else:
        _miss(series, [last], missed[is_past])
    return True


def _miss(series: Series, moments: list[datetime], reason: str) -> None:
    """One row for all of them, at the last one; those at which there is a point were not missed."""
    there = set(
        SeriesPoint.objects.filter(series=series, value__isnull=False, time__in=moments).values_list("time", flat=True)
    )
    if missed := [due for due in moments if due not in there]:
        SeriesPoint.objects.create(
            series=series,
            time=missed[-1],
            n_missed=len(missed),
            reason=reason,
            source=SeriesPoint.Source.SCHEDULE,
        )


def _has_point_before(series: Series, due: datetime) -> bool:
    """Whether a point from outside came in the period that ended then, its end included and its beginning not."""
    points = SeriesPoint.objects.filter(series=series, value__isnull=False, time__lte=due)
    last = points.order_by("-time").first()
    return last is not None and next_due(series.schedule, series.hour, series.zone, last.time - BEFORE) >= due


def _is_past(payload: Mapping[str, str]) -> bool:
    """By the schedule that queued the job: the series may have another one since, or none. Asked for by hand, never."""
    if "following" not in payload:
        return False
    due, following = (datetime.fromisoformat(payload[name]) for name in ("due", "following"))
    return is_late(due, following, timezone.now())


def _is_under_way(series: Series) -> bool:
    jobs = Job.objects.filter(kind=JOB, collection=series.collection_id, state__in=LIVE)
    return jobs.filter(payload__series=series.pk).exists()


def _with_time(words: str) -> str:
    return f"{timezone.now():%Y-%m-%d %H:%M}: {words}"
