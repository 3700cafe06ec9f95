"""What the worker keeps: when series are due, what they measure, what was missed; a nightly series to its alert."""

import io
import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest
from django.utils import timezone

from annotation.kernel.jobs import JobRun, ask_cancel, claim_job, run_job
from annotation.kernel.store import put
from annotation.models import Collection, Delivery, Import, Job
from annotation.outgoing.steps.delivering import sweep_deliveries
from annotation.outgoing.steps.recipients import add_recipient
from evaluation.models import Series, SeriesAlert, SeriesPoint
from evaluation.series.read.due import due_until, is_late, next_due
from evaluation.series.steps import points, schedule
from evaluation.series.steps.editing import edit_series
from evaluation.series.steps.making import SeriesError, create_series
from evaluation.series.steps.measuring import Measured
from evaluation.series.steps.measuring.names import SPACE_NAMES
from evaluation.series.steps.schedule import ask_measurement, sweep_series
from tests.annotation.outgoing.receiver import Receiver, receiving
from tests.annotation.roles import make_people
from tests.commands import ran
from tests.evaluation.management.calling import called
from tests.factories import make_run, make_snapshot, make_vectors

RULE: dict[str, Any] = {"rule": "cusum", "bad": "down", "n_history": 20, "horizon": 30, "rate": 0.05}
RULE["created_by"] = None
NIGHT = datetime(2026, 3, 1, 2, tzinfo=UTC)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[datetime], None]:
    def move(moment: datetime) -> None:
        monkeypatch.setattr(timezone, "now", lambda: moment)

    return move


@pytest.fixture
def receiver(settings: Any) -> Iterator[Receiver]:
    with receiving() as there:
        settings.TOUCHSTONE_WEBHOOK_PRIVATE_HOSTS = [there.host]
        yield there


def work() -> None:
    while job := claim_job():
        run_job(job)


@pytest.mark.parametrize(
    ("schedule", "zone", "after", "due"),
    [
        ("hourly", "Asia/Kolkata", "2026-03-01T10:20", "2026-03-01T11:00"),
        ("daily", "UTC", "2026-03-01T01:59", "2026-03-01T02:00"),
        ("daily", "UTC", "2026-03-01T02:00", "2026-03-02T02:00"),
        ("daily", "Europe/Vienna", "2026-03-28T12:00", "2026-03-29T01:00"),  # 2:00 is left out: it is 3:00 there
        ("daily", "Europe/Vienna", "2026-10-24T12:00", "2026-10-25T00:00"),  # 2:00 comes twice: the first
        ("daily", "America/New_York", "2026-03-01T01:00", "2026-03-01T07:00"),
        ("weekly", "UTC", "2026-03-02T02:00", "2026-03-09T02:00"),
        ("monthly", "UTC", "2026-01-31T12:00", "2026-02-01T02:00"),
        ("monthly", "Pacific/Auckland", "2026-02-28T12:59", "2026-02-28T13:00"),
    ],
)
def test_when_a_schedule_is_due(schedule: str, zone: str, after: str, due: str) -> None:
    moments = (datetime.fromisoformat(text).replace(tzinfo=UTC) for text in (after, due))
    begin, expected = moments
    assert next_due(schedule, 2, zone, begin) == expected


def test_moments_up_to_now_and_which_are_late() -> None:
    now = NIGHT + timedelta(days=2, hours=5)
    moments, following = due_until("daily", 2, "UTC", NIGHT, now)
    assert ([day.day for day in moments], following.day) == ([1, 2, 3], 4)
    assert not is_late(moments[-1], following, now)
    assert is_late(moments[-1], following, now + timedelta(hours=2))


@pytest.mark.django_db
def test_a_nightly_series_from_its_runs_to_an_alert_and_a_webhook(
    clock: Callable[[datetime], None], receiver: Receiver
) -> None:
    """Each night a run comes in; from the thirtieth on it finds less. The worker is away for three nights."""
    people = make_people()
    add_recipient(people.collection, kind="webhook", address=receiver.address, actor=people.admin)
    numbers = [str(n) for n in range(1, 21)]
    make_snapshot(people.collection, "".join(f"{n} 0 good 1\n{n} 0 bad 0\n" for n in numbers), name="first")
    clock(NIGHT - timedelta(hours=1))
    of = {"run": "night-*", "measure": "P@1"}
    series = create_series(people.collection, name="nightly", kind="measure", of=of, schedule="daily", **RULE)
    rng = np.random.default_rng(2)
    for night in range(45):
        clock(NIGHT + timedelta(days=night, minutes=-10))
        hits = rng.random(20) < (0.8 if night < 30 else 0.45)
        documents = zip(numbers, np.where(hits, "good", "bad"), strict=True)
        make_run(people.collection, "".join(f"{n} Q0 {docno} 1 9 night-{night:02}\n" for n, docno in documents))
        if night not in (10, 11, 12):
            clock(NIGHT + timedelta(days=night, minutes=3))
            assert (sweep_series(), sweep_series()) == (1, 0)
            work()
    points = SeriesPoint.objects.filter(series=series)
    assert points.filter(value__isnull=False).count() == 42
    missed = points.get(value__isnull=True)
    assert (missed.n_missed, missed.time, missed.reason) == (
        3,
        NIGHT + timedelta(days=12),
        "No worker looked at it then.",
    )
    first = points.earliest("time")
    assert (first.time, first.rests_on) == (
        NIGHT + timedelta(minutes=3),
        "P@1 of the run night-00 against the snapshot first",
    )
    alert = SeriesAlert.objects.get(series=series)
    assert NIGHT + timedelta(days=30) < alert.point.time < NIGHT + timedelta(days=36)
    assert ran("series", "check", "bees", "--name", "nightly").code == 3
    page = people.client("researcher").get(f"/c/bees/series/{series.pk}/").text
    assert "3 missed up to then. No worker looked at it then." in page
    assert (sweep_deliveries(), len(receiver.got)) == (0, 1)
    message = json.loads(receiver.got[0][1])
    facts = message["facts"]
    assert (message["event"], facts["series"], facts["value"]) == ("series.alert", "nightly", alert.point.value)
    assert facts["words"] in page
    assert set(facts) == {
        *("series", "page", "link", "rule", "direction", "time", "value", "since", "level", "threshold", "words"),
    }
    assert Delivery.objects.get().state == "sent"


@pytest.mark.django_db
def test_what_rests_on_the_same_is_no_new_point(clock: Callable[[datetime], None]) -> None:
    people = make_people()
    make_snapshot(people.collection, "1 0 good 1\n", name="first")
    make_run(people.collection, "1 Q0 good 1 9 one\n")
    clock(NIGHT)
    series = create_series(people.collection, name="still", kind="measure", of={"run": "one", "measure": "RR"}, **RULE)
    assert ran("series", "measure", "bees", "still").code == 0
    clock(NIGHT + timedelta(days=1))
    again = ran("series", "measure", "bees", "still")
    series.refresh_from_db()
    assert (SeriesPoint.objects.count(), "Nothing new: RR of the run one" in again.out) == (1, True)
    assert series.looked.startswith("2026-03-02 02:00: Nothing new")


@pytest.mark.django_db
def test_moments_are_missed_for_a_reason_and_a_late_one_is_still_measured(clock: Callable[[datetime], None]) -> None:
    people = make_people()
    clock(NIGHT - timedelta(hours=1))
    of = {"run": "one", "measure": "RR"}
    series = create_series(people.collection, name="none", kind="measure", of=of, schedule="daily", **RULE)
    clock(NIGHT + timedelta(hours=5))  # within a quarter of a day and an hour more
    sweep_series()
    work()
    assert SeriesPoint.objects.get().reason == "There is no run one."
    clock(NIGHT + timedelta(days=1, hours=7))
    sweep_series()
    assert list(SeriesPoint.objects.values_list("reason", "n_missed")) == [
        ("There is no run one.", 1),
        ("No worker looked at it then.", 1),
    ]
    clock(NIGHT + timedelta(days=2))
    sweep_series()
    clock(NIGHT + timedelta(days=2, hours=9))
    work()
    assert SeriesPoint.objects.latest("time").reason == "The job waited too long."
    clock(NIGHT + timedelta(days=3))
    ask_measurement(series, created_by=None)
    sweep_series()
    assert SeriesPoint.objects.latest("time").reason == "The measurement before it was still waiting."
    work()
    assert Job.objects.latest("pk").error == "There is no run one."
    assert SeriesPoint.objects.filter(value__isnull=False).count() == 0


@pytest.mark.django_db
def test_a_promise_from_outside_is_kept_or_missed(clock: Callable[[datetime], None]) -> None:
    people = make_people()
    clock(NIGHT - timedelta(hours=1))
    series = create_series(people.collection, name="given", kind="outside", schedule="daily", **RULE)
    clock(NIGHT - timedelta(minutes=30))
    assert ran("series", "point", "bees", "given", "1.5").code == 0
    clock(NIGHT + timedelta(days=2, minutes=1))
    sweep_series()
    missed = SeriesPoint.objects.get(series=series, value__isnull=True)
    assert (missed.n_missed, missed.time, missed.reason) == (2, NIGHT + timedelta(days=2), "No point came.")
    late = ran("series", "point", "bees", "given", "1.6", "--time", (NIGHT + timedelta(days=1)).isoformat())
    assert late.code == 0  # it came after all; that it was missed stays said


@pytest.mark.django_db
def test_a_point_at_a_due_moment_counts_for_the_period_that_ends_there(clock: Callable[[datetime], None]) -> None:
    people = make_people()
    clock(NIGHT - timedelta(hours=1))
    series = create_series(people.collection, name="given", kind="outside", schedule="daily", **RULE)
    clock(NIGHT)
    assert ran("series", "point", "bees", "given", "1.5").code == 0
    clock(NIGHT + timedelta(days=1, minutes=1))
    sweep_series()
    assert [(each.n_missed, each.time) for each in series.points.filter(value__isnull=True)] == [
        (1, NIGHT + timedelta(days=1))
    ]


def _measured(value: float = 0.5, key: str = "one") -> Measured:
    return Measured(value, None, None, "what was measured", key)


@pytest.fixture
def nightly(clock: Callable[[datetime], None], monkeypatch: pytest.MonkeyPatch) -> Series:
    """One that is due now; what it measures is given."""
    people = make_people()
    clock(NIGHT - timedelta(hours=1))
    of = {"run": "one", "measure": "RR"}
    series = create_series(people.collection, name="own", kind="measure", of=of, schedule="daily", **RULE)
    clock(NIGHT + timedelta(minutes=1))
    monkeypatch.setattr(schedule, "measure_series", lambda _: _measured())
    return series


def reasons(series: Series) -> list[str]:
    return list(series.points.filter(value__isnull=True).values_list("reason", flat=True))


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ("file", "A file cannot be read: No such file or directory."),
        ("full", "A series has 0 points at most."),
        ("ahead", "The time 2026-03-01 02:01 is not later than 2026-03-01 02:04"),
    ],
)
def test_a_moment_at_which_no_point_could_be_kept_is_missed(
    fault: str, reason: str, nightly: Series, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unreadable(_: Series) -> Measured:
        raise FileNotFoundError(2, "No such file or directory")

    if fault == "file":
        monkeypatch.setattr(schedule, "measure_series", unreadable)
    elif fault == "full":
        monkeypatch.setattr(points, "MOST_POINTS", 0)
    else:
        SeriesPoint.objects.create(series=nightly, time=NIGHT + timedelta(minutes=4), value=1, source="schedule")
    sweep_series()
    work()
    assert [each.removesuffix(".") for each in reasons(nightly)] == [reason.removesuffix(".")]


@pytest.mark.django_db
@pytest.mark.parametrize("way", ["failed", "cancelled"])
def test_a_job_that_ended_otherwise_leaves_a_missed_moment(
    way: str, nightly: Series, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: Series) -> Measured:
        raise RuntimeError("a fault")

    monkeypatch.setattr(schedule, "measure_series", broken)
    sweep_series()
    if way == "cancelled":
        assert ask_cancel(Job.objects.get())
    work()
    assert (Job.objects.get().state, reasons(nightly)) == (way, [])
    sweep_series()
    sweep_series()
    expected = {
        "failed": "The measurement failed: RuntimeError: a fault",
        "cancelled": "The measurement was cancelled.",
    }
    assert reasons(nightly) == [expected[way]]
    assert nightly.points.get().time == NIGHT


@pytest.mark.django_db
@pytest.mark.parametrize("edited", ["", "hourly", "monthly"])
def test_a_job_that_waits_keeps_the_schedule_by_which_it_was_due(
    edited: str, nightly: Series, clock: Callable[[datetime], None]
) -> None:
    """Six hours are a quarter of a day, whatever the schedule has become meanwhile."""
    for day, reason in ((0, []), (1, ["The job waited too long."])):
        edit_series(nightly, schedule="daily", actor=None)
        clock(NIGHT + timedelta(days=day, minutes=1))
        assert sweep_series() == 1
        edit_series(nightly, schedule=edited, actor=None)
        clock(NIGHT + timedelta(days=day, hours=5 + 2 * day))
        work()
        assert (Job.objects.latest("pk").state, reasons(nightly)) == ("done", reason)
    assert nightly.points.filter(value__isnull=False).count() == 1


@pytest.mark.django_db
def test_no_point_comes_from_outside_where_a_series_measures_itself(nightly: Series) -> None:
    point = ran("series", "point", "bees", "own", "0.5")
    assert (point.code, "This series measures itself" in point.err) == (1, True)
    with pytest.raises(SeriesError, match="measures itself"):
        points.add_points(nightly, [points.NewPoint(NIGHT, 0.5)], source="api", actor=None)


@pytest.mark.django_db
def test_the_same_measurement_comes_once_however_many_measure(nightly: Series, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process keeps its point just before this one would."""
    fence = JobRun.fence

    def other_first(run: JobRun) -> None:
        fence(run)
        if not nightly.points.exists():
            SeriesPoint.objects.create(series=nightly, time=NIGHT, value=0.5, key="one", source="schedule")

    monkeypatch.setattr(JobRun, "fence", other_first)
    sweep_series()
    refused = ran("series", "measure", "bees", "own")
    assert (refused.code, "It is being measured." in refused.err) == (1, True)
    work()
    assert (nightly.points.count(), Job.objects.get().result["words"]) == (
        1,
        "Nothing new: what was measured, as the last point.",
    )


@pytest.mark.django_db
def test_every_kind_measures(clock: Callable[[datetime], None]) -> None:
    from tests.annotation.worked_campaign import make_worked

    people = make_people()
    make_worked(people.collection)
    for model, shift in (("old", 0), ("new-1", 0), ("new-2", 3)):
        make_vectors(people.collection, "documents", [f"d{n}" for n in range(20 + shift)], model=model)
    models = {"side": "documents", "reference": "old", "model": "new-*"}
    kinds: list[tuple[str, dict[str, Any], str]] = [
        ("agreement", {}, "judgments on"),
        ("gold", {}, "gold judgments"),
        *[
            (
                "vectors",
                {**models, "figure": figure},
                "of new-2 from old",
            )
            for figure in ("centroid", "energy", "mmd", "classifier", "sliced")
        ],
        *[("space", {"side": "documents", "model": "new-*", "figure": figure}, "of new-2") for figure in SPACE_NAMES],
    ]
    for n, (kind, of, words) in enumerate(kinds):
        create_series(people.collection, name=f"{kind}{n}", kind=kind, of=of, **RULE)
        ended = ran("series", "measure", "bees", f"{kind}{n}")
        assert ended.code == 0, (kind, ended.err)
        assert words in SeriesPoint.objects.latest("pk").rests_on
    create_series(people.collection, name="log", kind="queries", of={"statistic": "once"}, **RULE)
    refused = ran("series", "measure", "bees", "log")
    assert (refused.code, "No query log has come in yet." in refused.err) == (1, True)
    log = put(io.BytesIO(b"query,count\nbees,3\nwasps,1\n"))
    known = {"kind": "queries", "state": "published", "filename": "log.csv", "published_at": timezone.now()}
    Import.objects.create(collection=people.collection, sha256=log, **known)
    assert ran("series", "measure", "bees", "log").code == 0
    assert SeriesPoint.objects.latest("pk").value == 0.5
    _with_results(people.collection)
    described = json.loads(called("vectors", "describe", "bees", "new-2", "documents", "--json")[0])["figures"]
    for point in SeriesPoint.objects.filter(series__kind="space").select_related("series"):
        assert point.value == pytest.approx(float(described[point.series.of["figure"]]), rel=1e-12)
    clock(timezone.now() + timedelta(days=60))
    create_series(people.collection, name="late", kind="gold", of={"days": 7}, **RULE)
    assert "Nobody has judged gold of the last 7 days." in ran("series", "measure", "bees", "late").err
    assert Series.objects.count() == len(kinds) + 3


def _with_results(collection: Collection) -> None:
    """Of the traffic what found nothing, as `describe_recommendations` has it of the same log; not of one that does not
    say it."""
    create_series(collection, name="empty", kind="queries", of={"statistic": "zero"}, **RULE)
    assert "no column says how many results" in ran("series", "measure", "bees", "empty").err
    content = b"query,count,results\nbees,3,2\nwasps,1,0\nants,4,0\n"
    known = {"kind": "queries", "state": "published", "filename": "log.csv", "published_at": timezone.now()}
    Import.objects.create(collection=collection, sha256=put(io.BytesIO(content)), **known)
    assert ran("series", "measure", "bees", "empty").code == 0
    assert SeriesPoint.objects.latest("pk").value == 5 / 8
