"""Coins fall as chance would have them fall, whichever of the three numbers changes."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.stats import chisquare

from annotation.judging.steps.coins import coin

N = 20_000
SERIES = {
    "ordinal": [coin(48271, block=3, ordinal=n) for n in range(N)],
    "block": [coin(48271, block=n, ordinal=3) for n in range(N)],
    "salt": [coin(n + 1, block=3, ordinal=3) for n in range(N)],
}


def test_a_coin_is_the_same_everywhere() -> None:
    assert coin(48271, block=3, ordinal=0) == coin(48271, block=3, ordinal=0)
    assert len({coin(a, block=b, ordinal=c) for a, b, c in [(1, 2, 3), (3, 2, 1), (2, 1, 3), (1, 3, 2)]}) == 4


@pytest.mark.parametrize("name", SERIES)
def test_coins_are_spread_evenly(name: str) -> None:
    counts, _ = np.histogram(SERIES[name], bins=50, range=(0, 1))
    assert chisquare(counts).pvalue > 0.001
    assert min(SERIES[name]) >= 0
    assert max(SERIES[name]) < 1


@pytest.mark.parametrize("name", SERIES)
def test_a_coin_says_nothing_of_the_next(name: str) -> None:
    heads = [value < 0.12 for value in SERIES[name]]
    after_heads = [second for first, second in pairwise(heads) if first]
    deviation = (0.12 * 0.88 / len(after_heads)) ** 0.5
    assert abs(sum(after_heads) / len(after_heads) - 0.12) < 3.5 * deviation
