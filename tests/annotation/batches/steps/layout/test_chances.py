"""How much gold people will meet, against people who throw the coins."""

import numpy as np
import pytest

from annotation.batches.steps.layout.chances import GoldChances, gold_chances
from annotation.judging.steps.coins import Strands

GOLD, PLANTED = 0.12, 0.2


def walked(supply: list[int], *, n_visits: int, n_cards: int, topic_cards: int, n_people: int) -> list[int]:
    """The gold of people who take blocks, each of another topic."""
    rng, asked = np.random.default_rng(1), GOLD / (1 - PLANTED)
    rates = [min(asked, n / topic_cards) for n in supply]
    return [
        sum(
            Strands(person, int(topic), rates[topic : topic + 1]).due_by(0, n_cards)
            for topic in rng.permutation(len(supply))[:n_visits]
        )
        for person in range(1, n_people + 1)
    ]


@pytest.mark.parametrize("supply", [[50] * 40, [3, 0, 1, 8] * 10])
@pytest.mark.parametrize("topic_cards", [20, 60])
def test_mean_and_percentile_are_those_of_people_who_throw_the_coins(supply: list[int], topic_cards: int) -> None:
    sizes = {"block_cards": 15, "topic_cards": topic_cards}
    chances = gold_chances(supply, cards=4 * 15, share=GOLD, planted_share=PLANTED, **sizes)
    met = walked(supply, n_visits=4, n_cards=15, topic_cards=topic_cards, n_people=1000)
    assert chances.mean == pytest.approx(np.mean(met), abs=4 * np.std(met) / 1000**0.5)
    assert abs(chances.low - np.quantile(met, 0.05)) <= 1
    assert chances.bound == sum(supply)


def test_one_visit_by_hand() -> None:
    """Of 9 gold pairs for 40 ordinary ones, 2.25 belong to ten."""
    chances = gold_chances([9], cards=10, block_cards=10, topic_cards=40, share=0.5, planted_share=0.5)
    assert chances.mean == pytest.approx(2.25)
    assert (chances.low, chances.bound) == (2, 9)


def test_who_takes_everything_meets_what_there_is_at_the_most() -> None:
    sizes = {"block_cards": 25, "topic_cards": 50}
    chances = gold_chances([2, 2, 2], cards=3000, share=0.3, planted_share=0.3, **sizes)
    assert chances.mean == pytest.approx(6)
    assert (chances.low, chances.bound) == (6, 6)


@pytest.mark.parametrize(
    ("supply", "cards", "share", "expected"),
    [
        ([], 100, 0.1, GoldChances(0, 0, 0)),
        ([0, 0], 100, 0.1, GoldChances(0, 0, 0)),
        ([5, 5], 0, 0.1, GoldChances(0, 0, 10)),
        ([5, 5], 100, 0.0, GoldChances(0, 0, 0)),
    ],
)
def test_where_nothing_can_come(supply: list[int], cards: float, share: float, expected: GoldChances) -> None:
    chances = gold_chances(supply, cards=cards, block_cards=25, topic_cards=25, share=share, planted_share=share)
    assert chances == expected


def test_less_than_a_block_is_a_short_one() -> None:
    few, more = (
        gold_chances([90] * 5, cards=cards, block_cards=25, topic_cards=25, share=0.12, planted_share=0.12)
        for cards in (5, 25)
    )
    assert few.mean < more.mean
    assert few.mean == pytest.approx(5 * 0.12 / 0.88, rel=0.05)
