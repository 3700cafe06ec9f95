"""Step 1: which judgments count."""

from collections.abc import Collection

import numpy as np
import pytest

from annotation.quality.counted import counted_rows
from annotation.quality.purpose import Purpose
from annotation.quality.scale import Scale
from annotation.quality.table import JudgmentTable
from tests.annotation.quality.build import table_of

PAIR = ("1", "a")


def rows(table: JudgmentTable, *, excluded: Collection[int] = (), count_not_blind: bool = False) -> list[int]:
    numbers: list[int] = counted_rows(table, scale=Scale(), excluded=excluded, count_not_blind=count_not_blind).tolist()
    return numbers


def test_the_latest_revision_counts_wherever_its_row_stands() -> None:
    table = table_of([(*PAIR, "A", 3), (*PAIR, "A", 1), (*PAIR, "A", 2)], sequence=[5, 9, 7], revision=[1, 3, 2])
    assert rows(table) == [1]


def test_a_person_counts_once_on_a_pair_and_on_every_pair() -> None:
    table = table_of([(*PAIR, "A", 3), (*PAIR, "B", 3), ("1", "b", "A", 3), ("2", "a", "A", 3), (*PAIR, "A", 0)])
    assert rows(table) == [1, 2, 3, 4]


def test_repeats_never_count_and_do_not_revise() -> None:
    assert rows(table_of([(*PAIR, "A", 3), (*PAIR, "A", 1)], reading=[1, 2])) == [0]
    assert rows(table_of([(*PAIR, "A", 3)], reading=[2])) == []


def test_surplus_does_not_count_and_does_not_revise() -> None:
    assert rows(table_of([(*PAIR, "A", 3), (*PAIR, "A", 1)], surplus=[False, True])) == [0]


@pytest.mark.parametrize(
    ("purpose", "expected"),
    [
        (Purpose.ORDINARY, [0]),
        (Purpose.GOLD, [0]),
        (Purpose.CHECK, []),
        (Purpose.REPEAT, []),
        (Purpose.QUALIFICATION, []),
    ],
)
def test_what_a_judgment_was_asked_for(purpose: Purpose, expected: list[int]) -> None:
    assert rows(table_of([(*PAIR, "A", 3)], purpose=[purpose])) == expected


def test_people_who_could_see_the_gold_count_only_where_wanted() -> None:
    table = table_of([(*PAIR, "A", 3), (*PAIR, "B", 3)], blind=[False, True])
    assert rows(table) == [1]
    assert rows(table, count_not_blind=True) == [0, 1]
    assert counted_rows(table, scale=Scale()).tolist() == [1]


def test_excluded_people_do_not_count() -> None:
    table = table_of([(*PAIR, "A", 3), (*PAIR, "B", 3), (*PAIR, "C", 3)])
    assert rows(table, excluded={0, 2}) == [1]


@pytest.mark.parametrize("code", [-1, 1])
def test_nobody_else_can_be_excluded(code: int) -> None:
    with pytest.raises(ValueError, match="no annotator"):
        rows(table_of([(*PAIR, "A", 3)]), excluded={code})


@pytest.mark.parametrize("grade", [-2, 5, 99])
def test_a_value_outside_the_scale_is_cannot_judge_not_a_number(grade: int) -> None:
    assert rows(table_of([(*PAIR, "A", grade)])) == []


def test_cannot_judge_as_the_last_word_takes_the_grade_back() -> None:
    assert rows(table_of([(*PAIR, "A", 3), (*PAIR, "A", -2)])) == []
    assert rows(table_of([(*PAIR, "A", -2), (*PAIR, "A", 3)])) == [1]


def test_an_empty_table() -> None:
    assert rows(table_of([])) == []


def test_scale_with_gaps() -> None:
    scale = Scale((0, 2, 4))
    assert scale.holds(np.array([-1, 0, 1, 2, 3, 4, 5])).tolist() == [False, True, False, True, False, True, False]
    assert scale.index_of(np.array([0, 2, 4])).tolist() == [0, 1, 2]
    assert scale.at_most(np.array([-1, 0, 1, 2, 3, 4, 9])).tolist() == [0, 0, 0, 2, 2, 4, 4]


@pytest.mark.parametrize("grades", [(), (1,), (1, 1), (2, 1), (-1, 0), tuple(range(12))])
def test_what_is_no_scale(grades: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="grades"):
        Scale(grades)
