"""What plots show: by the definition, and by the figures that stand beside them."""

import numpy as np
import pytest
from sklearn.metrics import precision_recall_curve, roc_curve

from evaluation.engine.beyond.alarms import alarm_cost
from evaluation.engine.beyond.commerce import catalogue_coverage, category_coverage
from evaluation.engine.beyond.curves import MOST_CUTS, MOST_POINTS, coverages, lorenz, trade
from evaluation.engine.beyond.detectors import neighbour_distance
from evaluation.engine.beyond.lists import Catalogue, Lists, cut
from evaluation.engine.beyond.recommendation import gini
from tests.evaluation.engine.beyond.test_alarms import drawn, tutorial
from tests.evaluation.engine.beyond.test_lists import CATALOGUE, LISTS


def test_lorenz_and_gini_are_one() -> None:
    path = lorenz(LISTS, CATALOGUE)
    assert (path.x[0], path.y[0], path.x[-1], path.y[-1]) == (0, 0, 1, 1)
    assert 1 - 2 * np.trapezoid(path.y, path.x) == pytest.approx(gini(LISTS, CATALOGUE))
    with pytest.raises(ValueError, match="all lists are empty"):
        lorenz(Lists(("a",), np.array([0, 0]), np.zeros(0, np.int64)), CATALOGUE)


def test_a_long_lorenz_curve_is_thinned_and_hardly_moves() -> None:
    many = Catalogue(tuple(str(i) for i in range(5000)))
    item = np.random.default_rng(1).zipf(1.5, 20_000) % 5000
    lists = Lists(("a",), np.array([0, item.size]), item)
    path = lorenz(lists, many)
    assert path.x.size == MOST_POINTS
    assert 1 - 2 * np.trapezoid(path.y, path.x) == pytest.approx(gini(lists, many), abs=5e-3)


def test_coverages_by_cut() -> None:
    shares = coverages(LISTS, CATALOGUE, 3)
    assert shares["k"] == [1, 2, 3]
    assert shares["catalogue"] == [catalogue_coverage(cut(LISTS, k), CATALOGUE) for k in (1, 2, 3)] == [0.1, 0.3, 0.6]
    assert shares["category"] == [category_coverage(cut(LISTS, k), CATALOGUE) for k in (1, 2, 3)]
    assert "category" not in coverages(LISTS, Catalogue(CATALOGUE.ids), 2)
    cuts = coverages(LISTS, CATALOGUE, 1000)["k"]
    assert (len(cuts), cuts[-1]) == (MOST_CUTS, 1000)


def test_trades_are_scikit_learns_curves() -> None:
    rng = np.random.default_rng(3)
    for _ in range(50):
        score, positive = drawn(rng)
        curves = trade(score, positive, costs=(2, 9))
        x, y, _ = roc_curve(positive, score, drop_intermediate=False)
        assert np.allclose([curves.roc.x, curves.roc.y], [x, y])
        precision, recall, _ = precision_recall_curve(positive, score)
        assert np.allclose([curves.precision.x, curves.precision.y], [recall[-2::-1], precision[-2::-1]])
        assert curves.cost is not None
        for threshold, cost in zip(curves.cost.x, curves.cost.y, strict=True):
            assert alarm_cost(score, positive, threshold=threshold, false_alarm=2, miss=9).cost == cost


def test_a_long_trade_is_thinned_and_needs_no_costs() -> None:
    curves = trade(*tutorial())
    assert curves.cost is None
    assert 0.7 * MOST_POINTS < curves.precision.x.size == curves.roc.x.size - 1 <= MOST_POINTS
    assert curves.precision.y[0] in (0, 1)  # of the first alarm alone
    assert (curves.roc.x[-1], curves.roc.y[-1]) == (1, 1)


def test_distances_to_neighbours_by_brute_force(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evaluation.engine.beyond.detectors.BLOCK", 100)
    row = np.random.default_rng(4).normal(size=(60, 3)).round(1)  # with rows that stand twice
    distance = np.sort(np.linalg.norm(row[:, None] - row, axis=2), axis=1)
    for k in (1, 5, 59):
        assert np.allclose(neighbour_distance(row, k), distance[:, k])
    for k, reason in ((0, "at least the first"), (60, "61 rows")):
        with pytest.raises(ValueError, match=reason):
            neighbour_distance(row, k)
