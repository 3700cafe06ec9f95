"""Each rule: what it finds, what it leaves alone, in which words, and when an alert comes back."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from annotation.quality.accuracy import Accuracy
from annotation.quality.alerts import (
    Alert,
    AlertSettings,
    falling_agreement,
    inaccurate_people,
    is_worse,
    people_short_of_gold,
    racing_people,
    silent_batch,
    topics_hard_to_judge,
)
from annotation.quality.annotators.figure import Figures
from annotation.quality.annotators.pace import Pace
from annotation.quality.over_time import AgreementOverTime, AgreementPoint
from annotation.quality.settings import SettingError
from annotation.quality.wilson import wilson_interval

USUAL = AlertSettings()
PEOPLE = ("Amber", "Birch", "Cedar", "Dune")
ALL = np.ones(4, dtype=np.bool_)
NOW = datetime(2026, 3, 5, 12, tzinfo=UTC)


def accuracy(right: list[int], gold: list[int]) -> Accuracy:
    k, n = np.array(right), np.array(gold)
    interval = wilson_interval(k, n)
    share = np.where(n > 0, k / np.maximum(n, 1), np.nan)
    return Accuracy(n, k, share, interval.low, interval.high)


def test_who_is_below_the_threshold_with_gold_enough() -> None:
    """Amber is above, Birch has too little gold, Cedar may have had bad luck, Dune has not."""
    found = inaccurate_people(accuracy([9, 0, 6, 10], [10, 9, 10, 40]), PEOPLE, ALL, USUAL)
    assert [(each.rule, each.about, round(each.level, 6)) for each in found] == [
        ("accuracy", "Cedar", 0.1),
        ("accuracy", "Dune", 0.45),
    ]
    assert found[0].text == "Right on 6 of 10 gold pairs (60 %): below 70 %, though so little gold may be bad luck."
    assert found[1].text == "Right on 10 of 40 gold pairs (25 %): below 70 %, and not by bad luck alone."


def test_exactly_at_the_threshold_and_who_is_not_here_are_left_alone() -> None:
    assert inaccurate_people(accuracy([7, 0, 0, 0], [10, 0, 0, 20]), PEOPLE, ALL & False, USUAL) == []
    assert inaccurate_people(accuracy([7, 0, 0, 0], [10, 0, 0, 0]), PEOPLE, ALL, USUAL) == []


def pace(n: list[int], hasty: list[float], beside: list[float]) -> Pace:
    none, counts = np.full(4, np.nan), np.array(n)
    shares = [Figures(np.array(values), counts, none, none, "timed answers") for values in (none, beside, hasty)]
    return Pace(shares[0], shares[1], shares[2], 1500.0, (9.0, 0.5))


def test_three_reasons_to_say_that_somebody_races() -> None:
    usual = pace([100, 100, 100, 19], [0.02, 0.1, 0.0, 1.0], [0.1, -1.0, -3.5, -9.0])
    found = racing_people(usual, np.array([0.25, 0.19, np.nan, 1.0]), PEOPLE, ALL, USUAL)
    assert [(each.about, each.level) for each in found] == [("Amber", 0.25), ("Birch", 0.19), ("Cedar", 0.0)]
    assert found[0].text == "25 % of the judgments came before the minimum time."
    assert found[1].text == "10 % took less than 1.5 s, far faster than people usually are."
    assert found[2].text == "The pace as a whole is far faster than everybody else’s."


def test_who_cannot_reach_ten_gold() -> None:
    found = people_short_of_gold(np.array([10, 4, 1, 0]), np.array([0, 6, 5, 0]), PEOPLE, ALL, USUAL)
    assert [(each.about, each.level) for each in found] == [("Cedar", 4.0), ("Dune", 10.0)]
    assert found[0].text.startswith("1 gold pair judged, 5 still to come in this batch: short of the 10")


@pytest.mark.parametrize(
    ("hours", "n_left", "said"),
    [
        (23.9, 5, []),
        (24, 5, ["Nobody has judged for 24 hours, and 5 judgments are still wanted."]),
        (24, 1, ["Nobody has judged for 24 hours, and 1 judgment is still wanted."]),
        (72, 5, ["Nobody has judged for 3 days, and 5 judgments are still wanted."]),
        (72, 0, []),
    ],
)
def test_a_batch_in_which_nobody_judges(hours: float, n_left: int, said: list[str]) -> None:
    found = silent_batch(NOW - timedelta(hours=hours), NOW, n_left, USUAL)
    assert [each.text for each in found] == said
    assert silent_batch(None, NOW, n_left, USUAL) == []


def test_a_later_silence_is_an_alert_of_its_own() -> None:
    first, second = (silent_batch(NOW + timedelta(days=n), NOW + timedelta(days=n + 3), 5, USUAL)[0] for n in (0, 9))
    assert first.about == "2026-03-05 12:00"
    assert first.about != second.about


def test_topics_that_people_could_not_judge() -> None:
    topics = [("1", 30, 3), ("2", 31, 3), ("3", 4, 2), ("4", 3, 3)]
    assert topics_hard_to_judge(topics, USUAL) == [
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
    found = falling_agreement(AgreementOverTime([last], [last], before))
    assert [round(each.level, 6) for each in found] == levels


def test_what_was_set_aside_comes_back_once_it_is_worse() -> None:
    alert = Alert("accuracy", "Amber", 0.25, "")
    assert [is_worse(alert, level) for level in (0.25, 0.21, 0.2, 0.1)] == [False, False, True, True]
    assert not is_worse(Alert("gold", "Amber", 4, ""), 4)
    assert is_worse(Alert("gold", "Amber", 5, ""), 4)


def test_thresholds_as_they_are_stored() -> None:
    assert AlertSettings.of({}) == USUAL
    assert AlertSettings.of({"quiet_hours": 48, "early": 0.5}).early == 0.5
    for told in ({"nonsense": 1}, {"pairs": 50.5}, {"early": "0.2"}, {"golds": True}):
        with pytest.raises(SettingError):
            AlertSettings.of(told)


@pytest.mark.parametrize("name", AlertSettings.LIMITS)
def test_thresholds_have_limits(name: str) -> None:
    for value in (AlertSettings.LIMITS[name][0] / 2, AlertSettings.LIMITS[name][1] * 2):
        with pytest.raises(SettingError) as refused:
            AlertSettings(**{name: value})  # type: ignore[arg-type]
        assert refused.value.field == name
