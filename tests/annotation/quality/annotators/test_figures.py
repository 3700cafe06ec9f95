"""Figures of people, each by hand or beside numpy's and scipy's own."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from annotation.quality.annotators.figure import Figure, figures, shares
from annotation.quality.annotators.means import means, slopes, student_quantile
from annotation.quality.wilson import wilson_interval

ROWS = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 9), st.integers(-4, 4)), max_size=40)


def test_a_figure_has_a_value_or_a_reason() -> None:
    with pytest.raises(ValueError, match="either a value or a reason"):
        Figure(None, "", 0)
    with pytest.raises(ValueError, match="either a value or a reason"):
        Figure(0.5, "Why not.", 3)


def test_who_has_too_little_is_told_why() -> None:
    figure = figures(np.array([np.nan, 0.5, 0.5, np.nan]), np.array([0, 3, 5, 9]), "cards", least=5, otherwise="Alike.")
    assert figure.of(0) == Figure(None, "No cards.", 0)
    assert figure.of(1) == Figure(None, "Only 3 cards; it takes 5.", 3)
    assert figure.of(2) == Figure(0.5, "", 5)
    assert figure.of(3) == Figure(None, "Alike.", 9)


def test_shares_of_yes_and_no_have_wilsons_interval() -> None:
    who, yes = np.array([0] * 10 + [2] * 4), np.array([1.0] * 8 + [0.0] * 2 + [1.0] * 4)
    figure = shares(who, yes, 3, "cards")
    wilson = wilson_interval(np.array([8, 0, 4]), np.array([10, 0, 4]))
    assert figure.n.tolist() == [10, 0, 4]
    assert figure.value[[0, 2]].tolist() == [0.8, 1.0]
    assert figure.low[[0, 2]].tolist() == wilson.low[[0, 2]].tolist()
    assert figure.high[[0, 2]].tolist() == wilson.high[[0, 2]].tolist()
    assert not figure.of(1).defined


@pytest.mark.parametrize("freedom", [4, 5, 9, 30, 1000])
def test_students_quantile_is_scipys(freedom: int) -> None:
    assert student_quantile(np.array([freedom]))[0] == pytest.approx(stats.t.ppf(0.975, freedom), abs=2e-3)


@given(ROWS)
def test_means_are_numpys_with_students_interval(rows: list[tuple[int, int, int]]) -> None:
    column = np.array(rows, dtype=np.int64).reshape(-1, 3)
    figure = means(column[:, 0], column[:, 2].astype(float), 3, "cards")
    for i in range(3):
        value = column[column[:, 0] == i, 2]
        assert figure.n[i] == len(value)
        if len(value) < 5:
            assert np.isnan(figure.value[i])
        else:
            assert figure.value[i] == pytest.approx(value.mean())
            if len(set(value.tolist())) > 1:
                ends = stats.t.interval(0.95, len(value) - 1, value.mean(), stats.sem(value))
                assert [figure.low[i], figure.high[i]] == pytest.approx(ends, abs=6e-3)
            else:
                assert figure.of(i).low is None


@given(ROWS)
def test_slopes_are_scipys(rows: list[tuple[int, int, int]]) -> None:
    column = np.array(rows, dtype=np.int64).reshape(-1, 3)
    figure = slopes(column[:, 0], column[:, 1].astype(float), column[:, 2].astype(float), 3, "cards", least=5)
    for i in range(3):
        of_one = column[column[:, 0] == i]
        if len(of_one) < 5 or len(set(of_one[:, 1].tolist())) == 1:
            assert np.isnan(figure.value[i])
            continue
        line = stats.linregress(of_one[:, 1], of_one[:, 2])
        assert figure.value[i] == pytest.approx(line.slope, abs=1e-9)
        if figure.of(i).low is not None:
            half = stats.t.ppf(0.975, len(of_one) - 2) * line.stderr
            assert figure.high[i] - figure.low[i] == pytest.approx(2 * half, rel=3e-2, abs=1e-6)


@given(ROWS)
def test_slopes_among_those_alike_are_least_squares_with_a_level_for_each(rows: list[tuple[int, int, int]]) -> None:
    column = np.array(rows, dtype=np.int64).reshape(-1, 3)
    alike = np.arange(len(column)) % 2
    place, value = column[:, 1].astype(float), column[:, 2].astype(float)
    figure = slopes(column[:, 0], place, value, 3, "cards", least=5, alike=alike)
    for i in range(3):
        mine = column[:, 0] == i
        levels = np.stack([alike[mine] == each for each in set(alike[mine].tolist())], axis=1) if mine.any() else None
        if levels is None or mine.sum() < 5:
            continue
        design = np.column_stack([place[mine], levels])
        if np.linalg.matrix_rank(design) == design.shape[1]:
            solved = np.linalg.lstsq(design, value[mine], rcond=None)[0]
            assert figure.value[i] == pytest.approx(solved[0], abs=1e-9)


def test_one_place_and_one_value_are_told_from_rounding() -> None:
    """The mean of 59 times 0.39 is off by the last bit: no line is drawn through that, and no interval."""
    who, right = np.zeros(59, dtype=np.int64), (np.arange(59) % 3 > 0).astype(np.float64)
    place = np.full(59, 39 / 100)
    assert slopes(who, place, right, 1, "golds", least=20).of(0).reason == "All have one place."
    alone = means(who, place, 1, "values").of(0)
    assert alone.value == pytest.approx(0.39)
    assert alone.low is None
    exact = slopes(who, np.arange(59) / 100, 0.1 + np.arange(59) / 30, 1, "golds", least=20).of(0)
    assert exact.value == pytest.approx(100 / 30)
    assert exact.low is None
