"""Which judgments agreement is measured on."""

from dataclasses import replace

import numpy as np

from annotation.quality.agreement import agreement_rows
from annotation.quality.purpose import Purpose
from tests.annotation.quality.build import inputs_of, table_of


def test_gold_checks_and_repeats_stay_out() -> None:
    judgments = [
        ("1", "a", "A", 1),
        ("1", "g", "A", 1),
        ("1", "c", "A", 1),
        ("1", "a", "A", 2),
        ("1", "c", "B", 1),
        ("1", "r", "B", 1),
    ]
    table = table_of(
        judgments,
        purpose=[Purpose.ORDINARY, Purpose.GOLD, Purpose.CHECK, Purpose.REPEAT, Purpose.ORDINARY, Purpose.GOLD],
        reading=[1, 1, 1, 2, 1, 1],
    )
    inputs = inputs_of(table, gold={("1", "g"): 1})
    assert agreement_rows(inputs).tolist() == [0]
    without = replace(inputs, excluded=frozenset({0}))
    assert agreement_rows(without).tolist() == []
    assert agreement_rows(without, with_excluded=True).tolist() == [0]


def test_gold_that_nobody_planted_is_compared_as_any_other_pair() -> None:
    table = table_of([("1", docno, who, 1) for docno in ("a", "b") for who in ("A", "B")])
    known = {("1", "a"): 1, ("1", "b"): 1}
    assert agreement_rows(inputs_of(table, gold=known)).tolist() == [0, 1, 2, 3]
    planted = replace(table, purpose=np.array([Purpose.ORDINARY] * 3 + [Purpose.GOLD]))
    assert agreement_rows(inputs_of(planted, gold=known)).tolist() == [0, 1]
