"""Propensities of positions: the model's maximum against scipy on the likelihood itself."""

import numpy as np
import pytest
from scipy import optimize, stats

from evaluation.engine.arrays import Floats, Ints, segment_sums
from evaluation.engine.clicks import position_bias
from evaluation.engine.clicks.counts import ClickCounts
from evaluation.engine.clicks.position_bias import estimated_propensities
from tests.evaluation.engine.clicks.made import counts_of, made_clicks


def test_propensities_are_those_of_the_greatest_likelihood() -> None:
    """By scipy on the likelihood itself, of few pairs: log θ and log γ without bounds but by a penalty."""
    counts, _ = made_clicks(3, 5, shown=300, orders=5)
    propensities = estimated_propensities(counts, counts.pair)
    places = np.unique(counts.position, return_inverse=True)[1]
    n_places = int(places.max()) + 1

    def loss(x: Floats) -> float:
        theta, gamma = np.append(0.0, x[: n_places - 1]), x[n_places - 1 :]
        chance = np.exp(np.minimum(theta[places] + gamma[counts.pair], -1e-9))
        return -float(stats.binom.logpmf(counts.clicks, counts.impressions, chance).sum())

    start = np.append(np.log(propensities.value[1:]), np.full(counts.n_pairs, -1.0))
    best = optimize.minimize(loss, start, method="L-BFGS-B", options={"maxiter": 5000, "maxfun": 10**6})
    np.testing.assert_allclose(propensities.value[1:], np.exp(best.x[: n_places - 1]), rtol=2e-3)


@pytest.mark.parametrize(("n_topics", "shown", "orders"), [(3, 20, 3), (20, 5, 4)])
def test_few_impressions_have_the_greatest_likelihood_too(n_topics: int, shown: int, orders: int) -> None:
    """By scipy with log θ and log γ of at most 0. Steps of expectation–maximisation hardly leave a chance of 1."""
    for seed in range(5):
        counts, _ = made_clicks(n_topics, 12, seed=seed, shown=shown, orders=orders)
        counts = counts.only(segment_sums(counts.clicks, counts.pair, counts.n_pairs)[counts.pair] > 0)
        place = counts.position - 1

        def loss(x: Floats, counts: ClickCounts = counts, place: Ints = place) -> tuple[float, Floats]:
            chance = np.minimum(np.exp(x[place] + x[10 + counts.pair]), 1 - 1e-9)
            missed = counts.impressions - counts.clicks
            slope = counts.clicks - missed * chance / (1 - chance)
            likelihood = (counts.clicks * np.log(chance) + missed * np.log1p(-chance)).sum()
            by_place, by_pair = segment_sums(slope, place, 10), segment_sums(slope, counts.pair, counts.n_pairs)
            return -float(likelihood), -np.concatenate([by_place, by_pair])

        start = np.full(10 + counts.n_pairs, -0.5)
        limits, options = [(-30, 0)] * start.size, {"maxiter": 9000, "maxfun": 10**5, "ftol": 1e-13}
        best = optimize.minimize(loss, start, jac=True, method="L-BFGS-B", bounds=limits, options=options)
        propensities = estimated_propensities(counts, counts.pair)
        assert propensities.position.size >= 9
        np.testing.assert_allclose(propensities.value, np.exp(best.x[propensities.position - 1] - best.x[0]), rtol=4e-3)


def test_what_moves_slowly_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    counts, _ = made_clicks(28, 15, seed=903896, shown=20, orders=5)
    assert estimated_propensities(counts, counts.pair).converged  # in more than 300 cycles
    monkeypatch.setattr(position_bias, "CYCLES", 30)
    assert not estimated_propensities(counts, counts.pair).converged


def test_a_later_position_may_be_looked_at_more_often() -> None:
    rows = [("1", d, k, c, 1000) for d, c1, c2 in (("a", 300, 600), ("b", 50, 100)) for k, c in ((1, c1), (2, c2))]
    propensities = estimated_propensities(counts_of(rows), counts_of(rows).pair)
    np.testing.assert_allclose(propensities.value, [1, 2], rtol=1e-3)
