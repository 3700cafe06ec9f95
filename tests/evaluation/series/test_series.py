"""A series from its first point to an alert and beyond: by page, API and command the same numbers."""

import csv
import io
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from annotation.kernel.plots.curves import LETTER
from annotation.models import AuditEvent
from evaluation.engine.drift.paths import first_above
from evaluation.engine.drift.rule import baseline_of, path_of
from evaluation.models import Series, SeriesAlert, SeriesPoint
from evaluation.series.pages.plot import LEFT, RIGHT, WIDTH
from evaluation.series.pages.time_axis import time_axis, time_ticks
from evaluation.series.read import changes
from evaluation.series.steps.points import NewPoint, add_points
from tests.annotation.callers import RESEARCH, caller, statuses
from tests.annotation.roles import RESEARCH_ONLY, make_people
from tests.commands import ran
from tests.evaluation.series.asking import ASKED, address, begun, page_of, points, send
from tests.evaluation.series.made import BEGIN, VALUE

pytestmark = pytest.mark.django_db


def test_who_may() -> None:
    people = make_people()
    series = begun(people)
    for page in ("", "new", f"{series.pk}/", f"{series.pk}/points.csv"):
        assert people.statuses(f"/c/bees/series/{page}") == RESEARCH_ONLY, page
    for name, rest in (("api_series_list", ()), ("api_series", (series.pk,)), ("api_series_points", (series.pk,))):
        assert statuses(people, address(name, *rest)) == RESEARCH, name


@pytest.mark.parametrize("hours", [3, 24, 71, 72, 24 * 40, 24 * 900])
def test_names_of_moments_keep_to_the_plot(hours: int) -> None:
    end = datetime(2026, 11, 29, 12, tzinfo=UTC)
    ticks = time_ticks(time_axis(end - timedelta(hours=hours), end, start=LEFT, stop=WIDTH - RIGHT))
    halves = [(float(tick.at), LETTER * len(tick.text) / 2) for tick in ticks]
    assert all(at - half >= 0 and at + half <= WIDTH for at, half in halves)


def test_a_change_opens_an_alert_as_the_engine_has_it() -> None:
    people = make_people()
    series = begun(people)
    client = caller(people.researcher)
    first = send(client, series, slice(29)).json()
    assert (first["state"], first["baseline"]) == ("history", None)
    assert "29 of 30 points" in first["words"][0]
    usual = send(client, series, slice(29, 40)).json()
    expected = baseline_of(VALUE[:30], method="cusum", bad="down", horizon=30, rate=0.05)
    assert (usual["state"], usual["baseline"]["threshold"]) == ("usual", expected.threshold)
    alarmed = send(client, series, slice(40, None)).json()
    path = path_of(expected, VALUE[30:])
    at = first_above(path, expected.threshold)
    assert at is not None
    alert = alarmed["alerts"][0]
    assert (alarmed["state"], alert["value"], alert["level"]) == ("alert", VALUE[30 + at], path.level[at])
    assert datetime.fromisoformat(alert["since"]) == BEGIN + timedelta(days=30 + path.begins(at))
    assert AuditEvent.objects.filter(verb="series alert opened", subject="nightly").count() == 1
    page = page_of(people, series).text
    assert alarmed["words"][0] in page
    shown = ran("series", "show", "bees", "nightly", "--json")
    assert (shown.facts["words"], shown.facts["baseline"]["mean"]) == (alarmed["words"], expected.mean)
    assert [each["value"] for each in shown.facts["points"]] == VALUE.tolist()
    (task,) = people.client("researcher").get("/c/bees/").context["overview"].tasks
    assert (task.text, task.address) == ("1 alert of series is open.", f"/c/bees/series/{series.pk}/")
    assert (ran("series", "check", "bees").code, ran("series", "check", "bees", "--name", "nightly").code) == (3, 3)


def test_an_alert_is_seen_and_closed_and_the_path_begins_anew() -> None:
    people = make_people()
    series = begun(people)
    client = caller(people.researcher)
    send(client, series)
    assert "It does not say why." in page_of(people, series).text
    seen = page_of(people, series, "alert", step="see").text
    assert "researcher looks into it" in seen
    again = client.post(address("api_series_see", series.pk))
    assert (again.status_code, "already" in again.json()["detail"]) == (409, True)
    closed = page_of(people, series, "alert", note="The crawl was old")
    assert "The alert is closed" in closed.text
    assert "No point has come since the last alert was closed yet." in closed.text
    alert = SeriesAlert.objects.get()
    assert (alert.note, alert.closed_by, alert.until) == (
        "The crawl was old",
        people.researcher,
        BEGIN + timedelta(days=54),
    )
    assert (
        client.post(address("api_series_close", series.pk), {"note": "x"}, content_type="application/json").status_code
        == 409
    )
    later = {"points": [{"time": (BEGIN + timedelta(days=55 + n)).isoformat(), "value": 0.45} for n in range(3)]}
    state = client.post(address("api_series_points", series.pk), later, content_type="application/json").json()
    assert state["state"] == "usual"


def test_a_new_level_is_usual_from_where_it_began() -> None:
    people = make_people()
    series = begun(people)
    client = caller(people.researcher)
    since = send(client, series).json()["alerts"][0]["since"]
    sent = {"note": "The new model", "anew": True}
    state = client.post(address("api_series_close", series.pk), sent, content_type="application/json").json()
    series.refresh_from_db()
    assert (state["state"], series.baseline, series.history_from) == ("history", None, datetime.fromisoformat(since))


def test_points_come_once_and_in_order() -> None:
    people = make_people()
    series = begun(people)
    client = caller(people.researcher)
    key = {"Idempotency-Key": "one"}
    assert send(client, series, slice(3), **key).json() == send(client, series, slice(3), **key).json()
    assert send(client, series, slice(5)).json()["n_points"] == 5  # three were there
    late = {"points": [{"time": BEGIN.isoformat(), "value": 9}, {"time": "2100-01-01T00:00Z", "value": 1}]}
    refused = client.post(address("api_series_points", series.pk), late, content_type="application/json").json()
    assert [reason.split(" the ")[0] for reason in refused["errors"]["points"]] == ["Point 1:", "Point 2:"]
    odd = {"points": [{"value": 0.4}, {"value": 0.4, "low": 0.5}, {"value": 0.4, "high": 0.3}]}
    refused = client.post(address("api_series_points", series.pk), odd, content_type="application/json").json()
    assert [reason.split(": ")[0] for reason in refused["errors"]["points"]] == ["Point 2", "Point 3"]
    assert SeriesPoint.objects.count() == 5
    point = ran("series", "point", "bees", "nightly", "0.5", "--time", "2026-05-01")
    assert (point.code, "is not later than" in point.err) == (1, True)
    assert ran("series", "point", "bees", "nightly", "0.45", "--low", "0.5").code == 2


def test_a_file_of_points_comes_whole_or_not_at_all(tmp_path: Any) -> None:
    people = make_people()
    series = begun(people)
    lines = "".join(f"{each['time']},{each['value']},0,1\n" for each in points())
    good = f"time,value,low,high\n{lines}"
    file = tmp_path / "history.csv"
    file.write_text(f"{good}2099-01-01,1e200,,\n")
    assert "history.csv:57: the value '1e200' is not" in ran("series", "import", "bees", "nightly", str(file)).err
    assert "1e+100" in ran("series", "point", "bees", "nightly", "1e200").err
    file.write_text(f"{good}2099-01-01,0.5,0.6,0.7\n")
    assert "history.csv:57: the value 0.5 lies outside" in ran("series", "import", "bees", "nightly", str(file)).err
    file.write_text(good + f"{BEGIN.isoformat()},1,,\n2100-01-01,,,\n2100-01-02,3,,\n")
    refused = ran("series", "import", "bees", "nightly", str(file))
    assert (refused.code, "history.csv:57: the time" in refused.err, "history.csv:59: the time" in refused.err) == (
        1,
        True,
        True,
    )
    assert "lies ahead" in refused.err
    assert SeriesPoint.objects.count() == 0
    upload = io.BytesIO(good.encode())
    upload.name = "history.csv"
    assert "55 points came in." in page_of(people, series, "file", file=upload).text
    table = list(
        csv.DictReader(
            io.StringIO(page_of(people, series, "").client.get(f"/c/bees/series/{series.pk}/points.csv").text)
        )
    )
    assert [float(row["value"]) for row in table] == VALUE.tolist()
    packed = io.BytesIO(b"\x1f\x8b packed")
    packed.name = "a.gz"
    assert "A plain file of at most 2 MiB" in page_of(people, series, "file", file=packed).text


def test_limits_and_notes_and_the_end() -> None:
    people = make_people()
    added = ran("series", "add", "bees", "latency", "--rule", "limits", "--high", "120", "--json")
    assert (added.code, added.facts["rule"]) == (0, "limits")
    series = Series.objects.get()
    assert series.bad == "up"
    assert ran("series", "point", "bees", "latency", "119", "--time", "2026-05-01").code == 0
    assert ran("series", "point", "bees", "latency", "121.5", "--time", "2026-05-02").code == 3
    page = page_of(people, series).text
    assert "121.5 at 2 May 2026, 00:00 is above the limit 120." in page
    assert "A new tokenizer" in page_of(people, series, "note", text="A new tokenizer", time="2026-05-01 10:00").text
    assert "the series has ended" in page_of(people, series, "end").text.lower()
    over = ran("series", "point", "bees", "latency", "1")
    assert (over.code, "has ended" in over.err) == (1, True)


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"rule": "limits"}, "low"),
        ({"rule": "limits", "low": 2, "high": 1}, "high"),
        ({"kind": "measure", "run": "a"}, "measure"),
        ({"kind": "measure", "run": "a", "measure": "nDCG@@"}, "measure"),
        ({"kind": "gold", "run": "a"}, "non_field_errors"),
        ({"zone": "Mars/Base"}, "zone"),
        ({"zone": "/etc/passwd"}, "zone"),
        ({"block": 16}, "rule"),
        ({"low": 1}, "rule"),
        ({"name": ""}, "name"),
    ],
)
def test_what_cannot_be_watched(asked: dict[str, Any], field: str) -> None:
    people = make_people()
    answer = caller(people.researcher).post(address(), {**ASKED, **asked}, content_type="application/json")
    assert (answer.status_code, list(answer.json()["errors"])) == (400, [field])


def test_what_else_happened_stands_beside_it_and_names_no_person() -> None:
    people = make_people()
    series = begun(people)
    send(caller(people.researcher), series, slice(10))
    for verb, subject in (("guideline revised", "version 2"), ("annotator excluded", "A-ONE"), ("signed in", "lead")):
        event = AuditEvent.objects.create(collection=people.collection, verb=verb, subject=subject)
        AuditEvent.objects.filter(pk=event.pk).update(created_at=BEGIN + timedelta(days=4))
    page = page_of(people, series).text
    assert ("guideline revised: version 2" in page, "annotator excluded" in page) == (True, True)
    assert ("A-ONE" in page, "signed in" in page) == (False, False)


@pytest.mark.parametrize("n", [1, 3])
def test_the_list_takes_the_same_queries_for_one_and_three(n: int, django_assert_num_queries: Any) -> None:
    people = make_people()
    for number in range(n):
        send(caller(people.researcher), begun(people, name=f"series {number}"), slice(3))
    client = people.client("researcher")
    with django_assert_num_queries(10):
        page = client.get("/c/bees/series/")
    assert page.text.count("gathers history") == n


def test_a_long_series_draws_its_newest_points() -> None:
    people = make_people()
    series = begun(people)
    rows = [
        SeriesPoint(series=series, time=BEGIN - timedelta(hours=n), value=0.4 + n % 3 / 100, source="api")
        for n in range(450)
    ]
    SeriesPoint.objects.bulk_create(rows)
    add_points(series, [NewPoint(BEGIN + timedelta(days=1), 0.4)], source="api", actor=None)
    page = page_of(people, series).text
    assert ("51 before them are in the table alone" in page, page.count("<circle")) == (True, 400)
    assert "1–50 of 451" in page
    oldest = people.client("researcher").get(f"/c/bees/series/{series.pk}/?page=10").text
    assert ("451–451 of 451" in oldest, f"{rows[-1].time:%Y, %H:%M}" in oldest) == (True, True)


def test_an_alert_of_an_ended_series_counts_no_longer_and_can_be_closed() -> None:
    people = make_people()
    series = begun(people)
    client = caller(people.researcher)
    send(client, series)
    ended = page_of(people, series, "end").text
    assert ("An alert is open" in ended, "Close the alert" in ended) == (True, True)
    assert "of series is open" not in people.client("researcher").get("/c/bees/").text
    assert ran("series", "check", "bees").code == 0
    close = address("api_series_close", series.pk)
    anew = client.post(close, {"note": "x", "anew": True}, content_type="application/json")
    assert (anew.status_code, "no new history" in anew.json()["detail"]) == (409, True)
    assert "An alert is open" not in page_of(people, series, "alert", note="It went with the series").text
    assert SeriesAlert.objects.get().note == "It went with the series"


@pytest.mark.parametrize("year", ["0026", "1969", "2200"])
def test_a_time_is_of_our_age(year: str) -> None:
    people = make_people()
    series = begun(people)
    client = caller(people.researcher)
    time = f"{year}-05-01T02:00:00Z"
    assert "A time lies between 1970 and 2200." in page_of(people, series, "point", value="1", time=time[:10]).text
    assert "A time lies between 1970 and 2200." in page_of(people, series, "note", text="x", time=time[:10]).text
    sent: list[tuple[str, dict[str, Any]]] = [
        ("api_series_points", {"points": [{"time": time, "value": 1}]}),
        ("api_series_notes", {"time": time, "text": "x"}),
    ]
    for name, entries in sent:
        answer = client.post(address(name, series.pk), entries, content_type="application/json")
        field = "points" if "points" in entries else "time"
        assert (answer.status_code, list(answer.json()["errors"])) == (400, [field])
    assert (SeriesPoint.objects.count(), series.notes.count()) == (0, 0)


def test_of_too_many_changes_the_newest_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    people = make_people()
    series = begun(people)
    send(caller(people.researcher), series, slice(10))
    for day in range(1, 6):
        event = AuditEvent.objects.create(
            collection=people.collection, verb="guideline revised", subject=f"version {day}"
        )
        AuditEvent.objects.filter(pk=event.pk).update(created_at=BEGIN + timedelta(days=day))
    monkeypatch.setattr(changes, "MOST", 5)
    assert "there is more than is shown" not in page_of(people, series).text
    monkeypatch.setattr(changes, "MOST", 2)
    page = page_of(people, series).text
    assert [f"guideline revised: version {day}" in page for day in range(1, 6)] == [False, False, False, True, True]
    assert "what came since 5 Jun 2026, 02:00: there is more than is shown." in page


def test_a_history_that_waited_for_more_than_it_may_have_begins_later() -> None:
    people = make_people()
    series = begun(people)
    rows = [
        SeriesPoint(series=series, time=BEGIN - timedelta(hours=1200 - n), value=0.4, source="api") for n in range(1200)
    ]
    SeriesPoint.objects.bulk_create(rows)
    values = [0.5, 0.4, 0.4]
    sent = {"points": [{"time": (BEGIN + timedelta(days=n)).isoformat(), "value": v} for n, v in enumerate(values)]}
    client = caller(people.researcher)
    state = client.post(address("api_series_points", series.pk), sent, content_type="application/json")
    assert (state.status_code, state.json()["baseline"]["n_history"]) == (201, 1000)
    series.refresh_from_db()
    assert series.history_from == rows[201].time
    assert "No alarm in 2 points after the history." in page_of(people, series).text
