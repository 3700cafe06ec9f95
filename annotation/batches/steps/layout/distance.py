"""Which documents are far from a topic, so that a check can expect the lowest grade. Arithmetic on plain values.

1. The other topics are put in order: those whose pool shares the smallest part with this topic's pool and gold first;
   of these, the ones whose texts have the fewest stems in common with this topic's; then the ones half-way round. The
   nearer half of them is left out.
2. Their pooled documents are taken from the top, where a document is surest to be about its own topic, and none that
   this topic's pool or gold has.
3. Only those stay whose text has no stem of this topic's title (of its description, if it has no title).
"""

from collections.abc import Iterator, Mapping, Sequence

Documents = frozenset[int]
Stems = frozenset[str]
NOTHING = Stems()


def distant_documents(
    topic: int, pool: Mapping[int, Sequence[int]], own: Documents, stems: Mapping[int, Stems]
) -> Iterator[int]:
    """Documents for steps 1 and 2, the likeliest to be far first, each once. `own`: the topic's pool and gold."""
    met = set(own)
    others = topics_by_distance(topic, pool, own, stems)
    for other in others[: (len(others) + 1) // 2]:
        for document in pool[other]:
            if document not in met:
                met.add(document)
                yield document


def topics_by_distance(
    topic: int, pool: Mapping[int, Sequence[int]], own: Documents, stems: Mapping[int, Stems]
) -> list[int]:
    """The other topics of the pool, the farthest first."""
    numbers = sorted(pool.keys() | {topic})
    here, n = numbers.index(topic), len(numbers)
    others = [numbers[(here + n // 2 + step) % n] for step in range(n)]
    mine = stems.get(topic, NOTHING)
    return sorted(
        (other for other in others if other != topic and pool[other]),
        key=lambda other: (shared(own, pool[other]), likeness(mine, stems.get(other, NOTHING))),
    )


def shared(own: Documents, documents: Sequence[int]) -> float:
    """The part of the documents that is the topic's own."""
    return len(own.intersection(documents)) / max(1, len(documents))


def likeness(one: Stems, other: Stems) -> float:
    """The stems that both have, of all that either has: 0 to 1."""
    return len(one & other) / max(1, len(one | other))
