"""Medians of many people at once."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.quality.annotators.medians import medians
from annotation.quality.arrays import Floats


def of_rows(rows: list[tuple[int, int]], n: int) -> Floats:
    """Rows of group and value; a value below 0 is not chosen."""
    group, value = np.array(rows, dtype=np.int64).reshape(-1, 2).T
    return medians(group, value, value >= 0, n)


def test_by_hand() -> None:
    medians = of_rows([(0, 10), (0, 9), (2, 20), (0, 30), (0, 12), (2, -1)], 3)
    assert medians[[0, 2]].tolist() == [11.0, 20.0]
    assert np.isnan(medians[1])


def test_nobody_and_nothing() -> None:
    assert of_rows([], 0).tolist() == []
    assert np.isnan(of_rows([], 2)).all()


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(-1, 50)), max_size=30))
def test_medians_equal_numpys_own(rows: list[tuple[int, int]]) -> None:
    chosen = [[value for who, value in rows if who == person and value >= 0] for person in range(4)]
    expected = [np.median(values) if values else np.nan for values in chosen]
    assert of_rows(rows, 4).tolist() == pytest.approx(expected, nan_ok=True)
