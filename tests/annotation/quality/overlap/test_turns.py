"""Who came when: turns, and tables cut off after so many of them."""

import numpy as np

from annotation.quality.agreement import agreement_rows
from annotation.quality.counted import answer_rows, counted_rows
from annotation.quality.overlap.turns import cut_off, numbers_of, turns_of
from annotation.quality.purpose import Purpose
from annotation.quality.scale import Scale
from tests.annotation.quality.build import inputs_of, table_of

X, Y = ("1", "x"), ("1", "y")


def test_turns_by_hand() -> None:
    """In the order of saving, whatever the order of the rows; a revision has the turn of the first answer."""
    table = table_of(
        [(*X, "b", 1), (*Y, "a", 0), (*X, "a", 2), (*X, "c", 3), (*X, "b", 4)],
        sequence=[5, 6, 2, 7, 9],
        revision=[1, 1, 1, 1, 2],
    )
    assert turns_of(table).tolist() == [1, 0, 0, 2, 1]
    key, n = numbers_of(table, turns_of(table))
    assert (key.tolist(), n.tolist()) == (table.pair[[0, 1]].tolist(), [3, 1])


def test_what_took_no_room_has_no_turn() -> None:
    purpose = [Purpose.ORDINARY, Purpose.REPEAT, Purpose.ORDINARY, Purpose.ELSEWHERE, Purpose.ADDED, Purpose.CHECK]
    table = table_of(
        [(*X, "a", 1), (*X, "a", 1), (*X, "b", 1), (*X, "c", 1), (*X, "d", 1), (*Y, "a", 1)],
        reading=[1, 2, 1, 1, 1, 1],
        surplus=[False, False, True, False, False, False],
        purpose=[int(each) for each in purpose],
    )
    assert turns_of(table).tolist() == [0, -1, -1, -1, 1, -1]


def test_somebody_excluded_had_a_turn() -> None:
    """The room they took is taken: what is put in its place is asked for apart, and confirmed by an admin."""
    inputs = inputs_of(table_of([(*X, "a", 1), (*X, "b", 1)]), excluded=["a"])
    assert turns_of(inputs.table).tolist() == [0, 1]


def test_cut_off_after_so_many() -> None:
    rows = [(*X, "a", 1), (*Y, "a", 1), (*X, "b", 2), (*X, "c", 3), (*X, "a", 4)]
    inputs = inputs_of(table_of(rows, revision=[1, 1, 1, 1, 2]))
    turn = turns_of(inputs.table)
    key, _ = numbers_of(inputs.table, turn)
    cut = cut_off(inputs, turn, key, np.array([2, 0]))
    assert cut.table.grade.tolist() == [1, 2, 4]
    assert (cut.table.numbers, cut.table.docnos) == (inputs.table.numbers, inputs.table.docnos)


def test_nothing_has_no_turns() -> None:
    inputs = inputs_of(table_of([]))
    turn = turns_of(inputs.table)
    assert (len(turn), len(numbers_of(inputs.table, turn)[0])) == (0, 0)


def test_what_was_added_counts_but_not_for_agreement() -> None:
    """Only pairs in doubt have judgments added: with them, agreement would look worse than it is."""
    purpose = [Purpose.ORDINARY, Purpose.ORDINARY, Purpose.ADDED]
    table = table_of([(*X, "a", 0), (*X, "b", 4), (*X, "c", 4)], purpose=[int(each) for each in purpose])
    assert counted_rows(table, scale=Scale()).tolist() == [0, 1, 2]
    assert answer_rows(table, count_not_blind=True).tolist() == [0, 1, 2]
    assert agreement_rows(inputs_of(table)).tolist() == [0, 1]
