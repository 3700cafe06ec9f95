"""Coins fall as chance would have them fall, whichever of the three numbers changes, and every card is dealt alike."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from scipy.stats import chisquare

from annotation.judging.steps.coins import coin, deal

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


SHARES = [0.12, 0.02, 0.2, 0.06]
N_CARDS = 60 / 0.8


@pytest.mark.parametrize(("supply", "share"), [({0: 40, 1: 9}, 0.12), ({0: 4, 1: 9}, 4 / N_CARDS), ({0: 0, 1: 0}, 0)])
def test_every_card_is_dealt_alike_however_little_there_is(supply: dict[int, int], share: float) -> None:
    n = 4000
    dealt = [deal(salt, block=2, n_pairs=60, shares=SHARES, supply=supply) for salt in range(1, n + 1)]
    counts = Counter(ordinal for one in dealt for ordinal, strand in one.items() if strand == 0)
    error = (share * (1 - share) / n) ** 0.5
    assert all(abs(counts[ordinal] / n - share) <= 4.5 * error for ordinal in range(75))
    assert max(Counter(one.values())[0] for one in dealt) <= supply[0]
    assert {ordinal for one in dealt for ordinal in one} == set(range(75))


def test_each_strand_gets_its_share_of_the_cards_up_to_a_part_of_one() -> None:
    for salt in range(1, 50):
        n_of = Counter(deal(salt, block=2, n_pairs=58, shares=SHARES, supply={}).values())
        assert all(abs(n_of[strand] - share * 58 / 0.8) < 1 for strand, share in enumerate(SHARES))


def test_less_supply_leaves_the_rest_where_it_is() -> None:
    much, little = (deal(7, block=2, n_pairs=60, shares=SHARES, supply={0: n, 1: 9}) for n in (40, 4))
    assert little.items() < much.items()
    assert all(strand == 0 for _, strand in much.items() - little.items())
