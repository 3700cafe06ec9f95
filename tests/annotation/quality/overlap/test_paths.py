"""Following the rule: who stops, who goes on, and that gold never judges itself on any path."""

from dataclasses import replace

import numpy as np
import pytest

from annotation.quality.inputs import Inputs
from annotation.quality.overlap import End, OverlapRule, Paths, at_fixed, follow, summary_of, why_not, with_at_least
from annotation.quality.overlap.campaign import Setting, campaign
from annotation.quality.policy import Policy
from annotation.quality.settings import SettingError
from annotation.quality.table import JudgmentTable
from tests.annotation.quality.build import Judgment, inputs_of, table_of
from tests.annotation.quality.crowd import everybody

DS = everybody("dawid_skene")
PEOPLE = tuple(np.linspace(0.6, 0.95, 12).tolist())


def simulated(*, maximum: int = 6, seed: int = 3, gold: float = 0.6) -> Inputs:
    setting = Setting(PEOPLE, n_topics=12, pairs_a_topic=20, gold=gold)
    return campaign(setting, maximum=maximum, rng=np.random.default_rng(seed))


def with_further(inputs: Inputs, rows: list[Judgment]) -> Inputs:
    """The same with a few pairs more, which have no gold."""
    table, gold = inputs.table, inputs.gold
    before = _rows(table)
    known = {(table.numbers[t], table.docnos[d]): int(g) for t, d, g in zip(*_columns(gold), strict=True)}
    return inputs_of(table_of([*before, *rows]), gold=known)


def _columns(gold: object) -> tuple[list[int], ...]:
    return tuple(getattr(gold, name).tolist() for name in ("topic", "document", "grade"))


def _rows(table: JudgmentTable) -> list[Judgment]:
    columns = zip(table.topic, table.document, table.annotator, table.grade, strict=True)
    return [(table.numbers[t], table.docnos[d], table.annotators[a], int(g)) for t, d, a, g in columns]


def at(paths: Paths, inputs: Inputs, docno: str) -> tuple[int, End]:
    i = paths.document.tolist().index(inputs.table.docnos.index(docno))
    return int(paths.n_used[i]), End(int(paths.end[i]))


@pytest.mark.parametrize("whole", [False, True])
def test_pairs_by_hand(whole: bool) -> None:
    """Three good people of one mind are enough, three poor ones of two minds are not; the largest number ends it."""
    good = ["p009", "p010", "p011"]
    rows = [("900", "agreed", name, 2) for name in good[:3]]
    rows += [("900", "split", f"p00{i}", grade) for i, grade in enumerate([1, 2, 1])]
    rows += [("900", "apart", f"p00{i}", grade) for i, grade in enumerate([1, 2, 1, 2, 2])]
    rows += [("900", "begun", name, 2) for name in good[:2]]
    inputs = with_further(simulated(), rows)
    paths = follow(inputs, DS, OverlapRule(3, 5, 0.85), whole=whole)
    ends = {docno: at(paths, inputs, docno) for docno in ("agreed", "split", "apart", "begun")}
    assert ends == {
        "agreed": (3, End.SURE), "split": (3, End.WANTS), "apart": (5, End.MAXIMUM), "begun": (2, End.SHORT),
    }  # fmt: skip
    assert paths.wanting.sum() == 1


def test_a_running_campaign_counts_what_is_there() -> None:
    """Replayed, a pair that was sure at three stops there; in a campaign that goes on its fourth judgment is there."""
    good = ["p009", "p010", "p011", "p008"]
    inputs = with_further(simulated(), [("900", "agreed", name, 2) for name in good])
    rule = OverlapRule(3, 5, 0.85)
    assert at(follow(inputs, DS, rule), inputs, "agreed") == (3, End.SURE)
    assert at(follow(inputs, DS, rule, whole=True), inputs, "agreed") == (4, End.SURE)


def test_numbers_stay_within_the_rule() -> None:
    inputs, rule = simulated(maximum=6), OverlapRule(2, 4, 0.9)
    paths = follow(inputs, DS, rule)
    assert (paths.n_used.min(), paths.n_used.max()) == (2, 4)
    assert (paths.n_used[paths.end == End.MAXIMUM] == 4).all()
    assert (paths.probability[paths.end == End.SURE] >= 0.9).all()
    assert not (paths.probability[paths.end == End.MAXIMUM] >= 0.9).any()
    assert {curve.n for curve in paths.curves} == {2, 3, 4}
    n_gold = [curve.n_gold for curve in paths.curves]
    assert n_gold == sorted(n_gold, reverse=True)


def test_a_probability_that_just_reaches_the_target_is_enough() -> None:
    inputs = simulated()
    before = follow(inputs, DS, OverlapRule(3, 6, 0.85))
    first = ~before.gold & (before.end == End.SURE) & (before.n_used == 3)
    target = float(before.probability[first].min())
    after = follow(inputs, DS, OverlapRule(3, 6, target))
    just = before.probability == target
    assert set(after.n_used[just].tolist()) == {3}
    assert set(after.end[just].tolist()) == {End.SURE}


def test_a_higher_target_asks_for_more() -> None:
    inputs = simulated()
    used = [follow(inputs, DS, OverlapRule(2, 6, target)).n_used.sum() for target in (0.6, 0.8, 0.95)]
    assert used[0] < used[1] < used[2]


@pytest.mark.parametrize("whole", [False, True])
def test_no_gold_pair_is_judged_by_its_own_gold(whole: bool) -> None:
    """All gold of a topic upside down: its own pairs have the same grades, paths and probabilities as before."""
    inputs, rule = simulated(), OverlapRule(3, 6, 0.85)
    there = inputs.gold.topic == 2
    grade = np.where(there, 4 - inputs.gold.grade, inputs.gold.grade)
    gold = replace(inputs.gold, grade=grade, accepted=np.arange(5) == grade[:, None])
    one, two = (follow(replace(inputs, gold=each), DS, rule, whole=whole) for each in (inputs.gold, gold))
    own = one.gold & (one.topic == 2)
    assert own.sum() > 5
    for column in ("n_used", "end"):
        assert getattr(one, column)[own].tolist() == getattr(two, column)[own].tolist()
    assert one.probability[own].tolist() == two.probability[own].tolist()
    assert one.probability[one.gold & ~own].tolist() != two.probability[one.gold & ~own].tolist()
    graded = one.on_gold.topic == 2
    assert one.on_gold.grade[graded].tolist() == two.on_gold.grade[graded].tolist()


def test_each_path_has_a_curve_of_its_own() -> None:
    """Who went on is harder: the same confidence is worth less after the fourth judgment than after the third."""
    setting = Setting(PEOPLE, n_topics=20, pairs_a_topic=60, gold=1)
    inputs = campaign(setting, maximum=5, rng=np.random.default_rng(8))
    third, fourth = follow(inputs, DS, OverlapRule(3, 5, 0.85)).curves[:2]
    assert third.calibrator is not None
    assert fourth.calibrator is not None
    confidence = np.array([0.95])
    assert fourth.calibrator.probability(confidence) < third.calibrator.probability(confidence) - 0.05


def test_with_too_little_gold_nobody_can_tell_and_nothing_is_asked_for() -> None:
    inputs = simulated(gold=0.04)
    assert 0 < len(inputs.gold) < 20
    paths = follow(inputs, DS, OverlapRule(3, 6, 0.85), whole=True)
    assert not paths.wanting.any()
    begun = follow(with_at_least(inputs, 3), DS, OverlapRule(3, 6, 0.85))
    assert set(begun.end.tolist()) == {End.UNKNOWN}
    assert np.isnan(begun.probability).all()
    assert summary_of(begun).n_unknown == (~begun.gold).sum() < len(begun)


@pytest.mark.parametrize(("n_gold", "is_calibrated"), [(19, False), (20, True)])
def test_twenty_gold_pairs_are_enough(n_gold: int, is_calibrated: bool) -> None:
    inputs = simulated(gold=0.3)
    some = np.isin(np.arange(len(inputs.gold)), np.arange(0, 3 * n_gold, 3))
    paths = follow(replace(inputs, gold=inputs.gold.of(some)), DS, OverlapRule(3, 4, 0.85))
    assert paths.curves[0].n_gold == n_gold
    assert (paths.curves[0].calibrator is not None) == is_calibrated
    assert set((paths.end[~paths.gold] == End.UNKNOWN).tolist()) == {not is_calibrated}


@pytest.mark.parametrize("n_topics", [1, 2])
def test_gold_of_one_topic_teaches_as_that_of_two_does(n_topics: int) -> None:
    setting = Setting(PEOPLE, n_topics=n_topics, pairs_a_topic=60, gold=0.6)
    inputs = campaign(setting, maximum=4, rng=np.random.default_rng(4))
    paths = follow(inputs, DS, OverlapRule(3, 4, 0.85))
    assert paths.curves[0].n_gold == len(inputs.gold)
    assert End.UNKNOWN not in paths.end[~paths.gold]


def test_a_fixed_number_costs_what_there_is_of_it() -> None:
    """Pairs with six judgments each, and four with two: at four each they cost four and two."""
    inputs = with_further(simulated(maximum=6), [("900", f"d{i}", f"p00{k}", 1) for i in range(4) for k in range(2)])
    assert at_fixed(inputs, DS, 4).per_pair == pytest.approx((240 * 4 + 4 * 2) / 244)


def test_nothing_is_followed_nowhere() -> None:
    assert len(follow(inputs_of(table_of([])), DS, OverlapRule(2, 3, 0.8))) == 0


@pytest.mark.parametrize("numbers", [(0, 3), (3, 3), (3, 16)])
def test_numbers_that_cannot_be(numbers: tuple[int, int]) -> None:
    with pytest.raises(SettingError, match="The largest number must be above"):
        OverlapRule(*numbers, 0.9)


@pytest.mark.parametrize("target", [0.4, 1.0])
def test_probabilities_that_cannot_be(target: float) -> None:
    with pytest.raises(SettingError, match="must lie between"):
        OverlapRule(3, 5, target)


def test_which_policies_can_steer() -> None:
    assert why_not(DS, maximum=5) == why_not(replace(DS, min_judgments=5), maximum=5) == ""
    assert why_not(everybody("median"), maximum=5).startswith("This policy gives no probability of a grade")
    assert "deletes pairs" in why_not(Policy(consolidation="dawid_skene"), maximum=5)
    assert why_not(replace(DS, min_judgments=6), maximum=5).startswith("This policy wants 6 judgments")
