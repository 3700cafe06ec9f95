"""Coins fall as chance would have them fall, whichever of the three numbers changes, and every card is dealt alike."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from scipy.stats import chisquare

from annotation.judging.steps.coins import Strands, coin, deal, rates_of

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
CARDS = range(7, 37)


def test_each_strand_gets_as_many_cards_as_it_asks_for_and_no_card_is_dealt_twice() -> None:
    for salt in range(1, 200):
        dealt = deal(salt, block=2, cards=CARDS, wanted=[4, 1, 9, 2])
        assert [len(cards) for cards in dealt] == [4, 1, 9, 2]
        assert all(cards == sorted(cards) for cards in dealt)
        assert len({card for cards in dealt for card in cards} & {*CARDS}) == 16


def test_every_card_is_as_likely_as_any_other_to_the_last() -> None:
    n = 4000
    counts = Counter(
        card for salt in range(1, n + 1) for card in deal(salt, block=2, cards=CARDS, wanted=[4, 1, 9, 2])[0]
    )
    share = 4 / len(CARDS)
    error = (share * (1 - share) / n) ** 0.5
    assert all(abs(counts[card] / n - share) <= 4.5 * error for card in CARDS)


def test_a_share_is_of_all_cards_and_what_is_wanted_in_any_case_stands_for_a_pair() -> None:
    gold, checks, wanted, again = rates_of(SHARES)
    for_each_pair = 1 + gold + checks + again
    assert [gold / for_each_pair, checks / for_each_pair, wanted / for_each_pair, again / for_each_pair] == (
        pytest.approx(SHARES)
    )


@pytest.mark.parametrize("rate", [0.15, 0.04, 0.0, 1.3])
def test_a_strand_comes_evenly_up_to_a_part_of_a_card_which_a_coin_rounds(rate: float) -> None:
    counts = np.array([[Strands(salt, 2, [rate]).due_by(0, n) for n in range(61)] for salt in range(1, 1001)])
    visits = counts[:, 40] - counts[:, 15]
    assert set(visits) <= {int(rate * 25), int(rate * 25) + 1}
    assert visits.mean() == pytest.approx(rate * 25, abs=3.5 * 0.5 / 1000**0.5)
    assert (np.diff(counts, axis=1) >= 0).all()


@pytest.mark.parametrize("stock", [0, 1, 4, 13])
def test_a_scarce_stock_lasts_exactly_to_the_end_of_its_topic(stock: int) -> None:
    for salt in range(1, 200):
        assert Strands(salt, 2, [stock / 60]).due_by(0, 60) == stock
