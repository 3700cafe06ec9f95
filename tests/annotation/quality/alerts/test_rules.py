"""Each rule: what it finds, what it leaves alone, in which words, and when an alert comes back."""

from dataclasses import replace
from datetime import date, timedelta, timezone

import numpy as np
import pytest

from annotation.quality.alerts import RULES, THRESHOLDS, Alert, alert_settings_of, is_worse
from annotation.quality.alerts.accuracy import inaccurate_people
from annotation.quality.alerts.agreement import falling_agreement
from annotation.quality.alerts.cannot_judge import topics_hard_to_judge
from annotation.quality.alerts.due import late_batch, lateness
from annotation.quality.alerts.gold_supply import people_short_of_gold
from annotation.quality.alerts.racing import EARLY, racing_people
from annotation.quality.alerts.silence import silent_batch
from annotation.quality.over_time import AgreementOverTime, AgreementPoint
from annotation.quality.settings import SettingError
from tests.annotation.quality.alerts.figures import NOW, accuracy_of, batch_figures, pace_of

USUAL = alert_settings_of({})


def test_who_is_below_the_threshold_with_gold_enough() -> None:
    """Amber is above, Birch has too little gold, Cedar may have had bad luck, Dune has not."""
    alerts = inaccurate_people(batch_figures(accuracy=accuracy_of([9, 0, 6, 10], [10, 9, 10, 40])), USUAL)
    assert [(each.rule, each.about, round(each.level, 6)) for each in alerts] == [
        ("accuracy", "Cedar", 0.1),
        ("accuracy", "Dune", 0.45),
    ]
    assert alerts[0].text == "Right on 6 of 10 gold pairs (60 %): below 70 %, though so little gold may be bad luck."
    assert alerts[1].text == "Right on 10 of 40 gold pairs (25 %): below 70 %, and not by bad luck alone."


def test_exactly_at_the_threshold_and_who_is_not_here_are_left_alone() -> None:
    wrong = batch_figures(accuracy=accuracy_of([7, 0, 0, 0], [10, 0, 0, 20]), started=np.zeros(4, dtype=np.bool_))
    assert inaccurate_people(wrong, USUAL) == []
    assert inaccurate_people(batch_figures(accuracy=accuracy_of([7, 0, 0, 0], [10, 0, 0, 0])), USUAL) == []


def test_three_reasons_to_say_that_somebody_races() -> None:
    pace = pace_of([100, 100, 100, 19], [0.02, 0.1, 0.0, 1.0], [0.1, -1.0, -3.5, -9.0])
    alerts = racing_people(batch_figures(pace=pace, early=np.array([0.25, 0.19, np.nan, 1.0])), USUAL)
    assert [(each.about, each.level) for each in alerts] == [("Amber", 0.25), ("Birch", 0.19), ("Cedar", 0.0)]
    assert alerts[0].text == "25 % of the judgments came before the minimum time."
    assert alerts[1].text == "10 % took less than 1.5 s, far faster than people usually are."
    assert alerts[2].text == "The pace as a whole is far faster than everybody else’s."


def test_who_cannot_reach_ten_gold() -> None:
    figures = batch_figures(accuracy=accuracy_of([0, 0, 0, 0], [10, 4, 1, 0]), n_gold_ahead=np.array([0, 6, 5, 0]))
    alerts = people_short_of_gold(figures, USUAL)
    assert [(each.about, each.level) for each in alerts] == [("Cedar", 4.0), ("Dune", 10.0)]
    assert alerts[0].text.startswith("1 gold pair judged, 5 still to come in this batch: short of the 10")
    assert people_short_of_gold(replace(figures, has_gold=False), USUAL) == []


@pytest.mark.parametrize(
    ("hours", "n_left", "texts"),
    [
        (23.9, 5, []),
        (24, 5, ["Nobody has judged for 24 hours, and 5 judgments are still wanted."]),
        (24, 1, ["Nobody has judged for 24 hours, and 1 judgment is still wanted."]),
        (72, 5, ["Nobody has judged for 3 days, and 5 judgments are still wanted."]),
        (72, 0, []),
    ],
)
def test_a_batch_in_which_nobody_judges(hours: float, n_left: int, texts: list[str]) -> None:
    figures = batch_figures(last=NOW - timedelta(hours=hours), n_left=n_left)
    assert [each.text for each in silent_batch(figures, USUAL)] == texts
    assert silent_batch(replace(figures, is_open=False), USUAL) == []
    assert silent_batch(replace(figures, last=None), USUAL) == []


def test_a_later_silence_is_an_alert_of_its_own() -> None:
    moments = [(NOW + timedelta(days=n), NOW + timedelta(days=n + 3)) for n in (0, 9)]
    first, second = (silent_batch(batch_figures(last=last, now=now, n_left=5), USUAL)[0] for last, now in moments)
    assert first.about == "2026-03-05 12:00"
    assert first.about != second.about


@pytest.mark.parametrize(
    ("due", "ends_in", "word", "n_days"),
    [
        (-2, None, "overdue", 2),
        (-2, 3, "overdue", 5),
        (0, None, "", 0),
        (0, 0.4, "on time", 0),
        (0, 0.6, "behind", 1),
        (4, 6.0, "behind", 2),
        (4, 1.0, "on time", -3),
    ],
)
def test_a_batch_beside_the_day_it_is_due(due: int, ends_in: float | None, word: str, n_days: int) -> None:
    """`due` and `ends_in`: days from now, which is noon."""
    day, end = (NOW + timedelta(days=due)).date(), None if ends_in is None else NOW + timedelta(days=ends_in)
    standing = lateness(day, now=NOW, end=end, n_left=5)
    east = timezone(timedelta(hours=13))
    assert standing == lateness(day, now=NOW.astimezone(east), end=end and end.astimezone(east), n_left=5)
    assert (standing.word, standing.n_days) == (word, n_days)
    alerts = [(each.about, each.level) for each in late_batch(batch_figures(due=day, end=end), USUAL)]
    assert alerts == ([(day.isoformat(), n_days)] if word in {"overdue", "behind"} else [])


def test_no_day_and_no_work_left_make_no_alert() -> None:
    assert late_batch(batch_figures(end=NOW), USUAL) == []
    assert late_batch(batch_figures(due=date(2026, 3, 1), n_left=0), USUAL) == []
    assert lateness(date(2026, 3, 1), now=NOW, end=None, n_left=0).word == "done"


def test_topics_that_people_could_not_judge() -> None:
    topics = [("1", 30, 3), ("2", 31, 3), ("3", 4, 2), ("4", 3, 3)]
    assert topics_hard_to_judge(batch_figures(topics=topics), USUAL) == [
        Alert("cannot", "1", 0.1, "On 3 of 30 cards (10 %) people said that they cannot judge."),
        Alert("cannot", "4", 1.0, "On 3 of 3 cards (100 %) people said that they cannot judge."),
    ]


def point(value: float | None, low: float | None, high: float | None) -> AgreementPoint:
    return AgreementPoint(0, 1, 50, value, low, high, "" if value is not None else "alike")


@pytest.mark.parametrize(
    ("before", "last", "levels"),
    [
        (point(0.8, 0.7, 0.9), point(0.5, 0.4, 0.69), [0.3]),
        (point(0.8, 0.7, 0.9), point(0.5, 0.4, 0.7), []),  # they touch
        (point(0.5, 0.4, 0.6), point(0.8, 0.7, 0.9), []),  # it rose
        (point(0.8, 0.7, 0.9), point(None, None, None), []),
        (point(0.8, None, None), point(0.1, 0.0, 0.2), []),
        (None, point(0.1, 0.0, 0.2), []),
    ],
)
def test_agreement_falls_where_the_intervals_part(
    before: AgreementPoint | None, last: AgreementPoint, levels: list[float]
) -> None:
    alerts = falling_agreement(batch_figures(agreement=AgreementOverTime([last], [last], before)), USUAL)
    assert [round(each.level, 6) for each in alerts] == levels


def test_what_was_set_aside_comes_back_once_it_is_worse() -> None:
    alert = Alert("accuracy", "Amber", 0.25, "")
    assert [is_worse(alert, level) for level in (0.25, 0.21, 0.2, 0.1)] == [False, False, True, True]
    assert not is_worse(Alert("gold", "Amber", 4, ""), 4)
    assert is_worse(Alert("gold", "Amber", 5, ""), 4)


def test_thresholds_as_they_are_stored() -> None:
    assert USUAL.values == {
        "pairs": 50,
        "accuracy": 0.7,
        "golds": 10,
        "early": 0.2,
        "hasty": 0.1,
        "quiet_hours": 24.0,
        "cannot": 0.1,
    }
    assert alert_settings_of({"quiet_hours": 48, "early": 0.5})[EARLY] == 0.5
    for stored in ({"nonsense": 1}, {"pairs": 50.5}, {"early": "0.2"}, {"golds": True}):
        with pytest.raises(SettingError):
            alert_settings_of(stored)


def test_what_an_alert_is_about_is_named_as_a_sentence_says_it() -> None:
    about = {"due": "2030-12-04", "silence": "2030-12-04 09:05", "cannot": "103", "accuracy": "Amber"}
    assert [RULES[rule].named(key) for rule, key in about.items()] == [
        "due 4 December 2030",
        "since 4 December 2030, 09:05 UTC",
        "topic 103",
        "Amber",
    ]


@pytest.mark.parametrize("name", THRESHOLDS)
def test_thresholds_have_limits(name: str) -> None:
    lowest, highest = THRESHOLDS[name].lowest, THRESHOLDS[name].highest
    for value in (type(THRESHOLDS[name].default)(lowest / 2), highest * 2):
        with pytest.raises(SettingError) as error:
            alert_settings_of({name: value})
        assert error.value.field == name
