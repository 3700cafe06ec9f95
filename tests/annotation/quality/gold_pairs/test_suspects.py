"""Gold that good people miss: the ranking, by hand."""

from math import log
from pathlib import Path

import numpy as np
import pytest

from annotation.quality.gold_pairs.suspects import Suspicion, suspicion_of
from annotation.quality.inputs import Inputs
from annotation.quality.poisson_binomial import tail
from annotation.quality.scale import Scale
from tests.annotation.quality.build import Judgment, inputs_of, table_of
from tests.annotation.quality.crowd import trec_rf10

ASKED = ("g", "ASKED")  # its gold grade is 1
OTHERS = [("g", f"G{i}") for i in range(8)]


def elsewhere(annotator: str, right: int) -> list[Judgment]:
    """Eight other gold pairs, the first `right` of them as they should be."""
    return [(*pair, annotator, 1 if i < right else 4) for i, pair in enumerate(OTHERS)]


def asked(judgments: list[Judgment], **columns: object) -> tuple[Suspicion, int]:
    """What is said of the pair in question, and where it stands."""
    inputs = inputs_of(table_of(judgments, **columns), gold=dict.fromkeys([ASKED, *OTHERS], 1))
    place = inputs.table.docnos.index("ASKED")
    return suspicion_of(inputs, threshold=0.7, min_gold=8), place


def evidence(judgments: list[Judgment]) -> float:
    suspicion, place = asked(judgments)
    return float(suspicion.evidence[place])


# On five grades of which one is accepted, chance is 1/5. Right 8 times of 8 elsewhere: (8 + 2/5) / (8 + 2) = .84; if
# the gold is wrong, such a person hits its grade with .16 · 1/4 = .04. A miss weighs log(.96/.16), a hit log(.04/.84).
GOOD_MISS, GOOD_HIT = log(6), -log(21)
# Right 3 times of 8: .34, and .66 · 1/4 = .165.
WEAK_MISS = log(0.835 / 0.66)


@pytest.mark.parametrize(
    ("right", "grade", "expected"),
    [
        pytest.param(8, 3, GOOD_MISS, id="a good person misses it"),
        pytest.param(8, 1, GOOD_HIT, id="a good person hits it"),
        pytest.param(3, 3, WEAK_MISS, id="of a weak one it says little"),
        pytest.param(0, 3, 0.0, id="of who is worse than chance, nothing"),
    ],
)
def test_what_one_judgment_weighs(right: int, grade: int, expected: float) -> None:
    assert evidence([*elsewhere("A", right), (*ASKED, "A", grade)]) == pytest.approx(expected)


def test_who_has_judged_no_other_gold_says_nothing() -> None:
    assert evidence([(*ASKED, "A", 3)]) == pytest.approx(0)


def test_judgments_add_up() -> None:
    judgments = [*elsewhere("A", 8), *elsewhere("B", 8), *elsewhere("C", 3)]
    judgments += [(*ASKED, "A", 3), (*ASKED, "B", 1), (*ASKED, "C", 0)]
    assert evidence(judgments) == pytest.approx(GOOD_MISS + GOOD_HIT + WEAK_MISS)


def test_the_pair_itself_does_not_judge_who_judges_it() -> None:
    """Were the miss itself counted against A, it would weigh less: 8 of 9 rather than 8 of 8."""
    suspicion, place = asked([*elsewhere("A", 8), (*ASKED, "A", 3)])
    of_it = suspicion.witnesses.pair == place
    assert suspicion.witnesses.accuracy[of_it].tolist() == [pytest.approx(0.84)]
    assert suspicion.witnesses.n_other[of_it].tolist() == [8]


def test_a_pair_is_suspect_from_twenty_to_one_and_two_misses() -> None:
    """Two good misses are 36 to 1, one of them 6 to 1; one that is 30 to 1 would be one person's word."""
    two = [*elsewhere("A", 8), *elsewhere("B", 8), (*ASKED, "A", 3), (*ASKED, "B", 3)]
    suspicion, place = asked(two)
    assert suspicion.ranked().tolist() == [place]
    assert suspicion.evidence[place] == pytest.approx(2 * GOOD_MISS)
    assert asked([*elsewhere("A", 8), (*ASKED, "A", 3)])[0].ranked().tolist() == []
    many = [(f"t{i}", "D", "A", 1) for i in range(200)]
    gold = {(number, "D"): 1 for number, *_ in many} | {ASKED: 1}
    alone = suspicion_of(inputs_of(table_of([*many, (*ASKED, "A", 3)]), gold=gold), threshold=0.7, min_gold=10)
    assert alone.evidence.max() > log(20)
    assert alone.ranked().tolist() == []


def test_the_more_surely_wrong_comes_first() -> None:
    judgments = [judgment for each in "ABCD" for judgment in elsewhere(each, 8)]
    judgments += [("h", "LESS", each, 3) for each in "ABC"]
    judgments += [("h", "MORE", each, 3) for each in "ABCD"]
    gold = dict.fromkeys([*OTHERS, ("h", "LESS"), ("h", "MORE")], 1)
    inputs = inputs_of(table_of(judgments), gold=gold)
    ranked = suspicion_of(inputs, threshold=0.7, min_gold=8).ranked()
    assert [inputs.table.docnos[inputs.gold.document[i]] for i in ranked] == ["MORE", "LESS"]


def test_who_is_good_and_what_they_gave() -> None:
    """Good by the policy, on the other gold: at least 7 others (8 with this one) and .7 of them right."""
    judgments = [*elsewhere("A", 8), *elsewhere("B", 5), *elsewhere("C", 8)[:6]]
    judgments += [(*ASKED, "A", 3), (*ASKED, "B", 3), (*ASKED, "C", 0)]
    suspicion, place = asked(judgments)
    assert suspicion.witnesses.good[suspicion.witnesses.pair == place].tolist() == [True, False, False]
    assert suspicion.given[place].tolist() == [1, 0, 0, 2, 0]
    assert suspicion.good_given[place].tolist() == [0, 0, 0, 1, 0]
    assert (suspicion.n_judged[place], suspicion.n_missed[place]) == (3, 3)
    assert (suspicion.n_good[place], suspicion.n_good_missed[place]) == (1, 1)
    # .16 for A; (5 + .4) / 10 for B; (6 + .4) / 8 for C
    assert suspicion.expected[place] == pytest.approx(0.16 + 0.46 + 0.2)


def test_who_comes_just_to_the_threshold_is_good() -> None:
    """55 of 100 others are .55, whatever .55 · 100 is in binary. Where two golds are enough, one other is."""
    gold = {("g", f"G{i:03}"): 1 for i in range(101)}
    judgments: list[Judgment] = [("g", f"G{i:03}", "A", 1 if 0 < i <= 55 else 4) for i in range(101)]
    suspicion = suspicion_of(inputs_of(table_of(judgments), gold=gold), threshold=0.55, min_gold=10)
    assert suspicion.witnesses.good[suspicion.witnesses.pair == 0].tolist() == [True]
    two = inputs_of(table_of(judgments[1:3]), gold=gold)
    assert suspicion_of(two, threshold=0.7, min_gold=2).witnesses.good.tolist() == [True, True]
    assert suspicion_of(two, threshold=0.7, min_gold=3).witnesses.good.tolist() == [False, False]


def test_who_has_as_many_others_as_it_takes_is_good() -> None:
    """Seven others and this pair are eight."""
    suspicion, place = asked([*elsewhere("A", 8)[:7], (*ASKED, "A", 3)])
    assert suspicion.witnesses.good[suspicion.witnesses.pair == place].tolist() == [True]


def test_how_often_a_right_pair_is_missed_so_often_is_of_those_who_judged_it() -> None:
    """A misses with .16; B, who missed another pair, is not asked."""
    suspicion, place = asked([*elsewhere("A", 8), *elsewhere("B", 5), (*ASKED, "A", 3)])
    assert suspicion.chance(place) == pytest.approx(0.16)


def test_several_accepted_grades_make_hitting_easier() -> None:
    """Two of five accepted: chance is 2/5; 8 of 8 is (8 + .8) / 10 = .88; if it is wrong, .12 · 2/3 = .08 hit it."""
    judgments = [*elsewhere("A", 8), (*ASKED, "A", 3)]
    inputs = inputs_of(table_of(judgments), gold=dict.fromkeys([ASKED, *OTHERS], 1))
    accepted = inputs.gold.accepted.copy()
    place = inputs.table.docnos.index("ASKED")
    accepted[place] = [False, True, True, False, False]
    suspicion = suspicion_of(regraded(inputs, accepted), threshold=0.7, min_gold=8)
    assert suspicion.evidence[place] == pytest.approx(log(0.92 / 0.12))


def test_a_pair_that_accepts_everything_or_that_nobody_judged_is_no_suspect() -> None:
    judgments = [*elsewhere("A", 8), *elsewhere("B", 8), (*ASKED, "A", 3), (*ASKED, "B", 3)]
    inputs = inputs_of(table_of(judgments), gold=dict.fromkeys([ASKED, *OTHERS], 1))
    everything = np.ones_like(inputs.gold.accepted)
    suspicion = suspicion_of(regraded(inputs, everything), threshold=0.7, min_gold=8)
    assert suspicion.evidence.tolist() == [0.0] * 9
    nobody = suspicion_of(inputs_of(table_of([])), threshold=0.7, min_gold=8)
    assert (nobody.evidence.tolist(), nobody.ranked().tolist()) == ([], [])


def test_the_order_of_rows_changes_nothing() -> None:
    judgments = [*elsewhere("A", 8), *elsewhere("B", 6), (*ASKED, "A", 3), (*ASKED, "B", 3)]
    one, other = asked(judgments)[0], asked(judgments[::-1])[0]
    np.testing.assert_allclose(one.evidence, other.evidence)


@pytest.mark.parametrize(
    ("chances", "n", "expected"),
    [
        ([0.5, 0.5], 2, 0.25),
        ([0.5, 0.5], 1, 0.75),
        ([0.1, 0.2, 0.3], 2, 0.1 * 0.2 * 0.7 + 0.1 * 0.8 * 0.3 + 0.9 * 0.2 * 0.3 + 0.1 * 0.2 * 0.3),
        ([0.1, 0.2], 0, 1.0),
        ([], 0, 1.0),
        ([0.4], 2, 0.0),
    ],
)
def test_how_often_so_many_misses_come_about(chances: list[float], n: int, expected: float) -> None:
    assert tail(np.array(chances), n) == pytest.approx(expected)


def test_right_gold_is_rarely_suspect_and_wrong_gold_found() -> None:
    """300 pairs, 60 people of .4 to .95 with independent errors, ten pairs with a wrong gold grade."""
    rng = np.random.default_rng(3)
    n_pairs, n_people, n_each = 300, 60, 7
    true, ability = rng.integers(0, 5, n_pairs), rng.uniform(0.4, 0.95, n_people)
    judgments: list[Judgment] = []
    for pair in range(n_pairs):
        for person in rng.choice(n_people, n_each, replace=False):
            is_right = rng.random() < ability[person]
            grade = true[pair] if is_right else (true[pair] + rng.integers(1, 5)) % 5
            judgments.append(("t", f"D{pair:03}", f"P{person:02}", int(grade)))
    wrong = {("t", f"D{pair:03}") for pair in range(10)}
    gold = {
        ("t", f"D{pair:03}"): int(true[pair] + 2) % 5 if ("t", f"D{pair:03}") in wrong else int(true[pair])
        for pair in range(n_pairs)
    }
    inputs = inputs_of(table_of(judgments), gold=gold, scale=Scale())
    suspicion = suspicion_of(inputs, threshold=0.7, min_gold=10)
    ranked = [("t", inputs.table.docnos[inputs.gold.document[i]]) for i in suspicion.ranked()]
    assert set(ranked[:5]) <= wrong
    assert len(wrong & set(ranked)) == 10
    assert len(set(ranked) - wrong) <= 3  # of 290 right ones; the bound is one in twenty


@pytest.mark.shared
def test_suspects_among_the_gold_of_a_real_crowd(shared_data: Path) -> None:
    """As docs/quality.md has it of the crowd's own three grades."""
    suspicion = suspicion_of(trec_rf10(shared_data), threshold=0.7, min_gold=10)
    surest = suspicion.ranked()[0]
    assert len(suspicion.ranked()) == 22
    assert (suspicion.n_missed[surest], suspicion.n_judged[surest]) == (9, 9)
    assert suspicion.expected[surest] == pytest.approx(4.46, abs=0.005)


def regraded(inputs: Inputs, accepted: np.ndarray) -> Inputs:
    gold = type(inputs.gold)(inputs.gold.topic, inputs.gold.document, inputs.gold.grade, accepted)
    return Inputs(inputs.table, inputs.scale, gold, inputs.adjudications)
