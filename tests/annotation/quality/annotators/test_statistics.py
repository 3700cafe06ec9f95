"""Each statistic of annotators on judgments written down by hand."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, groupby
from math import comb
from pathlib import Path

import numpy as np
import pytest

from annotation.quality.annotators import Profiles
from annotation.quality.annotators.fatigue import BANDS
from annotation.quality.annotators.sessions import places_in_session
from annotation.quality.annotators.straight_lining import straight_lining
from annotation.quality.annotators.variety import variety_of
from annotation.quality.gold import Gold
from annotation.quality.inputs import Inputs
from annotation.quality.purpose import Purpose
from annotation.quality.trust.critical import critical_errors
from tests.annotation.quality.build import Judgment, inputs_of, table_of
from tests.annotation.quality.worked import worked_example

KNOWN = {("g", f"G{i}"): grade for i, grade in enumerate((0, 1, 2, 3, 4, 2))}


def graded(who: str, *grades: int) -> list[Judgment]:
    return [("g", f"G{i}", who, grade) for i, grade in enumerate(grades)]


def on_gold(*rows: Judgment) -> Inputs:
    return inputs_of(table_of(rows), gold=KNOWN)


def test_right_exactly_within_one_and_by_accepted_grades() -> None:
    inputs = on_gold(*graded("Amber", 0, 1, 2, 3, 4, 2), *graded("Birch", 1, 1, 3, 1, 4, 4))
    accepted = inputs.gold.accepted.copy()
    accepted[0, 1] = True  # of G0, 1 is right as well
    wider = Gold(inputs.gold.topic, inputs.gold.document, inputs.gold.grade, accepted)
    inputs = replace(inputs, gold=wider)
    profiles = Profiles(inputs)
    assert profiles.right.exact.value.tolist() == [1.0, 2 / 6]
    assert profiles.right.within_one.value.tolist() == [1.0, 4 / 6]
    assert profiles.right.accepted.value.tolist() == [1.0, 3 / 6]
    assert profiles.severity.distances.tolist() == [[6, 0, 0, 0, 0], [3, 1, 2, 0, 0]]
    assert profiles.severity.critical.value.tolist() == [0.0, 2 / 6]
    assert profiles.severity.critical.value[1] == critical_errors(inputs)[1].sum() / 6
    assert profiles.severity.of_errors.of(1).value == pytest.approx(5 / 3)
    assert profiles.severity.of_errors.of(0).reason == "No errors on gold."
    assert profiles.confusion[1].tolist() == [
        [0, 1, 0, 0, 0],
        [0, 1, 0, 0, 0],
        [0, 0, 0, 1, 1],
        [0, 1, 0, 0, 0],
        [0, 0, 0, 0, 1],
    ]


def test_leniency_beside_gold_and_beside_the_others_median() -> None:
    gold = on_gold(*graded("Amber", 1, 2, 3, 4, 4, 2), *graded("Birch", 0, 1))
    assert Profiles(gold).leniency.from_gold.of(0).value == pytest.approx(4 / 6)
    assert Profiles(gold).leniency.from_gold.of(1).reason == "Only 2 gold pairs judged; it takes 5."
    rows = [("1", f"d{i}", who, grade) for i in range(5) for who, grade in (("A", 2), ("B", 0), ("C", 1), ("D", 3))]
    statistic = Profiles(inputs_of(table_of(rows))).leniency.from_others
    assert statistic.value.tolist() == [1.0, -2.0, -1.0, 2.0]  # the others: 0 1 3, 1 2 3, 0 2 3, 0 1 2
    without = Profiles(inputs_of(table_of(rows), excluded=["D"])).leniency.from_others
    assert without.value.tolist() == [1.5, -1.5, 0.0, 2.0]  # 0 1, 1 2, 0 2; the excluded beside all others


def test_agreement_with_the_others_beside_that_among_them() -> None:
    rows = [("1", f"d{i}", who, grade) for i in range(5) for who, grade in (("A", 0), ("B", 0), ("C", 4))]
    statistic = Profiles(inputs_of(table_of([*rows, ("1", "alone", "A", 3)]))).others
    assert statistic.same.value.tolist() == [0.5, 0.5, 0.0]
    assert statistic.same.n.tolist() == [5, 5, 5]
    assert statistic.among.value.tolist() == [0.0, 0.0, 1.0]
    assert statistic.near.value.tolist() == [0.0, 0.0, 0.0]  # the others' median lies halfway, at 2, for A and B
    assert statistic.among.of(0).low is None


def test_answers_to_repeats_are_compared_with_the_first() -> None:
    rows: list[Judgment] = [("1", f"d{i}", "A", 2) for i in range(4)]
    again: list[Judgment] = [("1", f"d{i}", "A", grade) for i, grade in enumerate((2, 3, 0, 2))]
    purpose = [Purpose.ORDINARY] * 4 + [Purpose.REPEAT] * 4
    statistic = Profiles(inputs_of(table_of([*rows, *again], purpose=purpose, reading=[1] * 4 + [2] * 4))).consistency
    assert (statistic.same.of(0).value, statistic.near.of(0).value, statistic.same.of(0).n) == (0.5, 0.75, 4)
    assert statistic.same.of(0).low is not None


def test_straight_lining_and_variety() -> None:
    alternating = [("1", f"d{i:02}", "A", i % 2) for i in range(20)]
    halves = [("1", f"d{i:02}", "B", i // 10) for i in range(20)]
    alike = [("1", f"d{i:02}", "C", 3) for i in range(20)]
    few = [("1", "d00", "D", 3)]
    profiles = Profiles(inputs_of(table_of([*alternating, *halves, *alike, *few])))
    assert profiles.straight.longest.value[:3].tolist() == [1.0, 10.0, 20.0]
    assert profiles.straight.by_chance.value[:2] == pytest.approx([1.0, 2 * 11 / comb(20, 10)])
    assert profiles.straight.by_chance.of(2).reason.startswith("All answers have one grade")
    assert profiles.straight.longest.of(3).reason == "Only 1 answer with a grade; it takes 20."
    assert profiles.variety.commonest.value[:3].tolist() == [0.5, 0.5, 1.0]
    assert profiles.variety.grade[:3].tolist() == [0, 0, 3]
    nats = np.log(2) + 1 / 40
    assert profiles.variety.entropy.value[:3] == pytest.approx([nats / np.log(5), nats / np.log(5), 0.0])


def orders(counts: list[int]) -> Iterator[list[int]]:
    """Every order of 20 answers: most of them grade 0, the others dealt to the places."""
    for ones in combinations(range(20), counts[1]):
        for twos in combinations(sorted(set(range(20)) - set(ones)), counts[2]):
            yield [1 if i in ones else 2 if i in twos else 0 for i in range(20)]


@pytest.mark.parametrize("counts", [[19, 1, 0], [16, 4, 0], [17, 2, 1]])
def test_long_runs_come_as_often_as_every_order_has_them(counts: list[int]) -> None:
    """What is expected, by writing out all orders; it is never less than the share of orders with a run so long."""
    runs = {tuple(order): [len(list(run)) for _, run in groupby(order)] for order in orders(counts)}
    example = {max(statistic): order for order, statistic in runs.items()}
    for longest, order in example.items():
        statistic = straight_lining(np.zeros(20, dtype=np.int64), np.array(order), np.array([counts]))
        expected = sum(run >= longest for each in runs.values() for run in each) / len(runs)
        assert statistic.longest.value.tolist() == [longest]
        assert statistic.by_chance.value == pytest.approx([min(expected, 1.0)])
        assert statistic.by_chance.value[0] >= sum(max(each) >= longest for each in runs.values()) / len(runs) - 1e-9


@pytest.mark.shared
def test_worked_example_of_entropy(shared_data: Path) -> None:
    """grade_entropy_examples; what few answers lose, (grades seen − 1) / 2n, comes on top, up to 1."""
    example = worked_example(shared_data, "grade_entropy_examples")
    histograms = np.array(example["input"]["histograms"])
    added = ((histograms > 0).sum(axis=1) - 1) / (2 * histograms.sum(axis=1)) / np.log(5)
    expected = np.minimum(example["expected"]["normalised"] + added, 1)
    np.testing.assert_allclose(variety_of(histograms).entropy.value, expected, rtol=0, atol=example["tolerance"])


def test_pace_beside_everybody_and_hasty_answers() -> None:
    people = "ABCDEF"
    rows = [("1", f"d{i:02}", who, 0) for who in people for i in range(20)]
    slow = {"A": 10_000, "B": 12_000, "C": 9_000, "D": 11_000, "E": 10_500, "F": 2_000}
    ms = [slow[who] for _, _, who, _ in rows]
    ms[0] = 50  # one press of A's
    pace = Profiles(inputs_of(table_of(rows, active_ms=ms))).pace
    assert pace.seconds.value.tolist() == [10.0, 12.0, 9.0, 11.0, 10.5, 2.0]
    assert (np.abs(pace.beside.value[:5]) < 3).all()
    assert pace.beside.value[5] < -3
    own = np.log(ms).reshape(6, 20).mean(axis=1)
    spread = np.subtract(*np.quantile(own, [0.75, 0.25])) / 1.349  # of a normal, the quartiles are so far apart
    assert pace.beside.value == pytest.approx((own - np.median(own)) / spread)
    low, middle, high = np.quantile(np.log(ms), [0.25, 0.5, 0.75])
    assert pace.logs == pytest.approx((middle, (high - low) / 1.349))
    assert pace.hasty_ms == pytest.approx(np.exp(middle - 3 * (high - low) / 1.349))
    assert pace.hasty.value.tolist() == [0.05, 0, 0, 0, 0, 1.0]
    by_clock = Profiles(inputs_of(table_of(rows, active_ms=[0, *ms[1:20], *[-1] * 100], wall_ms=ms))).pace
    assert (by_clock.seconds.value.tolist(), by_clock.seconds.n.tolist()) == (pace.seconds.value.tolist(), [20] * 6)
    nothing = Profiles(inputs_of(table_of(rows))).pace
    assert nothing.seconds.of(0).reason == "No timed answers."
    alike = Profiles(inputs_of(table_of(rows[3:], active_ms=[7301] * 117))).pace  # a file with one time for all
    assert [alike.beside.of(i).reason[-24:] for i in range(6)] == ["or all are equally fast."] * 6
    assert alike.hasty.of(0).reason == "Half of all answers took the same time."
    two = Profiles(inputs_of(table_of(rows[:40], active_ms=ms[:40]))).pace
    assert two.beside.of(1).reason.startswith("Fewer than 5 people")


def test_places_in_sessions() -> None:
    rows = (
        [("1", f"d{i}", "A", 0) for i in range(4)] + [("1", "d3", "A", 1)] + [("1", f"d{i}", "B", 0) for i in range(2)]
    )
    table = table_of(rows, revision=[1, 1, 1, 1, 2, 1, 1])
    at = np.array([0.0, 60, 60 + 1801, 60 + 1900, 60 + 1910, 5, np.nan])
    assert places_in_session(table, at).tolist() == [1, 2, 1, 2, 2, 1, 0]
    assert places_in_session(table, np.zeros(7)).tolist() == [0] * 7  # a file that came in at one moment
    assert places_in_session(table, np.full(7, np.nan)).tolist() == [0] * 7


def test_fatigue_and_drift_are_found_and_not_invented() -> None:
    n = 120
    gold = {("g", f"G{i:03}"): 2 for i in range(n)}
    steady = [("g", f"G{i:03}", "A", 2 if i % 3 else 3) for i in range(n)]
    tiring = [("g", f"G{i:03}", "B", 2 if i < 60 or i % 4 == 0 else 4) for i in range(n)]
    ms = [8000 + 10 * (i % 7) for i in range(n)] + [8000 - 50 * i for i in range(n)]
    inputs = inputs_of(table_of([*steady, *tiring], active_ms=ms), gold=gold)
    profiles = Profiles(inputs, np.array([*range(0, 20 * n, 20), *range(0, 20 * n, 20)], dtype=float))
    fatigue, drift = profiles.fatigue, profiles.drift
    assert fatigue.n_gold.tolist() == [[10, 15, 25, 50, 20]] * 2
    assert fatigue.n_right.sum(axis=1).tolist() == [80, 75]
    assert fatigue.seconds.shape == (2, len(BANDS))
    for a, b in ((fatigue.right.of(0), fatigue.right.of(1)), (drift.right.of(0), drift.right.of(1))):
        assert a.low is not None
        assert a.high is not None
        assert b.high is not None
        assert a.low < 0 < a.high
        assert b.high < 0
    assert (drift.shift.of(1).low or 0) > 0
    assert (fatigue.pace.of(1).high or 1) < 1
    assert fatigue.pace.of(0).value == pytest.approx(1, abs=0.01)
    rise = np.polyfit(np.arange(n), [i < 60 or i % 4 == 0 for i in range(n)], 1)[0]
    assert fatigue.right.of(1).value == pytest.approx(50 * rise)
    assert drift.right.of(1).value == pytest.approx(100 * rise)
    assert drift.shift.of(1).value == pytest.approx(-2 * 100 * rise)
    slower = np.polyfit(np.arange(n), np.log(ms[n:]), 1)[0]
    assert fatigue.pace.of(1).value == pytest.approx(np.exp(50 * slower))
    untimed = Profiles(inputs).fatigue
    assert untimed.right.of(1).reason == "No gold in sessions."


def test_who_always_gives_one_grade_has_not_changed_when_other_gold_comes() -> None:
    n = 120
    gold = {("g", f"G{i:03}"): 2 if i < 60 else i % 2 for i in range(n)}
    drift = Profiles(inputs_of(table_of([("g", f"G{i:03}", "A", 2) for i in range(n)]), gold=gold)).drift
    for statistic in (drift.right.of(0), drift.shift.of(0)):
        assert (statistic.value, statistic.low) == (0.0, None)


def test_nobody_and_nothing() -> None:
    profiles = Profiles(inputs_of(table_of([])))
    assert len(profiles.right.exact.value) == 0
    assert profiles.copies.n_alike(0).tolist() == []
    assert [len(each.longest.value) for each in (profiles.straight,)] == [0]
    assert (len(profiles.pace.seconds.value), len(profiles.fatigue.right.value), len(profiles.others.same.value)) == (
        0,
        0,
        0,
    )


def test_one_grade_for_all_is_of_the_gold_that_the_person_met() -> None:
    gold = {("g", f"G{i}"): 2 if i < 6 else i % 2 for i in range(10)}
    rows = [("g", f"G{i}", "A", 2) for i in range(6)] + [("g", f"G{i}", "B", 0) for i in range(4, 10)]
    statistic = Profiles(inputs_of(table_of([*rows, ("g", "other", "C", 0)]), gold=gold)).right.constant
    assert [statistic.of(i).value for i in range(3)] == [1.0, pytest.approx(2 / 6), None]
    assert statistic.of(0).low is None
