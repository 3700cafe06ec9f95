"""The arithmetic of a layout, with reservations and without: what every plan keeps, whatever material and seed."""

from collections import Counter, defaultdict
from dataclasses import replace
from itertools import pairwise
from unittest.mock import ANY

import numpy as np
import pytest

from annotation.batches.steps.layout import salt_of
from annotation.batches.steps.layout.blocks import order_blocks
from annotation.batches.steps.layout.forecast import forecast
from annotation.batches.steps.layout.gaps import spread, whole_positions
from annotation.batches.steps.layout.material import Kind, Material, Person, TopicMaterial, Wanted
from annotation.batches.steps.layout.planning import plan_layout
from tests.annotation.batches.steps.layout.reserving import plan_reserved
from tests.annotation.batches.steps.layout.walk import walk

WANTED = Wanted(
    judgments_per_item=3, gold_share=0.12, check_share=0.04, repeat_share=0.04, block_size=25, seed=20261120
)


def material(
    *, n_topics: int = 12, n_pairs: int = 60, n_gold: int = 12, n_people: int = 8, wanted: Wanted = WANTED
) -> Material:
    """Topics with separate documents; a third of each topic's gold is in its pool."""
    return Material(tuple(topic(t, n_pairs, n_gold) for t in range(1, n_topics + 1)), people(n_people), wanted)


def topic(t: int, n_pairs: int, n_gold: int) -> TopicMaterial:
    pool = tuple(range(t * 1000, t * 1000 + n_pairs))
    gold = {(pool[i] if i % 3 == 0 else t * 1000 + 500 + i): i % 5 for i in range(n_gold)}
    return TopicMaterial(t, str(t), pool, gold, distant=tuple(range(t * 1000 + 700, t * 1000 + 720)))


def people(n: int) -> tuple[Person, ...]:
    return tuple(Person(annotator, f"A-{annotator}", ordinal=annotator) for annotator in range(1, n + 1))


@pytest.mark.parametrize("n_people", [3, 8, 40])
@pytest.mark.parametrize("judgments", [1, 2, 3])
def test_every_pair_once_with_exactly_the_wanted_slots(n_people: int, judgments: int) -> None:
    inputs = material(n_people=n_people, wanted=replace(WANTED, judgments_per_item=judgments))
    plan = plan_reserved(inputs)
    pairs = Counter(item.pair for item in plan.items)
    assert set(pairs.values()) == {1}
    assert {(t.topic, d) for t in inputs.topics for d in t.pool} <= pairs.keys()
    slots = Counter(
        slot.item for slot in plan.slots if slot.reading == 1 and (slot.transferable or not slot.reserved_for)
    )
    assert {item.kind for at, item in enumerate(plan.items) if slots[at]} == {Kind.ORDINARY}
    assert {slots[at] for at, item in enumerate(plan.items) if item.kind is Kind.ORDINARY} == {judgments}


def test_the_same_seed_gives_the_same_plan_and_another_seed_another() -> None:
    inputs = material()
    assert plan_reserved(inputs) == plan_reserved(inputs)
    assert plan_reserved(inputs) != plan_reserved(replace(inputs, wanted=replace(WANTED, seed=7)))


def test_gold_of_the_pool_is_laid_out_as_gold() -> None:
    plan = plan_reserved(material())
    gold = {item.pair: item.in_pool for item in plan.items if item.kind is Kind.GOLD}
    assert all(inside == (pair[1] % 1000 < 500) for pair, inside in gold.items())
    assert sum(gold.values()) == 12 * 4
    assert not [slot for slot in plan.slots if slot.transferable and plan.items[slot.item].kind is not Kind.ORDINARY]


def test_nobody_gets_a_pair_twice_or_one_they_have_met() -> None:
    inputs = material()
    met = frozenset((t.topic, document) for t in inputs.topics for document in list(t.gold)[:6] + list(t.pool)[30:40])
    inputs = replace(inputs, people=(replace(inputs.people[0], met=met), *inputs.people[1:]))
    plan = plan_reserved(inputs)
    kept = Counter(
        (slot.reserved_for, plan.items[slot.item].pair, slot.reading) for slot in plan.slots if slot.reserved_for
    )
    assert set(kept.values()) == {1}
    assert not {pair for person, pair, _ in kept if person == 1} & met


def test_blocks_are_small_of_one_topic_and_apart() -> None:
    inputs = material()
    plan = plan_reserved(inputs)
    topics: dict[int, set[int]] = defaultdict(set)
    sizes: Counter[int] = Counter()
    with_slot = {slot.item for slot in plan.slots}
    for at, item in enumerate(plan.items):
        topics[item.block].add(item.topic)
        sizes[item.block] += at in with_slot
    assert sorted(topics) == list(range(len(topics)))
    assert {len(numbers) for numbers in topics.values()} == {1}
    assert max(sizes.values()) <= 25
    order = [topics[block] for block in sorted(topics)]
    assert not any(a == b for a, b in pairwise(order))


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("sizes", [[5, 1, 1, 1, 1], [3, 3, 3], [4, 4], [1, 2, 5, 3]])
def test_blocks_of_a_topic_are_neighbours_only_where_they_must(sizes: list[int], seed: int) -> None:
    numbers = order_blocks(sizes, np.random.default_rng(seed))
    assert sorted(place for own in numbers for place in own) == list(range(sum(sizes)))
    assert all(b - a > 1 for own in numbers for a, b in pairwise(own))


def test_shuffles_and_salts_are_in_range() -> None:
    plan = plan_reserved(material())
    assert all(1 <= item.shuffle < 2**31 - 1 for item in plan.items)
    assert len({item.shuffle for item in plan.items}) > 0.99 * len(plan.items)
    assert all(1 <= salt_of(5, annotator) < 2**31 - 1 for annotator in range(1, 200))


def test_as_many_ordinary_items_are_reserved_as_are_planted() -> None:
    """In every block and for every person: that a slot is reserved tells nothing of what it is."""
    plan = plan_reserved(material())
    known: Counter[tuple[int, int]] = Counter()
    ordinary: Counter[tuple[int, int]] = Counter()
    for slot in plan.slots:
        if slot.reserved_for and slot.likely:
            (ordinary if slot.transferable else known)[slot.reserved_for, slot.block] += 1
    assert ordinary == known
    assert sum(known.values()) > 200


def test_dues_are_at_random_gaps_and_no_two_alike() -> None:
    plan = plan_reserved(material())
    dues: dict[tuple[int, int], list[int]] = defaultdict(list)
    for slot in plan.slots:
        if slot.reserved_for and slot.due is not None:
            dues[slot.reserved_for, slot.block].append(slot.due)
    assert all(len(set(numbers)) == len(numbers) for numbers in dues.values())
    assert len(Counter(min(numbers) for numbers in dues.values())) > 4


@pytest.mark.parametrize("share", [0.05, 0.12, 0.3])
def test_places_come_as_often_as_their_share_says(share: float) -> None:
    cards, room = [4.0, 9.5, 3.0, 12.0] * 50, [12.0, 20.0, 9.0, 24.0] * 50
    places = spread(np.random.default_rng(3), share=share, cards=cards, room=room)
    likely = sum(expected for block in places for _, expected in block)
    assert abs(likely - share * sum(cards)) <= 1
    assert sum(map(len, places)) == pytest.approx(share * sum(room), rel=0.1)
    assert all(0 <= place < most for block, most in zip(places, room, strict=True) for place, _ in block)
    assert all((place < cards[b]) == expected for b, block in enumerate(places) for place, expected in block)


def test_places_that_are_taken_move_on() -> None:
    assert whole_positions([3.2, 3.9, 0.1, 0.7, 3.5]) == [3, 4, 0, 1, 5]


@pytest.mark.parametrize("together", [True, False], ids=["all at once", "one after another"])
@pytest.mark.parametrize("n_people", [3, 8, 20])
def test_annotators_meet_their_share_of_gold(n_people: int, together: bool) -> None:
    """However the work is divided: everybody a little of each block, or the first ones all of it."""
    inputs = material(n_topics=20, n_people=n_people, wanted=replace(WANTED, check_share=0.0, repeat_share=0.0))
    plan = plan_reserved(inputs)
    seen = {
        person: Counter(card.kind for card in cards) for person, cards in walk(plan, inputs, together=together).items()
    }
    cards = sum(sum(kinds.values()) for kinds in seen.values())
    gold = sum(kinds["gold"] for kinds in seen.values())
    assert gold / cards == pytest.approx(0.12, abs=0.015)
    busy = [kinds for kinds in seen.values() if sum(kinds.values()) >= 100]
    assert len(busy) >= min(n_people, 3)
    assert all(0.08 < kinds["gold"] / sum(kinds.values()) < 0.16 for kinds in busy)


def test_gold_is_balanced_over_the_grades_for_each_person() -> None:
    inputs = material(n_topics=20)
    plan = plan_reserved(inputs)
    grades: dict[int, Counter[int | None]] = defaultdict(Counter)
    for slot in plan.slots:
        if slot.reserved_for and plan.items[slot.item].kind is Kind.GOLD and slot.likely:
            grades[slot.reserved_for][plan.items[slot.item].grade] += 1
    assert all(len(counts) == 5 and max(counts.values()) <= 3 * min(counts.values()) for counts in grades.values())


def test_repeats_stand_in_a_later_block_of_the_topic() -> None:
    plan = plan_reserved(material())
    repeats = [slot for slot in plan.slots if slot.reading == 2]
    assert len(repeats) > 50
    topics = {item.block: item.topic for item in plan.items}
    assert all(slot.block > plan.items[slot.item].block for slot in repeats)
    assert all(topics[slot.block] == plan.items[slot.item].topic for slot in repeats)
    assert {plan.items[slot.item].kind for slot in repeats} == {Kind.ORDINARY}


def test_the_forecast_counts_what_the_plan_holds() -> None:
    inputs = material()
    plan = plan_layout(inputs)
    result = forecast(plan, inputs, seconds=30, seconds_known=False)
    kinds = Counter(item.kind for item in plan.items)
    assert (result.n_items, result.n_ordinary) == (len(plan.items), 12 * 56)
    assert (result.n_gold, result.n_checks) == (kinds[Kind.GOLD], kinds[Kind.CHECK])
    assert result.n_ordinary_judgments == 3 * 12 * 56
    assert result.n_judgments == pytest.approx(3 * 12 * 56 / (1 - 0.20), rel=0.03)
    assert result.hours == result.n_judgments * 30 / 3600
    assert sum(person.n_judgments for person in result.people) == pytest.approx(result.n_judgments, abs=1.5)
    assert (result.errors, result.warnings, result.short_of_gold) == ((), (), [])


def test_who_cannot_reach_ten_gold_is_named_with_the_reason() -> None:
    inputs = material(n_topics=3, n_gold=6)
    met = frozenset((t.topic, document) for t in inputs.topics for document in list(t.gold)[:4])
    fresh, met_most, nearly = (
        inputs.people[0],
        replace(inputs.people[1], met=met),
        replace(inputs.people[2], n_gold_before=9),
    )
    inputs = replace(inputs, people=(fresh, met_most, nearly))
    result = forecast(plan_layout(inputs), inputs, seconds=30, seconds_known=False)
    assert {person.pseudonym for person in result.short_of_gold} <= {"A-1", "A-2"}
    reasons = {person.pseudonym: person.short for person in result.people}
    assert reasons["A-2"] == "Supply: the chosen topics have 6 gold pairs that this person has not met."
    assert reasons["A-3"] == ""
    low = replace(inputs, wanted=replace(inputs.wanted, gold_share=0.01))
    result = forecast(plan_layout(low), low, seconds=30, seconds_known=False)
    assert result.people[0].short == "Stock: at this share 6 gold pairs that they have not met would be laid out."
    much = replace(inputs, wanted=replace(inputs.wanted, gold_share=0.1), topics=material(n_gold=20).topics[:3])
    assert forecast(plan_layout(much), much, seconds=30, seconds_known=False).people[0].short == ""
    assert result.warnings[0] == "The gold share is 1 %; 10 to 15 % is sensible."


def test_too_few_people_and_nothing_to_judge_are_errors() -> None:
    few = material(n_people=1)
    result = forecast(plan_layout(few), few, seconds=30, seconds_known=False)
    assert result.errors == ("3 judgments of every pair by different people are wanted, but there is 1 participant.",)
    known = replace(material(), topics=(TopicMaterial(1, "1", (1, 2), {1: 0, 2: 0, 3: 0}),))
    result = forecast(plan_layout(known), known, seconds=30, seconds_known=False)
    assert result.errors == ("Nothing is left to judge: the pool has no pair of these topics that is not gold.",)
    assert "All gold has grade 0: someone who always answers that would pass." in result.warnings


@pytest.mark.parametrize(("n_held", "left"), [(2, "1 of the participants gets"), (3, "0 of the participants get")])
def test_too_few_who_get_cards_are_a_warning_for_they_may_come_back(n_held: int, left: str) -> None:
    inputs = material(n_people=3)
    participants = tuple(replace(person, gets_cards=person.ordinal > n_held) for person in inputs.people)
    result = forecast(plan_layout(inputs), replace(inputs, people=participants), seconds=30, seconds_known=False)
    assert result.errors == ()
    assert any(f"but only {left} cards now" in warning for warning in result.warnings)
    assert {person.n_judgments for person in result.people if not person.gets_cards} == {0}


def warned(inputs: Material, words: str) -> bool:
    result = forecast(plan_layout(inputs), inputs, seconds=30, seconds_known=False)
    return any(words in warning for warning in result.warnings)


@pytest.mark.parametrize(("n_gold", "is_far_less"), [(0, True), (1, True), (12, False)])
def test_far_less_gold_than_asked_for_is_a_warning(n_gold: int, *, is_far_less: bool) -> None:
    inputs = material(n_topics=2, n_gold=n_gold)
    assert warned(inputs, "12 % is asked for") == is_far_less
    assert not warned(replace(inputs, wanted=replace(WANTED, gold_share=0.0)), "is asked for")


def test_where_nobody_can_prove_themselves_no_pair_will_count() -> None:
    bare = material(n_topics=2, n_gold=0)
    proven = replace(bare.people[0], n_gold_before=10)
    assert warned(bare, "No pair will count")
    assert warned(replace(bare, wanted=replace(WANTED, gold_share=0.0)), "No pair will count")
    assert not warned(replace(bare, people=(proven, *bare.people[1:])), "No pair will count")
    assert not warned(material(n_topics=12, n_gold=12), "No pair will count")


def test_topics_without_gold_checks_or_pairs_are_named() -> None:
    bare = TopicMaterial(1, "51", (1, 2, 3), {})
    inputs = Material((bare, replace(bare, topic=2, number="52", pool=(), gold={1: 2, 2: 3})), people(3), WANTED)
    result = forecast(plan_layout(inputs), inputs, seconds=30, seconds_known=False)
    assert list(result.warnings) == [
        ANY,
        "Topics without gold: 51.",
        "No documents far enough from the topic for attention checks: 51.",
        "No pairs in the pool: 52.",
        ANY,
        "No repeats: they come in a later block of their topic, and no topic has two. Smaller blocks would help.",
    ]


def test_without_participants_there_is_a_plan_and_an_error() -> None:
    inputs = material(n_people=0)
    result = forecast(plan_layout(inputs), inputs, seconds=30, seconds_known=False)
    assert len(result.errors) == 1
    assert result.n_ordinary == 12 * 56
