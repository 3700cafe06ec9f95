import numpy as np
import pytest

from evaluation.engine.significance.all_pairs import compare_pairs
from evaluation.engine.significance.discriminative_power import discriminative_power
from evaluation.engine.significance.pairs import Pairs
from evaluation.engine.significance.tukey import tukey_hsd


def pairs() -> Pairs:
    rng = np.random.default_rng(0)
    return compare_pairs(rng.normal(size=(30, 8)) + 0.15 * np.arange(8), test="t", correction="holm", rng=0)


def test_the_share_is_counted_on_the_adjusted_p() -> None:
    tested = pairs()
    power = discriminative_power(tested, alpha=0.05)
    assert power.n_apart == sum(p <= 0.05 for p in tested.adjusted.tolist())
    assert 0 < power.n_apart < np.count_nonzero(tested.p <= 0.05)
    assert (power.share, power.n_pairs, power.alpha) == (power.n_apart / 28, 28, 0.05)


def test_the_curve_falls_and_gives_every_share() -> None:
    power = discriminative_power(pairs())
    assert power.curve.tolist() == sorted(pairs().adjusted.tolist(), reverse=True)
    for alpha in (0.01, 0.2, 0.9):
        assert discriminative_power(pairs(), alpha=alpha).share == np.mean(power.curve <= alpha)


def test_a_p_of_alpha_is_apart() -> None:
    tested = pairs()
    assert discriminative_power(tested, alpha=float(np.sort(tested.adjusted)[4])).n_apart == 5


def test_a_keener_measure_tells_more_apart() -> None:
    rng = np.random.default_rng(1)
    noise, quality = rng.normal(size=(40, 10)), 0.2 * np.arange(10)
    keen = compare_pairs(quality + noise / 2, test="bootstrap", correction="none", n_draws=999, rng=0)
    dull = compare_pairs(quality + noise * 2, test="bootstrap", correction="none", n_draws=999, rng=0)
    assert discriminative_power(keen).share > discriminative_power(dull).share


def test_with_tukey() -> None:
    value = np.random.default_rng(2).normal(size=(30, 5)) + np.array([0, 0, 0, 0, 3])
    power = discriminative_power(tukey_hsd(value, rng=0))
    assert (power.n_apart, power.n_pairs) == (4, 10)


@pytest.mark.parametrize("alpha", [0.0, 1.0, 5.0, float("nan")])
def test_alpha_is_a_share(alpha: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        discriminative_power(pairs(), alpha=alpha)
