"""A series is edited: what changes, what stays, and what is found anew."""

from typing import Any

import pytest

from annotation.models import AuditEvent
from evaluation.engine.drift.paths import first_above
from evaluation.engine.drift.rule import baseline_of, path_of
from evaluation.models import Series
from evaluation.series.steps import points as steps
from tests.annotation.callers import caller
from tests.annotation.roles import RESEARCH_ONLY, make_people
from tests.commands import ran
from tests.evaluation.series.asking import ASKED, address, begun, page_of, send
from tests.evaluation.series.made import BEGIN, VALUE

pytestmark = pytest.mark.django_db


def test_a_series_is_edited_by_every_door() -> None:
    """Name and schedule; what is left out stays. A rule that is named has its usual numbers but those named."""
    people = make_people()
    series = begun(people, schedule="daily", hour=4)
    client = caller(people.researcher)
    one = address("api_series", series.pk)
    answer = client.patch(one, {"name": "every night", "schedule": "weekly"}, content_type="application/json")
    assert (answer.status_code, answer.json()["name"]) == (200, "every night")
    series.refresh_from_db()
    assert (series.schedule, series.hour, series.n_history, series.bad) == ("weekly", 4, 30, "down")
    assert series.next_due is not None
    assert (series.next_due.weekday(), series.next_due.hour) == (0, 4)
    assert AuditEvent.objects.get(verb="series edited").detail["what"] == (
        "name: nightly → every night; schedule: daily → weekly"
    )
    begun(people)
    for sent, reason in (
        ({"name": "nightly"}, "already has"),
        ({"horizon": 0}, "or equal to 1"),
        ({"low": 1}, "alone"),
    ):
        refused = client.patch(one, sent, content_type="application/json")
        assert (refused.status_code, reason in str(refused.json())) == (400, True), sent
    assert ran("series", "edit", "bees", "every night", "--schedule", "none", "--dry-run").out.startswith(
        "would be changed"
    )
    assert ran("series", "edit", "bees", "every night", "--schedule", "none", "--json").facts == {
        "name": "every night",
        "changed": True,
    }
    series.refresh_from_db()
    assert not series.schedule
    assert series.next_due is None
    again = ran("series", "edit", "bees", "every night", "--schedule", "none")
    assert again.out.strip() == "nothing to change: every night"
    form = page_of(people, series, "edit").context["form"]
    assert (form["name"].value(), form["n_history"].value(), form["bad"].value()) == ("every night", 30, "down")
    entered = {name: form[name].value() for name in form.fields if form[name].value() is not None}
    page = page_of(people, series, "edit", **{**entered, "description": "Of the crawl", "block": "2"})
    assert ("The series is changed." in page.text, "Of the crawl" in page.text) == (True, True)
    assert page_of(people, series, "edit", **{**entered, "name": ""}).status_code == 422
    series.refresh_from_db()
    assert (series.block, series.notes.get().text) == (2, "Another rule. block: 1 → 2.")
    assert people.statuses(f"/c/bees/series/{series.pk}/edit") == RESEARCH_ONLY
    client.patch(one, {"rule": "limits", "low": 0.4}, content_type="application/json")
    client.patch(one, {"rule": "cusum", "horizon": 20}, content_type="application/json")
    series.refresh_from_db()
    assert (series.low, series.horizon, series.n_history, series.block) == (None, 20, 30, 1)


@pytest.mark.parametrize(
    "changed", [{"horizon": 100}, {"n_history": 40}, {"rule": "limits", "low": 0.1}, {"history_from": BEGIN}]
)
def test_thresholds_of_a_rule_that_was_edited_meanwhile_are_not_kept(
    changed: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The edit lies between the drawing of thresholds and their storing; whoever edits settles the series next."""
    people = make_people()
    series = begun(people)

    def drawn_slowly(*args: Any, **kwargs: Any) -> Any:
        drawn = baseline_of(*args, **kwargs)
        Series.objects.filter(pk=series.pk).update(**changed)
        return drawn

    monkeypatch.setattr(steps, "baseline_of", drawn_slowly)
    send(caller(people.researcher), series, slice(35))
    series.refresh_from_db()
    assert series.baseline is None
    monkeypatch.undo()
    steps.settle(series)
    series.refresh_from_db()
    expected = baseline_of(VALUE[:30], method="cusum", bad="down", horizon=series.horizon, rate=0.05)
    is_due = series.rule == "cusum" and series.n_history == 30
    assert series.baseline == (expected.to_facts() if is_due else None)


def test_another_rule_finds_anew_what_is_usual_and_looks_at_all_points_since() -> None:
    people = make_people()
    series = begun(people, rule="limits", low=0.1)
    client = caller(people.researcher)
    one = address("api_series", series.pk)
    assert send(client, series).json()["state"] == "usual"
    ruled = client.patch(one, {"rule": "cusum", "bad": "down", "n_history": 30}, content_type="application/json").json()
    expected = baseline_of(VALUE[:30], method="cusum", bad="down", horizon=30, rate=0.05)
    at = first_above(path_of(expected, VALUE[30:]), expected.threshold)
    assert at is not None
    assert (ruled["state"], ruled["baseline"]["threshold"]) == ("alert", expected.threshold)
    assert ruled["alerts"][0]["value"] == VALUE[30 + at]
    refusal = client.patch(one, {"horizon": 40}, content_type="application/json")
    assert (refusal.status_code, "close it first" in refusal.json()["detail"]) == (409, True)
    assert client.patch(one, {"description": "Of the crawl"}, content_type="application/json").status_code == 200
    assert "close it first" in page_of(people, series, "edit", **{**ASKED, "rule": "cusum", "horizon": 40}).text
    client.post(address("api_series_close", series.pk), {"note": "Seen"}, content_type="application/json")
    longer = client.patch(one, {"horizon": 100}, content_type="application/json").json()
    assert longer["baseline"]["threshold"] > expected.threshold
    client.post(address("api_series_end", series.pk))
    assert client.patch(one, {"name": "over"}, content_type="application/json").status_code == 409
    assert "has ended" in ran("series", "edit", "bees", "nightly", "--name", "over").err
