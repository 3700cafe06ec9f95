"""Steps 3 to 5: spread, filter, one grade of several."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.quality.consolidation import (
    CONSOLIDATORS,
    MODELS,
    nothing_known,
)
from annotation.quality.consolidation.majority import majority_grade, plurality_grade, strict_majority_grade
from annotation.quality.consolidation.mean import mean_grade
from annotation.quality.consolidation.median import median_grade
from annotation.quality.filtering import Reason, filter_pairs
from annotation.quality.scale import Scale
from annotation.quality.votes import Votes, grade_counts, spread_of
from tests.annotation.quality.worked import worked_example

SCALE = Scale()
GRADES = st.lists(st.lists(st.integers(0, 4), min_size=1, max_size=6), min_size=1, max_size=12)


def votes_of(pairs: list[list[int]]) -> Votes:
    pair = [i for i, grades in enumerate(pairs) for _ in grades]
    grade = [grade for grades in pairs for grade in grades]
    annotator = [k for grades in pairs for k in range(len(grades))]
    return Votes(np.array(pair, dtype=int), np.array(annotator, dtype=int), np.array(grade, dtype=int), len(pairs))


def test_spread_by_hand() -> None:
    spread = spread_of(votes_of([[3, 1, 2], [], [4], [0, 1], []]))
    assert spread.n.tolist() == [3, 0, 1, 2, 0]
    assert spread.minimum[[0, 2, 3]].tolist() == [1, 4, 0]
    assert spread.median[[0, 2, 3]].tolist() == [2, 4, 0.5]
    assert spread.maximum[[0, 2, 3]].tolist() == [3, 4, 1]
    assert np.isnan([spread.minimum[[1, 4]], spread.median[[1, 4]], spread.maximum[[1, 4]]]).all()


def test_spread_of_nothing() -> None:
    assert spread_of(votes_of([])).n.tolist() == []
    assert spread_of(votes_of([[]])).n.tolist() == [0]


@given(GRADES)
def test_spread_equals_numpys_own(pairs: list[list[int]]) -> None:
    spread = spread_of(votes_of(pairs))
    assert spread.median.tolist() == [np.median(grades) for grades in pairs]
    assert spread.minimum.tolist() == [min(grades) for grades in pairs]
    assert spread.maximum.tolist() == [max(grades) for grades in pairs]


def test_counts_by_grade_on_a_scale_with_gaps() -> None:
    assert grade_counts(votes_of([[0, 4, 4], [], [2]]), Scale((0, 2, 4))).tolist() == [[1, 0, 2], [0, 0, 0], [0, 1, 0]]


def test_choosing_pairs_and_people() -> None:
    votes = votes_of([[1, 2], [3], [4, 0]])
    chosen = votes.of(np.array([True, False, True]))
    assert (chosen.pair.tolist(), chosen.grade.tolist(), chosen.n_pairs) == ([0, 0, 1, 1], [1, 2, 4, 0], 2)
    second = votes.by(np.array([False, True]))
    assert (second.pair.tolist(), second.grade.tolist(), second.n_pairs) == ([0, 2], [2, 0], 3)


@pytest.mark.parametrize(
    ("grades", "least", "most", "expected"),
    [
        ([2], 2, 1, Reason.TOO_FEW),
        ([], 1, 1, Reason.TOO_FEW),
        ([2, 3], 2, 1, Reason.KEPT),
        ([1, 3], 2, 1, Reason.TOO_FAR_APART),
        ([1, 3], 3, 1, Reason.TOO_FEW),  # the first reason that applies
        ([0, 4], 2, None, Reason.KEPT),
        ([2, 2, 3], 2, 0, Reason.TOO_FAR_APART),
        ([2], 1, 0, Reason.KEPT),
    ],
)
def test_filter(grades: list[int], least: int, most: int | None, expected: Reason) -> None:
    assert filter_pairs(spread_of(votes_of([grades])), min_judgments=least, max_range=most).tolist() == [expected]


@pytest.mark.shared
def test_worked_example_of_filter_and_median(shared_data: Path) -> None:
    example = worked_example(shared_data, "seed_consolidate_basic")
    votes = votes_of(example["input"]["ratings"])
    kept = filter_pairs(spread_of(votes), min_judgments=2, max_range=1) == Reason.KEPT
    grade = iter(median_grade(votes.of(kept), SCALE).grade.tolist())
    assert [next(grade) if keep else None for keep in kept] == example["expected"]["grades"]


@pytest.mark.parametrize(
    ("grades", "grade", "confidence"),
    [
        ([2, 3], 2, 0.75),
        ([2, 3, 3], 3, 0.75),
        ([0, 1, 1, 0], 0, 0.75),
        ([4, 4], 4, 1.0),
        ([0, 4], 2, 0.0),
        ([0, 1, 3, 4], 2, 0.0),
        ([3], 3, 1.0),
    ],
)
def test_median_by_hand(grades: list[int], grade: int, confidence: float) -> None:
    outcome = median_grade(votes_of([grades]), SCALE)
    assert (outcome.grade.tolist(), outcome.confidence.tolist()) == ([grade], [confidence])


def test_median_on_a_scale_with_gaps_goes_down_to_a_grade() -> None:
    outcome = median_grade(votes_of([[0, 2], [2, 4], [4, 4, 2]]), Scale((0, 2, 4)))
    assert (outcome.grade.tolist(), outcome.confidence.tolist()) == ([0, 2, 4], [0.5, 0.5, 0.5])


@pytest.mark.parametrize(
    ("grades", "grade", "confidence"),
    [([2, 3, 3], 3, 2 / 3), ([3, 1], 1, 0.5), ([4, 4, 0, 0, 1], 0, 0.4), ([2], 2, 1.0)],
)
def test_majority_by_hand(grades: list[int], grade: int, confidence: float) -> None:
    outcome = majority_grade(votes_of([grades]), SCALE)
    assert (outcome.grade.tolist(), outcome.confidence.tolist()) == ([grade], [confidence])


OF_VOTES = sorted(CONSOLIDATORS.keys() - set(MODELS))
NOTHING = nothing_known(SCALE)


@pytest.mark.parametrize(
    ("grades", "expected"),
    [([2, 3, 3], 3), ([3, 1], Reason.TIED), ([4, 4, 0, 0, 1], Reason.TIED), ([2], 2), ([1, 1, 2, 3, 4], 1)],
)
def test_a_plurality_must_be_alone(grades: list[int], expected: int | Reason) -> None:
    outcome = plurality_grade(votes_of([grades]), SCALE)
    assert (outcome.reason[0] if isinstance(expected, Reason) else outcome.grade[0]) == expected
    assert (outcome.reason[0] == Reason.KEPT) == (not isinstance(expected, Reason))


@pytest.mark.parametrize(
    ("grades", "reason", "confidence"),
    [([2, 3, 3], Reason.KEPT, 2 / 3), ([3, 1], Reason.NO_MAJORITY, 0.0), ([1, 1, 2, 3], Reason.NO_MAJORITY, 0.0)],
)
def test_a_strict_majority_is_more_than_half(grades: list[int], reason: Reason, confidence: float) -> None:
    outcome = strict_majority_grade(votes_of([grades]), SCALE)
    assert (outcome.reason.tolist(), outcome.confidence.tolist()) == ([reason], [confidence])


@pytest.mark.parametrize(
    ("grades", "grade", "confidence"),
    [([2, 3], 2, 0.75), ([2, 3, 3], 3, 7 / 9), ([0, 4], 2, 0.0), ([0, 0, 4], 1, 1 / 9), ([3], 3, 1.0)],
)
def test_mean_by_hand(grades: list[int], grade: int, confidence: float) -> None:
    outcome = mean_grade(votes_of([grades]), SCALE)
    assert outcome.grade.tolist() == [grade]
    assert outcome.confidence.tolist() == pytest.approx([confidence])


def test_mean_on_a_scale_with_gaps_goes_to_the_nearest_grade() -> None:
    outcome = mean_grade(votes_of([[0, 2], [0, 10], [2, 10, 10]]), Scale((0, 2, 10)))
    assert outcome.grade.tolist() == [0, 2, 10]


@pytest.mark.parametrize("name", sorted(CONSOLIDATORS))
def test_no_grade_is_made_of_nothing(name: str) -> None:
    outcome = CONSOLIDATORS[name](votes_of([[1, 1], [], [1]]), SCALE, NOTHING)
    assert (outcome.reason == Reason.TOO_FEW).tolist() == [False, True, False]
    assert outcome.confidence[1] == 0
    nothing: list[list[list[int]]] = [[], [[]]]
    for empty in nothing:
        assert CONSOLIDATORS[name](votes_of(empty), SCALE, NOTHING).reason.tolist() == [Reason.TOO_FEW] * len(empty)


@pytest.mark.parametrize("name", OF_VOTES)
@given(pairs=GRADES)
def test_a_grade_lies_among_those_given(name: str, pairs: list[list[int]]) -> None:
    outcome = CONSOLIDATORS[name](votes_of(pairs), SCALE, NOTHING)
    assert all(min(g) <= grade <= max(g) for g, grade in zip(pairs, outcome.grade.tolist(), strict=True))
    assert ((outcome.confidence >= 0) & (outcome.confidence <= 1)).all()


@pytest.mark.parametrize("name", sorted(CONSOLIDATORS))
@given(grade=st.integers(0, 4), n=st.integers(1, 9))
def test_unanimity_is_certain(name: str, grade: int, n: int) -> None:
    """One annotator and all the same grade are cases of it. Models stay short of certainty; to MACE it may be people
    who do not look."""
    outcome = CONSOLIDATORS[name](votes_of([[grade] * n]), SCALE, NOTHING)
    assert (outcome.grade.tolist(), outcome.reason.tolist()) == ([grade], [Reason.KEPT])
    least = {"mace": 1 / 5}.get(name, 1 / 2)
    assert outcome.confidence[0] == 1.0 if name in OF_VOTES else outcome.confidence[0] > least


@pytest.mark.parametrize("name", sorted(CONSOLIDATORS))
@settings(max_examples=20)
@given(pairs=GRADES, data=st.data())
def test_the_order_of_votes_changes_no_bit(name: str, pairs: list[list[int]], data: st.DataObject) -> None:
    votes = votes_of(pairs)
    order = np.array(data.draw(st.permutations(range(len(votes.pair)))), dtype=np.int64)
    shuffled = Votes(votes.pair[order], votes.annotator[order], votes.grade[order], votes.n_pairs)
    one, other = (CONSOLIDATORS[name](each, SCALE, NOTHING) for each in (votes, shuffled))
    for column in ("grade", "confidence", "reason"):
        assert getattr(one, column).tolist() == getattr(other, column).tolist()
