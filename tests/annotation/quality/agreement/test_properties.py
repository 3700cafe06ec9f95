"""What every coefficient must do: nothing but what was said matters, and whole agreement is 1."""

from collections.abc import Callable
from random import Random

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from annotation.quality.agreement.alpha import Level, krippendorff_alpha
from annotation.quality.agreement.complete import CompleteGrades
from annotation.quality.agreement.counts import GradeCounts, counts_of_votes
from annotation.quality.agreement.fleiss import fleiss_kappa
from annotation.quality.agreement.gwet import gwet_ac1, gwet_ac2
from annotation.quality.agreement.icc import icc_one
from annotation.quality.agreement.icc_two_way import two_way_icc
from annotation.quality.agreement.kendall import kendall_w
from annotation.quality.agreement.percent import exact_agreement, pairwise_agreement
from annotation.quality.agreement.randolph import randolph_kappa
from annotation.quality.agreement.result import Agreement
from annotation.quality.scale import Scale
from tests.annotation.quality.agreement.tables import counts, rated, some_ratings, votes_of

OfCounts = Callable[[GradeCounts], Agreement]
Ratings = list[list[int | None]]


def alpha(level: Level) -> OfCounts:
    return lambda table: krippendorff_alpha(table, level=level)


NOMINAL: dict[str, OfCounts] = {
    "exact": exact_agreement,
    "pairwise": pairwise_agreement,
    "alpha nominal": alpha(Level.NOMINAL),
    "fleiss": fleiss_kappa,
    "randolph": randolph_kappa,
    "ac1": gwet_ac1,
}
ALL: dict[str, OfCounts] = {
    **NOMINAL,
    **{f"alpha {level}": alpha(level) for level in Level},
    "ac2": gwet_ac2,
    "icc": icc_one,
}


def same(agreement: Agreement, expected: Agreement) -> None:
    assert agreement.value == pytest.approx(expected.value, abs=1e-9)
    assert (agreement.reason, agreement.n_items, agreement.n_judgments) == (
        expected.reason,
        expected.n_items,
        expected.n_judgments,
    )


@settings(max_examples=40)
@given(some_ratings(), st.randoms(use_true_random=False))
def test_the_order_of_people_and_items_does_not_matter(ratings: Ratings, random: Random) -> None:
    people = ratings.copy()
    random.shuffle(people)
    items = list(zip(*people, strict=True))
    random.shuffle(items)
    shuffled = [list(row) for row in zip(*items, strict=True)]
    for coefficient in ALL.values():
        same(coefficient(rated(shuffled, range(4))), coefficient(rated(ratings, range(4))))


@settings(max_examples=40)
@given(some_ratings(), st.permutations(range(4)))
def test_nominal_coefficients_do_not_care_for_the_order_of_grades(ratings: Ratings, order: list[int]) -> None:
    table = rated(ratings, range(4))
    for coefficient in NOMINAL.values():
        same(coefficient(counts(table.counts[:, order])), coefficient(table))


@settings(max_examples=40)
@given(some_ratings())
def test_turning_the_scale_round_changes_nothing_but_ratios(ratings: Ratings) -> None:
    table = rated(ratings, range(4))
    for name in set(ALL) - {"alpha ratio"}:
        same(ALL[name](counts(table.counts[:, ::-1])), ALL[name](table))


@settings(max_examples=40)
@given(st.lists(st.integers(0, 3), min_size=2, max_size=8), st.integers(2, 5))
def test_whole_agreement_is_one_or_without_variation_undefined(grades: list[int], n_people: int) -> None:
    table = rated([grades] * n_people, range(4))
    for name, coefficient in ALL.items():
        agreement = coefficient(table)
        if len(set(grades)) == 1 and name not in {"exact", "pairwise", "randolph", "ac1", "ac2"}:
            assert "one and the same grade" in agreement.reason
        else:
            assert agreement.value == pytest.approx(1, abs=1e-12)
    complete = CompleteGrades.of(votes_of([grades] * n_people, Scale())[0])
    assume(len(set(grades)) > 1)
    assert [each.value for each in two_way_icc(complete)] == pytest.approx([1] * 4, abs=1e-12)
    assert kendall_w(complete).value == pytest.approx(1, abs=1e-12)


@settings(max_examples=40)
@given(some_ratings())
def test_no_coefficient_is_above_one_and_items_with_one_judgment_change_no_alpha(ratings: Ratings) -> None:
    table = rated(ratings, range(4))
    more = GradeCounts(np.concatenate([table.counts, np.eye(4, dtype=np.int64)]), table.values)
    for name, coefficient in ALL.items():
        value = coefficient(table).value
        assert value is None or value <= 1 + 1e-12
        if name.startswith(("alpha", "icc", "exact", "pairwise", "randolph")) and value is not None:
            assert coefficient(more).value == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize("name", ALL)
def test_nothing_to_compare_says_so(name: str) -> None:
    scale = Scale((0, 1, 2, 3))

    def reason(ratings: Ratings) -> str:
        agreement = ALL[name](counts_of_votes(*votes_of(ratings, scale)[:2]))
        assert (agreement.value, agreement.n_items, agreement.n_judgments, agreement.n_annotators) == (None, 0, 0, 0)
        return agreement.reason

    assert reason([[None, None]]) == "There are no judgments to compare."
    assert reason([[1, 2]]) == "Only one person has judged."
    assert reason([[1, None], [None, 2]]) == "No item was judged by two people."


def test_people_are_counted_who_can_be_compared() -> None:
    votes, scale, _ = votes_of([[0, 1, None], [0, None, None], [None, None, 2]], Scale((0, 1, 2)))
    table = counts_of_votes(votes, scale)
    agreement = krippendorff_alpha(table)
    assert (table.n_annotators, agreement.n_annotators, agreement.n_items, agreement.n_judgments) == (3, 2, 1, 2)


def test_a_result_has_a_value_or_a_reason() -> None:
    for value, reason in ((None, ""), (0.5, "because")):
        with pytest.raises(ValueError, match="either a value or a reason"):
            Agreement(value, reason, 1, 2, 2)
    assert Agreement(0.0, "", 1, 2, 2).defined
    assert not Agreement(None, "because", 1, 2, 2).defined


@pytest.mark.parametrize(
    ("rows", "n_grades", "topic"),
    [([[1, 0]], 3, None), ([[1, -1]], 2, None), ([[1, 1]], 2, [0, 0])],
)
def test_a_table_that_does_not_fit_is_refused(rows: list[list[int]], n_grades: int, topic: list[int] | None) -> None:
    with pytest.raises(ValueError, match=r"grade|topic"):
        counts(rows, range(n_grades), topic=None if topic is None else np.array(topic))
