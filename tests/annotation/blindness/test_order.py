"""Whether the order of cards tells what is planted: the classifier looks at walks through whole plans.

Who judges all of a batch, or a part of it with others, in blocks long and short, with gold to spare and gold that is
scarce: whether a card is planted cannot be told from how many came before it, in all, of its topic, or since the topic
began or came back, nor from how many the page holds behind it. Nor from what is seen only later: how long the visit to
the topic was and how long the next one is, and all of it together.
"""

from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import groupby

import numpy as np
import pytest

from annotation.batches.steps.layout.material import Kind, Material
from annotation.batches.steps.layout.planning import plan_layout
from annotation.judging.steps.desk import MORE_STEP
from tests.annotation.batches.steps.layout.coin_walk import Walk
from tests.annotation.batches.steps.layout.reserving import plan_reserved
from tests.annotation.batches.steps.layout.test_plan import WANTED, material
from tests.annotation.batches.steps.layout.walk import Shown, walk
from tests.annotation.blindness.classifier import Array, auc, held_out_auc

MARGIN = 0.04
STRETCH = 50


def campaign(
    *,
    n_topics: int = 40,
    n_pairs: int = 60,
    n_gold: int = 24,
    n_people: int = 8,
    block_size: int = 25,
    share: float = 0.12,
) -> Material:
    wanted = replace(WANTED, gold_share=share, block_size=block_size)
    return material(n_topics=n_topics, n_pairs=n_pairs, n_gold=n_gold, n_people=n_people, wanted=wanted)


MANY, FEWER = (campaign(n_topics=n_topics, n_gold=40, n_people=6, share=0.2) for n_topics in (300, 100))


@pytest.mark.parametrize(
    "material",
    [
        pytest.param(campaign(), id="as usual"),
        pytest.param(campaign(n_people=3), id="everybody judges everything"),
        pytest.param(campaign(n_people=20), id="many share it"),
        pytest.param(campaign(n_gold=6), id="gold is scarce"),
        pytest.param(campaign(block_size=15), id="short blocks"),
        pytest.param(campaign(share=0.3), id="much gold"),
    ],
)
@pytest.mark.parametrize("together", [True, False], ids=["all at once", "one after another"])
def test_the_order_of_cards_does_not_tell_what_is_planted(material: Material, together: bool) -> None:
    for shown in (
        Walk(plan_layout(material), material).run(together=together),
        walk(plan_reserved(material), material, together=together),
    ):
        features, planted, stretches = observed(shown)
        assert abs(held_out_auc(features, planted, stretches) - 0.5) <= MARGIN


ONE_BLOCK = {"n_topics": 100, "n_pairs": 18, "n_gold": 10}
SEEN = ("of this visit", "of the next", "this and next", "place in this", "to its end", "place, this and next", "topic")
SAID = ("said of it", "said at the end", "said of it and at the end, to its end")
HELD = (
    "behind it",
    "behind it and the last",
    "behind it, said of it",
    "behind both, place, this",
    "behind both, to its end",
)


@pytest.mark.parametrize(
    "material",
    [
        pytest.param(campaign(**ONE_BLOCK, n_people=3), id="one block, everybody judges everything"),
        pytest.param(campaign(n_people=3), id="several blocks, everybody judges everything"),
        pytest.param(campaign(**ONE_BLOCK, n_people=10), id="one block, 3 of 10"),
        pytest.param(campaign(n_people=10), id="several blocks, 3 of 10"),
        pytest.param(campaign(n_topics=80, n_people=10, n_gold=6), id="gold is scarce"),
        pytest.param(campaign(n_people=3, share=0.3), id="much gold"),
    ],
)
@pytest.mark.parametrize("together", [True, False], ids=["all at once", "one after another"])
def test_nor_do_the_lengths_of_visits_tell_it(material: Material, together: bool) -> None:
    """The guesser knows from four fifths how often a card is gold where a visit, and the next one to its topic, are so
    long; and a card is in no such place certainly gold.
    """
    seen, gold, stretches = lengths(Walk(plan_layout(material), material).run(together=together))
    for name in (*SEEN, *SAID, *HELD):
        assert abs(guessed_auc(seen[name], gold, stretches) - 0.5) <= MARGIN, name
        assert largest_share(seen[name], gold) <= 3 * gold.mean(), name


def test_the_guesser_finds_what_lengths_told_before() -> None:
    """A visit with as many cards as pairs leaves as many for the next as were planted."""
    rng, gold, stretches, both = np.random.default_rng(1), [], [], []
    for topic in range(300):
        length = int(rng.integers(12, 20))
        while length:
            planted = rng.random(length) < 0.12
            both += [(length, int(planted.sum()))] * length
            gold += planted.astype(int).tolist()
            stretches += [topic] * length
            length = int(planted.sum())
    assert guessed_auc(np.array(both), np.array(gold), stretches) > 0.5 + 2 * MARGIN


def lengths(shown: dict[int, list[Shown]]) -> tuple[dict[str, Array], Array, list[int]]:
    """By name what somebody can know of each card, (n_cards, …); whether it is gold; the stretch it stands in."""
    rows, gold, stretches = list[tuple[int, ...]](), [], []
    for person, cards in shown.items():
        visits = [list(group) for _, group in groupby(cards, key=lambda card: card.topic)]
        later: dict[int, int] = {}
        next_of = [0] * len(visits)
        for at in range(len(visits) - 1, -1, -1):
            next_of[at] = later.get(visits[at][0].topic, 0)
            later[visits[at][0].topic] = len(visits[at])
        of_topic, rows_of = Counter(card.topic for card in cards), list[tuple[int, ...]]()
        for visit, after in zip(visits, next_of, strict=True):
            for place, card in enumerate(visit):
                remainders = (said_of(card.left), said_of(visit[-1].left))
                queues = (card.waiting, cards[len(rows_of) - 1].waiting if rows_of else 0)
                rows_of.append(
                    (len(visit), after, place, len(visit) - place, of_topic[card.topic], *remainders, *queues)
                )
                gold.append(int(card.kind == "gold"))
                stretches.append(len(gold) // STRETCH + 1000 * person)
        rows += rows_of
    table = np.array(rows)
    columns = ([0], [1], [0, 1], [2, 0], [3], [2, 0, 1], [4], [5], [6, 3], [5, 6, 3])
    of_queue = ([7], [7, 8], [7, 5], [7, 8, 2, 0], [7, 8, 3])
    return (
        {name: table[:, chosen] for name, chosen in zip((*SEEN, *SAID, *HELD), (*columns, *of_queue), strict=True)},
        np.array(gold),
        stretches,
    )


def said_of(left: int) -> int:
    """How many more of the topic the page says there may be."""
    return max(1, -(-left // MORE_STEP)) * MORE_STEP


def guessed_auc(seen: Array, gold: Array, stretches: list[int]) -> float:
    """The AUC of a guess by the share of gold among the cards in the other fifths of which the same is seen."""
    fifth, aucs = np.asarray(stretches) % 5, []
    keys = np.unique(seen, axis=0, return_inverse=True)[1].ravel()
    for part in range(5):
        train, test = fifth != part, fifth == part
        n = np.bincount(keys[train], minlength=keys.max() + 1)
        n_gold = np.bincount(keys[train], weights=gold[train], minlength=keys.max() + 1)
        aucs.append(auc(gold[test], ((n_gold + 10 * gold.mean()) / (n + 10))[keys[test]]))
    return float(np.mean(aucs))


def largest_share(seen: Array, gold: Array) -> float:
    """Of gold among the cards of which the same is seen, where they are many."""
    keys = np.unique(seen, axis=0, return_inverse=True)[1].ravel()
    n = np.bincount(keys)
    return float((np.bincount(keys, weights=gold)[n >= STRETCH] / n[n >= STRETCH]).max())


@pytest.mark.parametrize("together", [True, False], ids=["all at once", "one after another"])
@pytest.mark.parametrize("place", ["first", "last"])
def test_the_first_and_the_last_card_of_a_visit_are_gold_as_often_as_any(place: str, *, together: bool) -> None:
    """Where others take the last pairs of a block meanwhile, a visit ends early, and its end is nearer to the others
    than with reservations.
    """
    of_place, of_all, n_visits = shares_of_gold(many_visits(together=together), place)
    assert n_visits > 1000
    variance = of_all * (1 - of_all) / n_visits
    if place == "first" or not together:
        assert abs(of_place - of_all) < 3.5 * variance**0.5
    else:
        before, of_all_before, n_before = shares_of_gold(walk(plan_reserved(FEWER), FEWER, together=True), place)
        variance += of_all_before * (1 - of_all_before) / n_before
        assert abs(of_place - of_all) < abs(before - of_all_before) - 2 * variance**0.5


@cache
def many_visits(*, together: bool) -> dict[int, list[Shown]]:
    """Simulated once for both places: ten seconds."""
    return Walk(plan_layout(MANY), MANY).run(together=together)


def shares_of_gold(shown: dict[int, list[Shown]], place: str) -> tuple[float, float, int]:
    """Of the cards in this place of their visit, of all cards, and how many visits there are."""
    visits = [list(cards) for mine in shown.values() for _, cards in groupby(mine, key=lambda card: card.topic)]
    of_all = np.mean([card.kind == "gold" for cards in visits for card in cards])
    of_place = np.mean([cards[0 if place == "first" else -1].kind == "gold" for cards in visits])
    return float(of_place), float(of_all), len(visits)


@pytest.mark.parametrize("together", [True, False], ids=["all at once", "one after another"])
def test_nor_does_it_where_more_is_asked_for_on_pairs_in_doubt(together: bool) -> None:
    """A third of the ordinary pairs get one or two judgments more, while others are judged and after that."""
    material = campaign()
    plan = plan_layout(material)
    ordinary = [at for at, item in enumerate(plan.items) if item.kind is Kind.ORDINARY]
    doubt = {at: 1 + place % 2 for place, at in enumerate(ordinary) if place % 3 == 0}
    shown = Walk(plan, material, doubt).run(together=together)
    n_before = sum(map(len, Walk(plan, material).run(together=together).values()))
    assert sum(map(len, shown.values())) > n_before + len(doubt)
    features, planted, stretches = observed(shown)
    assert abs(held_out_auc(features, planted, stretches) - 0.5) <= MARGIN


@pytest.mark.parametrize("together", [True, False], ids=["all at once", "one after another"])
def test_added_slots_bring_their_share_of_gold_also_to_those_who_judge_nothing_else(together: bool) -> None:
    """Two of eight people come when all is judged, for a third of the pairs, which get two judgments more."""
    material = campaign(n_topics=160, share=0.12)
    plan = plan_layout(material)
    ordinary = [at for at, item in enumerate(plan.items) if item.kind is Kind.ORDINARY]
    late = frozenset({1, 2})
    shown = Walk(plan, material, dict.fromkeys(ordinary[::3], 2)).run(together=together, late=late)
    added = {person: cards for person, cards in shown.items() if person in late}
    features, planted, stretches = observed(added)
    assert len(planted) > 1000
    assert abs(planted.mean() - 0.12) <= 0.02
    assert abs(held_out_auc(features, planted, stretches) - 0.5) <= MARGIN


def observed(shown: dict[int, list[Shown]]) -> tuple[Array, Array, list[int]]:
    """For every card `(how many came before it: in all, of its topic, since the topic began or came back; how many the
    page held behind it)`, whether it is gold, and the stretch of a person's cards that it stands in.
    """
    features, gold, stretches = [], [], []
    for person, cards in shown.items():
        in_topic: Counter[int] = Counter()
        last, since = None, 0
        for at, card in enumerate(cards):
            since = since + 1 if card.topic == last else 0
            last = card.topic
            features.append((at, in_topic[card.topic], since, card.waiting))
            gold.append(int(card.kind == "gold"))
            stretches.append(at // STRETCH + 1000 * person)
            in_topic[card.topic] += 1
    return np.array(features, dtype=float), np.array(gold), stretches
