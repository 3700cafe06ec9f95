import itertools
import math
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from evaluation.engine.arrays import Floats
from evaluation.engine.significance.correlation import kendall_tau_b, tau_ap, tau_ap_a, tau_ap_b
from tests.annotation.quality.worked import worked_example


@pytest.mark.shared
def test_the_first_set_of_ircor(shared_data: Path) -> None:
    """Worked example kendall_tau_tauAP_ircor_set1: the tests of the R package ircor (Urbano and Marrero 2017)."""
    example = worked_example(shared_data, "kendall_tau_tauAP_ircor_set1")
    x, y, x_tied, y_tied = (np.array(example["input"][key], np.float64) for key in ("x", "y", "xt", "yt"))
    coefficients = {
        "tau": kendall_tau_b(x, y).value,
        "tau_b_on_ties": kendall_tau_b(x_tied, y_tied).value,
        "tauAP": tau_ap(x, y).value,
        "tauAP_symmetric": (tau_ap(x, y).value + tau_ap(y, x).value) / 2,
        "tauAP_a_xy_ties_in_y": tau_ap_a(x, y_tied).value,
        "tauAP_b_on_ties": tau_ap_b(x_tied, y_tied).value,
    }
    assert coefficients == pytest.approx(example["expected"], abs=example["tolerance"])


def test_the_third_set_of_ircor() -> None:
    """julian-urbano/ircor @ 6335f56, tests/testthat: an order that is nearly reversed."""
    x = np.array([0.185, 0.573, 0.944, 0.129, 0.468, 0.553, 0.761, 0.405, 0.976, 0.445])
    y = np.array([0.845, 0.272, 0.275, 0.924, 0.605, 0.334, 0.162, 0.872, 0.018, 0.25])
    x_tied = np.array([0.2, 0.6, 0.9, 0.1, 0.5, 0.6, 0.8, 0.4, 1.0, 0.4])
    y_tied = np.array([0.8, 0.3, 0.3, 0.9, 0.6, 0.3, 0.2, 0.9, 0.0, 0.2])
    assert tau_ap(x, y).value == pytest.approx(-0.6971, abs=6e-5)
    assert tau_ap_a(x, y_tied).value == pytest.approx(-0.5558, abs=6e-5)
    assert tau_ap_b(x, y).value == pytest.approx(-0.668, abs=6e-5)
    assert tau_ap_b(x_tied, y_tied).value == pytest.approx(-0.7047, abs=6e-5)


@pytest.mark.parametrize("seed", range(20))
def test_tau_b_is_scipys(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 40))
    first, second = rng.integers(0, 1 + n // 2, n) / 8, rng.integers(0, 1 + n, n) / 8
    expected = float(stats.kendalltau(first, second).statistic)
    assert kendall_tau_b(first, second).value == pytest.approx(expected, abs=1e-12, nan_ok=True)


def defined_tau_ap(reference: Floats, other: Floats) -> float:
    """Yilmaz and others' definition, system by system down the other order."""
    order = sorted(range(other.size), key=lambda i: -other[i])
    shares = [
        sum(bool(reference[above] > reference[system]) for above in order[:rank]) / rank
        for rank, system in enumerate(order)
        if rank > 0
    ]
    return 2 * sum(shares) / (len(order) - 1) - 1


@pytest.mark.parametrize("seed", range(10))
def test_tau_ap_is_its_definition(seed: int) -> None:
    rng = np.random.default_rng(seed)
    reference, other = rng.permutation(9) / 8, rng.permutation(9) / 8
    expected = defined_tau_ap(reference, other)
    assert tau_ap(reference, other).value == pytest.approx(expected, abs=1e-12)
    assert tau_ap_a(reference, other).value == pytest.approx(expected, abs=1e-12)
    both = (expected + defined_tau_ap(other, reference)) / 2
    assert tau_ap_b(reference, other).value == pytest.approx(both, abs=1e-12)


@pytest.mark.parametrize("other", [[1, 1, 2, 3, 3, 3], [2, 2, 2, 2, 2, 2], [3, 1, 1, 1, 2, 3], [1, 2, 3, 4, 5, 5]])
def test_tau_ap_a_is_the_mean_over_all_ways_to_break_ties(other: list[int]) -> None:
    reference, tied = np.array([5.0, 1, 4, 2, 6, 3]), np.array(other, np.float64)
    values = [defined_tau_ap(reference, tied + np.array(nudge) / 100) for nudge in itertools.permutations(range(6))]
    assert tau_ap_a(reference, tied).value == pytest.approx(np.mean(values), abs=1e-12)


def test_equal_and_reversed_orders() -> None:
    values = np.array([0.3, 0.1, 0.4, 0.2])
    for coefficient in (kendall_tau_b, tau_ap, tau_ap_a, tau_ap_b):
        assert coefficient(values, 10 + values).value == pytest.approx(1)
        assert coefficient(values, -values).value == pytest.approx(-1)
    assert kendall_tau_b(values, values).name == "tau_b"
    assert [f(values, values).name for f in (tau_ap, tau_ap_a, tau_ap_b)] == ["tau_AP", "tau_AP_a", "tau_AP_b"]


def test_a_swap_at_the_top_costs_tau_ap_more() -> None:
    truth = np.array([5.0, 4, 3, 2, 1])
    top, bottom = np.array([4.0, 5, 3, 2, 1]), np.array([5.0, 4, 3, 1, 2])
    assert kendall_tau_b(truth, top).value == kendall_tau_b(truth, bottom).value
    assert tau_ap(truth, top).value < tau_ap(truth, bottom).value


def test_no_order_at_all_says_so() -> None:
    for symmetric in (kendall_tau_b, tau_ap_b):
        coefficient = symmetric(np.ones(3), np.array([1.0, 2, 3]))
        assert math.isnan(coefficient.value)
        assert coefficient.note == "all systems are tied in one of the orders"


def test_what_cannot_be_answered() -> None:
    tied, order = np.array([1.0, 1, 2]), np.array([1.0, 2, 3])
    with pytest.raises(ValueError, match="the other order has ties"):
        tau_ap(order, tied)
    for asymmetric in (tau_ap, tau_ap_a):
        with pytest.raises(ValueError, match="the reference has ties"):
            asymmetric(tied, order)
    for coefficient in (kendall_tau_b, tau_ap, tau_ap_a, tau_ap_b):
        with pytest.raises(ValueError, match="3 systems and 2"):
            coefficient(order, order[:2])
        with pytest.raises(ValueError, match="at least two systems"):
            coefficient(order[:1], order[:1])
        with pytest.raises(ValueError, match="finite"):
            coefficient(order, np.array([1.0, math.nan, 2]))
