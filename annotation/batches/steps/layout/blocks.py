"""From topics to items in blocks: which gold is used, how a topic is cut, in which order the blocks stand."""

from collections import Counter
from collections.abc import Sequence
from math import ceil

import numpy as np
from numpy.random import Generator

from annotation.batches.steps.layout.material import Kind, Material, PlannedItem, TopicMaterial, Wanted

SHUFFLES = 2147483647  # 2³¹ − 1; 0 is left out, because every person's order would begin with it
GOLD, CHECKS, ORDINARY = 0, 1, 2  # strands of the stock; every second ordinary pair by chance stands in it
VARIETY = 2  # gold laid out for every gold card a person needs, so that people do not all get the same

Dealt = tuple[int, Kind, int | None]  # document, and strand for what stands in the stock for sure


class Strata:
    """From which height of its topic's pool a pair is, so that a topic can open with its top, middle and bottom.

    Equal parts of a topic's pool by rank, `opening_cards` of them, numbered from 0 at the top.

    What is not of the pool (gold from outside it, attention checks) gets one by chance, so that it counts among the
    cards that a topic opens with as any other pair does. The chance has a stream of its own.
    """

    def __init__(self, wanted: Wanted) -> None:
        self.n = wanted.opening_cards
        self.rng = np.random.default_rng([wanted.seed, 3])

    def of(self, topic: TopicMaterial, documents: Sequence[int]) -> list[int | None]:
        """The stratum of each document, None where the batch wants no openers."""
        if not self.n:
            return [None] * len(documents)
        stratum = self._by_rank(topic)
        chance = self.rng.integers(self.n, size=len(documents))
        return [stratum.get(document, int(by_chance)) for document, by_chance in zip(documents, chance, strict=True)]

    def sorted(self, topic: TopicMaterial, pooled: Sequence[int]) -> list[int]:
        """Documents of the pool by stratum, else as they stand: dealt so, each block gets of each."""
        return sorted(pooled, key=self._by_rank(topic).__getitem__) if self.n else list(pooled)

    def _by_rank(self, topic: TopicMaterial) -> dict[int, int]:
        return {document: at * self.n // len(topic.pool) for at, document in enumerate(topic.pool)}


def cut_into_items(material: Material, rng: Generator) -> list[PlannedItem]:
    """Every pair once. Ordinary items first in each topic; a topic's blocks are as equal in size and kind as can be."""
    strata = Strata(material.wanted)
    portions = [_portion(topic, material, strata, rng) for topic in material.topics]
    numbers = order_blocks([n_blocks for _, n_blocks in portions], rng)
    return [
        item
        for topic, (dealt, _), blocks in zip(material.topics, portions, numbers, strict=True)
        for item in _items(topic, dealt, blocks, strata, rng)
    ]


def order_blocks(sizes: Sequence[int], rng: Generator) -> list[list[int]]:
    """`numbers[topic][k]`: the number of the topic's k-th block among all, 0, 1, …; in random order, evenly spread.

    Two blocks of one topic are neighbours only where that cannot be avoided (one topic has more than half of the rest).
    """
    starts = rng.random(len(sizes))
    waiting = sorted(((k + starts[i]) / size, i) for i, size in enumerate(sizes) for k in range(size))
    left = Counter(i for _, i in waiting)
    numbers: list[list[int]] = [[] for _ in sizes]
    last = -1
    for number in range(len(waiting)):
        at = _next_block(waiting, left, last)
        _, last = waiting.pop(at)
        left[last] -= 1
        numbers[last].append(number)
    return numbers


def _next_block(waiting: list[tuple[float, int]], left: Counter[int], last: int) -> int:
    """The first of another topic than the last; one that holds more than half of what is left has to come now."""
    most, n = left.most_common(1)[0]
    if n * 2 > len(waiting) and most != last:
        return next(at for at, (_, i) in enumerate(waiting) if i == most)
    return next((at for at, (_, i) in enumerate(waiting) if i != last), 0)


def _portion(topic: TopicMaterial, material: Material, strata: Strata, rng: Generator) -> tuple[list[Dealt], int]:
    """The documents of a topic in the order they are dealt out to its blocks, and the number of blocks."""
    wanted = material.wanted
    pairs = topic.ordinary  # looked for in the whole pool each time
    ordinary = strata.sorted(topic, [pairs[at] for at in rng.permutation(len(pairs))])
    gold = choose_gold(topic, ceil(topic.cards(wanted) * wanted.gold_share), material, rng)
    checks = [topic.distant[at] for at in rng.permutation(len(topic.distant))][: topic.n_checks(wanted)]
    n_blocks = max(1, ceil((len(ordinary) + len(gold) + len(checks)) / wanted.block_size))
    gold.sort(key=lambda document: topic.gold[document])  # dealt by grade: each block gets of each
    resting = sorted(set(topic.pool) & topic.gold.keys() - set(gold))  # known already, and enough others are shown
    dealt: list[Dealt] = [(document, Kind.ORDINARY, None) for document in ordinary]
    dealt += [(document, Kind.GOLD, GOLD) for document in gold]
    dealt += [(document, Kind.CHECK, CHECKS) for document in checks]
    return dealt + [(document, Kind.GOLD, None) for document in resting], n_blocks


def choose_gold(topic: TopicMaterial, needed: int, material: Material, rng: Generator) -> list[int]:
    """At most `VARIETY · needed` gold documents, balanced over the grades, those least met by the people first."""
    met = Counter(pair[1] for person in material.people for pair in person.met if pair[0] == topic.topic)
    documents = sorted(topic.gold.keys() - topic.taught)
    shuffled = [documents[at] for at in rng.permutation(len(documents))]
    by_grade: dict[int, list[int]] = {}
    for document in sorted(shuffled, key=lambda document: met[document]):
        by_grade.setdefault(topic.gold[document], []).append(document)
    chosen: list[int] = []
    while by_grade and len(chosen) < VARIETY * needed:
        for grade in sorted(by_grade):
            chosen.append(by_grade[grade].pop(0))
            if not by_grade[grade]:
                del by_grade[grade]
    return chosen[: VARIETY * needed]


def _items(
    topic: TopicMaterial, dealt: Sequence[Dealt], blocks: Sequence[int], strata: Strata, rng: Generator
) -> list[PlannedItem]:
    """Deal the documents out in turns. Which block is first, and so may get one more of a kind, is chance."""
    pool = set(topic.pool)
    blocks = [blocks[at] for at in rng.permutation(len(blocks))]
    stratum = strata.of(topic, [document for document, *_ in dealt])
    shuffles = rng.integers(1, SHUFFLES, size=len(dealt))
    return [
        PlannedItem(
            topic=topic.topic,
            document=document,
            kind=kind,
            grade=topic.gold.get(document),
            in_pool=kind is Kind.GOLD and document in pool,
            block=blocks[at % len(blocks)],
            shuffle=int(shuffle),
            stratum=stratum[at],
            strand=ORDINARY if kind is Kind.ORDINARY and shuffle % 2 else strand,
        )
        for at, ((document, kind, strand), shuffle) in enumerate(zip(dealt, shuffles, strict=True))
    ]
