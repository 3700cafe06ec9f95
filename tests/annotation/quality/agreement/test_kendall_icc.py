"""Kendall's W and intraclass correlations."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from scipy import stats

from annotation.quality.agreement.complete import CompleteGrades
from annotation.quality.agreement.icc import icc_mean, icc_one
from annotation.quality.agreement.icc_two_way import two_way_icc
from annotation.quality.agreement.kendall import kendall_w
from annotation.quality.scale import Scale
from tests.annotation.quality.agreement.tables import counts, rated, some_ratings, votes_of
from tests.annotation.quality.worked import worked_example

# P. E. Shrout and J. L. Fleiss, Psychological Bulletin 86 (1979), table 2: 6 targets, 4 judges
SHROUT = [[9, 6, 8, 7, 10, 6], [2, 1, 4, 1, 5, 2], [5, 3, 6, 2, 6, 4], [8, 2, 8, 6, 9, 7]]


def complete(ratings: Sequence[Sequence[int | None]]) -> CompleteGrades:
    return CompleteGrades.of(votes_of(ratings, Scale())[0])


@pytest.mark.shared
def test_worked_example_of_kendalls_w(shared_data: Path) -> None:
    example = worked_example(shared_data, "kendall_W_siegel_3x6")
    agreement = kendall_w(complete(example["input"]["ranks"]))
    assert agreement.value == pytest.approx(example["expected"]["W"], abs=example["tolerance"])
    assert (agreement.n_items, agreement.n_judgments, agreement.n_annotators) == (6, 18, 3)


@settings(max_examples=60)
@given(some_ratings(least_people=3, missing=False))
def test_w_with_ties_beside_friedmans_test(ratings: list[list[int]]) -> None:
    """χ² = m(n − 1)W, both corrected for ties; scipy."""
    assume(len(ratings[0]) > 2 and any(len(set(row)) > 1 for row in ratings))
    agreement = kendall_w(complete(ratings))
    statistic = stats.friedmanchisquare(*np.array(ratings).T).statistic
    assert agreement.value == pytest.approx(statistic / (len(ratings) * (len(ratings[0]) - 1)), abs=1e-9)


def test_correlations_of_shrout_and_fleiss() -> None:
    """Printed: ICC(1,1) .17, (2,1) .29, (3,1) .71, (1,4) .44, (2,4) .62, (3,4) .91."""
    table, two_way = rated(SHROUT, range(11)), two_way_icc(complete(SHROUT))
    correlations = (icc_one(table), two_way.a_one, two_way.c_one, icc_mean(table), two_way.a_mean, two_way.c_mean)
    assert [round(each.value or 0, 2) for each in correlations] == [0.17, 0.29, 0.71, 0.44, 0.62, 0.91]


def test_one_milder_person_agrees_in_order_but_not_in_grade() -> None:
    agreement = two_way_icc(complete([[0, 1, 2, 3], [1, 2, 3, 4]]))
    assert agreement.c_one.value == 1
    assert agreement.a_one.value == pytest.approx(10 / 13, abs=1e-12)  # MS 10/3, 2, 0: (10/3) / (10/3 + 2/4 · 2)
    assert kendall_w(complete([[0, 1, 2, 3], [1, 2, 3, 4]])).value == 1


@settings(max_examples=60)
@given(some_ratings())
def test_the_correlation_of_unequal_items_as_written_out(ratings: list[list[int | None]]) -> None:
    items = [[grade for grade in column if grade is not None] for column in zip(*ratings, strict=True)]
    items = [item for item in items if len(item) > 1]
    agreement = icc_one(rated(ratings, range(4)))
    if len(items) < 2:
        assert agreement.reason
        return
    every = np.concatenate(items)
    n = np.array([len(item) for item in items])
    between = sum(len(item) * (np.mean(item) - every.mean()) ** 2 for item in items) / (len(items) - 1)
    within = sum(((np.array(item) - np.mean(item)) ** 2).sum() for item in items) / (len(every) - len(items))
    size = (n.sum() - (n**2).sum() / n.sum()) / (len(items) - 1)
    whole = between + (size - 1) * within
    expected = None if whole < 1e-12 else (between - within) / whole
    assert agreement.value == pytest.approx(expected, abs=1e-9)


def test_undefined_correlations_say_why() -> None:
    two_way, missing = two_way_icc(complete([[1, 2, None], [1, 2, 3]])), "of 6 judgments (2 people, 3 items) 5 are"
    assert all(missing in each.reason for each in (*two_way, kendall_w(complete([[1, 2, None], [1, 2, 3]]))))
    assert kendall_w(complete([[1, 2, 3]])).reason == "Only one person has judged."
    assert kendall_w(complete([[1], [2]])).reason == "Only one item was judged: it takes at least two."
    assert kendall_w(complete([[2, 2], [3, 3]])).reason.startswith("Everybody gave one grade throughout")
    assert all("one and the same grade" in each.reason for each in two_way_icc(complete([[2, 2], [2, 2]])))
    crossed, leaning = (two_way_icc(complete(each)) for each in ([[0, 1], [1, 0]], [[0, 0], [1, 1]]))
    little = "The items do not differ in their mean grade, or no more than errors alone make them differ."
    assert [each.reason for each in crossed] == [little, "", little, little]
    assert [each.reason for each in leaning] == ["", little, "", little]
    assert icc_one(counts([[1, 1]])).reason == "Only one item has two judgments: it takes two items."
    assert "unequal numbers" in icc_mean(counts([[1, 1], [2, 1]])).reason
    assert icc_mean(counts([[1, 1], [1, 1]])).reason == "The items do not differ in their mean grade."
    assert icc_one(counts([[2, 0], [2, 0]])).reason.startswith("All judgments compared")


def test_complete_grades_of() -> None:
    votes, _, _ = votes_of([[0, 1, None], [1, 2, None]], Scale((0, 1, 2)))
    assert CompleteGrades.of(votes).grade.tolist() == [[0, 1], [1, 2]]
    votes, _, _ = votes_of([[0, 1, None], [1, 2, 2]], Scale((0, 1, 2)))
    assert "of 6 judgments (2 people, 3 items) 5 are there" in CompleteGrades.of(votes).reason
