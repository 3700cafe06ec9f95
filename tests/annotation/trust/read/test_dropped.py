"""Dropped pairs as a page reads them: some at a time."""

import pytest

from annotation.quality.apply import apply_policy
from annotation.quality.outcome import Outcome
from annotation.quality.policy import Policy
from annotation.quality.purpose import Purpose
from annotation.trust.read.dropped import DroppedPairs, dropped_by_reason
from tests.annotation.quality.build import inputs_of, table_of

pytestmark = pytest.mark.both("reads")

EVERYBODY = Policy(count_unproven=True, min_gold=1)


def outcome() -> Outcome:
    """d1 and d3 are too far apart, d2 is kept, d4 has one judgment, c1 is a check."""
    grades = {"d1": (0, 4), "d2": (2, 2), "d3": (1, 3), "d4": (1,), "c1": (0, 4)}
    rows = [("1", docno, who, grade) for docno, each in grades.items() for who, grade in zip("ab", each, strict=False)]
    purpose = [Purpose.CHECK if docno == "c1" else Purpose.ORDINARY for _, docno, _, _ in rows]
    return apply_policy(inputs_of(table_of(rows, purpose=purpose)), EVERYBODY)


def test_as_many_as_are_asked_for() -> None:
    pairs = DroppedPairs(outcome())
    assert [pair.docno for pair in pairs] == ["d1", "d3", "d4"]
    assert (len(pairs), pairs[1].docno, [pair.docno for pair in pairs[1:]]) == (3, "d3", ["d3", "d4"])
    assert pairs[:2] == [pairs[0], pairs[1]]
    assert pairs[3:] == []


def test_of_one_reason_as_many_as_are_counted() -> None:
    counts = {each.key: each.n for each in dropped_by_reason(outcome())}
    assert {key: len(DroppedPairs(outcome(), key)) for key in counts} == counts
    assert [pair.docno for pair in DroppedPairs(outcome(), "too_few")] == ["d4"]
    assert list(DroppedPairs(outcome(), "no such reason")) == []
