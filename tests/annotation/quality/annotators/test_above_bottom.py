"""How often somebody gives more than the lowest grade, beside the others."""

import numpy as np
import pytest

from annotation.quality.annotators import Profiles
from annotation.quality.inputs import Inputs
from annotation.trust.pages.annotator.remarks import standing_out
from tests.annotation.quality.build import Judgment, inputs_of, table_of


def crowd(times: float) -> Inputs:
    """Three people on 300 pairs; the first finds `times` as many worth something as the others, 30 %."""
    rng = np.random.default_rng(5)
    rows: list[Judgment] = []
    for i in range(300):
        worth = rng.random()
        shares = {"A": 0.3 * times, "B": 0.3, "C": 0.3}
        rows += [("1", f"d{i:03}", who, 1 if worth < share else 0) for who, share in shares.items()]
    return inputs_of(table_of(rows))


def test_by_hand() -> None:
    """A is above 0 on two of three pairs; of the others half, then all, then none are."""
    grades_by_docno = {"a": (1, 1, 0), "b": (2, 1, 3), "c": (0, 0, 0)}
    rows = [("1", d, who, grade) for d, row in grades_by_docno.items() for who, grade in zip("ABC", row, strict=True)]
    figures = Profiles(inputs_of(table_of(rows))).above_bottom
    assert figures.own.n.tolist() == [3, 3, 3]
    beside = Profiles(inputs_of(table_of(rows))).beside
    assert beside.others_above[beside.who == 0].tolist() == pytest.approx([0.5, 1, 0])


@pytest.mark.parametrize(("times", "stands_out"), [(1.6, True), (1.0, False), (0.5, True)])
def test_a_judge_with_many_more_or_fewer_stands_out(times: float, stands_out: bool) -> None:
    profiles = Profiles(crowd(times))
    remarks = standing_out(profiles, 0, threshold=0.7)
    assert any("more than the lowest grade" in remark for remark in remarks) == stands_out
    ratio = profiles.above_bottom.own.of(0).value
    assert ratio is not None
    assert ratio / 0.3 == pytest.approx(times, rel=0.15)
