"""Near-copies in simulated campaigns: planted ones are found, honest people of any accuracy are not accused."""

from pathlib import Path

import numpy as np
import pytest

from annotation.quality.annotators import near_copies
from annotation.quality.inputs import Inputs
from tests.annotation.quality.build import Judgment, inputs_of, table_of
from tests.annotation.quality.crowd import trec_rf10

N_PAIRS, N_PEOPLE = 150, 12


def campaign(seed: int, *, accuracy: float, copied: float, per_pair: int = 5) -> Inputs:
    """Person 1 takes the share `copied` of person 0's answers, and is otherwise as good as everybody."""
    rng = np.random.default_rng(seed)
    rows: list[Judgment] = []
    for i in range(N_PAIRS):
        truth = int(rng.choice(5, p=[0.4, 0.2, 0.2, 0.1, 0.1]))
        grades = np.where(rng.random(N_PEOPLE) < accuracy, truth, rng.integers(0, 5, N_PEOPLE))
        grades[1] = grades[0] if rng.random() < copied else grades[1]
        people = {0, 1} | set(rng.choice(N_PEOPLE, per_pair - 2, replace=False).tolist())
        rows += [("1", f"d{i:03}", f"P{who:02}", int(grades[who])) for who in sorted(people)]
    return inputs_of(table_of(rows))


def couples(inputs: Inputs) -> list[tuple[int, int]]:
    likeness = near_copies(inputs)
    return list(zip(likeness.first[likeness.alike].tolist(), likeness.second[likeness.alike].tolist(), strict=True))


@pytest.mark.parametrize("accuracy", [0.3, 0.6, 0.8])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_planted_copy_is_found_and_nobody_else(accuracy: float, seed: int) -> None:
    inputs = campaign(seed, accuracy=accuracy, copied=0.95)
    assert couples(inputs) == [(0, 1)]
    copies = near_copies(inputs)
    assert copies.n_alike(N_PEOPLE).tolist() == [1, 1, *[0] * (N_PEOPLE - 2)]
    assert copies.n_compared(N_PEOPLE).tolist() == np.bincount([*copies.first, *copies.second]).tolist()


@pytest.mark.parametrize("accuracy", [0.0, 0.3, 0.6, 0.8, 0.95, 1.0])
@pytest.mark.parametrize("per_pair", [3, 5])
def test_honest_people_are_not_accused(accuracy: float, per_pair: int) -> None:
    for seed in (1, 2, 3):
        assert couples(campaign(seed, accuracy=accuracy, copied=0.0, per_pair=per_pair)) == []


def among_weak(seed: int, *, good: float, others: float, copied: float = 0.0) -> Inputs:
    """Three judgments a pair; two of twelve people are better than the others, and meet often."""
    rng = np.random.default_rng(seed)
    accuracy = np.array([good] * 2 + [others] * (N_PEOPLE - 2))
    rows: list[Judgment] = []
    for i in range(300):
        truth = int(rng.integers(0, 4))
        grades = np.where(rng.random(N_PEOPLE) < accuracy, truth, rng.integers(0, 4, N_PEOPLE))
        grades[1] = grades[0] if rng.random() < copied else grades[1]
        people = (
            {0, 1, int(rng.integers(2, N_PEOPLE))} if i % 2 else set(rng.choice(N_PEOPLE, 3, replace=False).tolist())
        )
        rows += [("1", f"d{i:03}", f"P{who:02}", int(grades[who])) for who in sorted(people)]
    return inputs_of(table_of(rows))


@pytest.mark.parametrize("good", [0.8, 0.9, 1.0])
@pytest.mark.parametrize("others", [0.2, 0.4, 0.6])
def test_two_good_people_among_weak_ones_are_not_accused_where_three_judge_a_pair(good: float, others: float) -> None:
    for seed in (1, 2, 3):
        assert couples(among_weak(seed, good=good, others=others)) == []


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_copy_is_found_where_three_judge_a_pair(seed: int) -> None:
    assert couples(among_weak(seed, good=0.6, others=0.8, copied=0.95)) == [(0, 1)]


def test_two_whose_only_third_is_worse_than_everybody_else_are_not_accused() -> None:
    """Nine good people; two of them always judge with the tenth, who guesses half of the time."""
    rng = np.random.default_rng(4)
    rows: list[Judgment] = []
    for i in range(400):
        truth = int(rng.integers(0, 4))
        grades = np.where(rng.random(10) < [0.95] * 9 + [0.5], truth, rng.integers(0, 4, 10))
        elsewhere = set(rng.choice(10, 3, replace=False).tolist())
        people = {0, 1, 9} if i % 2 else elsewhere
        rows += [("1", f"d{i:03}", f"P{who:02}", int(grades[who])) for who in sorted(people)]
    assert couples(inputs_of(table_of(rows))) == []


def test_what_is_explained_is_to_the_benefit_of_the_couple() -> None:
    likeness = near_copies(campaign(7, accuracy=0.7, copied=0.0))
    assert len(likeness.n)
    assert -0.3 < float((likeness.same / likeness.n - likeness.expected).mean()) < 0


def test_two_who_always_give_the_same_grade_are_no_copies() -> None:
    honest = campaign(5, accuracy=0.7, copied=0.0)
    table = honest.table
    grade = np.where(table.annotator < 2, 3, table.grade)
    rows = [
        ("1", table.docnos[d], table.annotators[a], g)
        for d, a, g in zip(table.document.tolist(), table.annotator.tolist(), grade.tolist(), strict=True)
    ]
    assert couples(inputs_of(table_of(rows))) == []


def always_alike(n: int) -> Inputs:
    """Two of twelve who are right on .9 give the same grade on all the `n` pairs they share."""
    rng = np.random.default_rng(1)
    rows: list[Judgment] = []
    for i in range(400):
        truth = int(rng.integers(0, 4))
        grades = np.where(rng.random(N_PEOPLE) < 0.9, truth, rng.integers(0, 4, N_PEOPLE))
        grades[1] = grades[0]
        others = rng.choice(np.arange(2, N_PEOPLE), 4, replace=False).tolist()
        people = {0, 1, *others[:2]} if i < n else set(others)
        rows += [("1", f"d{i:03}", f"P{who:02}", int(grades[who])) for who in sorted(people)]
    return inputs_of(table_of(rows))


def test_how_many_equal_answers_it_takes_is_told_where_52_of_52_are_too_few() -> None:
    few = near_copies(always_alike(52))
    at = int(np.flatnonzero((few.first == 0) & (few.second == 1))[0])
    assert (few.n[at], few.same[at], bool(few.alike[at])) == (52, 52, False)
    assert few.it_takes[at] > 52
    assert len(few.n) * few.expected[at] ** few.it_takes[at] <= 0.001 < len(few.n) * few.expected[at] ** 52
    assert couples(always_alike(120)) == [(0, 1)]


def test_where_all_is_explained_no_number_would_tell() -> None:
    perfect = near_copies(campaign(1, accuracy=1.0, copied=0.0))
    assert len(perfect.n)
    assert np.isinf(perfect.it_takes).all()


def test_two_people_alone_are_not_compared() -> None:
    rows: list[Judgment] = [("1", f"d{i}", who, i % 5) for i in range(60) for who in "AB"]
    assert len(near_copies(inputs_of(table_of(rows))).n) == 0


def test_two_couples_of_the_real_crowd_stand_out(shared_data: Path) -> None:
    """On 123 shared pairs two gave 98 times the same grade, though either is right on gold a third of the time and
    agrees with everybody else on less than 40 %; another two gave 18 of 20 alike, where 6 are explained."""
    inputs = trec_rf10(shared_data)
    likeness = near_copies(inputs)
    assert len(likeness.n) > 1000
    names = [(inputs.table.annotators[a], inputs.table.annotators[b]) for a, b in couples(inputs)]
    assert names == [("w1", "w28"), ("w589", "w696")]
    one, two = np.flatnonzero(likeness.alike).tolist()
    assert (likeness.n[two], likeness.same[two], likeness.n[one], likeness.same[one]) == (123, 98, 20, 18)
    assert likeness.expected[[one, two]] == pytest.approx([0.294, 0.497], abs=0.001)
