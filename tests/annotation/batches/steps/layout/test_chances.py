"""How much gold people will meet, against people who throw the coins."""

from math import comb

import numpy as np
import pytest

from annotation.batches.steps.layout.chances import GoldChances, gold_chances

GOLD, PLANTED = 0.12, 0.2


def walked(supply: list[int], *, n_visits: int, n_cards: int, n_people: int) -> list[int]:
    """The gold of people who take blocks whole, each of another topic, card by card."""
    rng = np.random.default_rng(1)
    met = []
    for _ in range(n_people):
        total = 0
        for topic in rng.permutation(len(supply))[:n_visits]:
            gold, left = 0, n_cards
            while left:
                coin = rng.random()
                if coin < GOLD:
                    gold += 1
                elif coin >= PLANTED:
                    left -= 1
            total += min(gold, supply[topic])
        met.append(total)
    return met


@pytest.mark.parametrize("supply", [[50] * 40, [3, 0, 1, 8] * 10])
def test_mean_and_percentile_are_those_of_people_who_throw_the_coins(supply: list[int]) -> None:
    told = gold_chances(supply, cards=4 * 20, block_cards=20, share=GOLD, planted_share=PLANTED)
    met = walked(supply, n_visits=4, n_cards=20, n_people=3000)
    assert told.mean == pytest.approx(np.mean(met), abs=4 * np.std(met) / 3000**0.5)
    assert abs(told.low - np.quantile(met, 0.05)) <= 1
    assert told.bound == sum(supply)


def test_one_visit_by_the_formula() -> None:
    q = GOLD / (GOLD + 1 - PLANTED)
    chance = [comb(9 + k, k) * q**k * (1 - q) ** 10 for k in range(200)]
    told = gold_chances([300], cards=10, block_cards=10, share=GOLD, planted_share=PLANTED)
    assert told.mean == pytest.approx(sum(k * p for k, p in enumerate(chance)))
    assert told.low == int(np.searchsorted(np.cumsum(chance), 0.05))


def test_who_takes_everything_meets_what_there_is_at_the_most() -> None:
    told = gold_chances([2, 2, 2], cards=3000, block_cards=25, share=0.3, planted_share=0.3)
    assert (told.mean, told.low, told.bound) == (pytest.approx(6), 6, 6)


@pytest.mark.parametrize(
    ("supply", "cards", "share", "told"),
    [
        ([], 100, 0.1, GoldChances(0, 0, 0)),
        ([0, 0], 100, 0.1, GoldChances(0, 0, 0)),
        ([5, 5], 0, 0.1, GoldChances(0, 0, 10)),
        ([5, 5], 100, 0.0, GoldChances(0, 0, 0)),
    ],
)
def test_where_nothing_can_come(supply: list[int], cards: float, share: float, told: GoldChances) -> None:
    assert gold_chances(supply, cards=cards, block_cards=25, share=share, planted_share=share) == told


def test_less_than_a_block_is_a_short_one() -> None:
    few, more = (
        gold_chances([90] * 5, cards=cards, block_cards=25, share=0.12, planted_share=0.12) for cards in (5, 25)
    )
    assert few.mean < more.mean
    assert few.mean == pytest.approx(5 * 0.12 / 0.88, rel=1e-6)
