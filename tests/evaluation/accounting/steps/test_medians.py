"""What a dropped pair counts as in the median case: a grade of the scale, and never above the median."""

import pytest

from annotation.formats.snapshot_jsonl import DroppedPair
from annotation.quality.scale import Scale
from evaluation.accounting.steps.case_qrels import medians


@pytest.mark.parametrize(
    ("grades", "worked_out"),
    [((0, 1, 2, 3, 4), [0, 0, 2, 2, 3]), ((0, 2, 4), [0, 0, 2, 2, 2]), ((0, 4), [0, 0, 0, 0, 0])],
)
def test_halves_go_down_and_between_two_grades_down_to_the_lower(
    grades: tuple[int, ...], worked_out: list[int]
) -> None:
    pairs = [DroppedPair("1", "d", "relevance", "", 2, 0, median, 4) for median in (0.0, 0.5, 2.0, 2.5, 3.0)]
    assert medians(pairs, Scale(grades)) == worked_out
