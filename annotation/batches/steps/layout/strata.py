"""From which height of its topic's pool a pair is, so that a topic can open with its top, middle and bottom."""

from collections.abc import Sequence

import numpy as np

from annotation.batches.steps.layout.material import TopicMaterial, Wanted


class Strata:
    """Equal parts of a topic's pool by rank, `opening_cards` of them, numbered from 0 at the top.

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
        known = self._by_rank(topic)
        chance = self.rng.integers(self.n, size=len(documents))
        return [known.get(document, int(drawn)) for document, drawn in zip(documents, chance, strict=True)]

    def sorted(self, topic: TopicMaterial, pooled: Sequence[int]) -> list[int]:
        """Documents of the pool by stratum, else as they stand: dealt so, each block gets of each."""
        return sorted(pooled, key=self._by_rank(topic).__getitem__) if self.n else list(pooled)

    def _by_rank(self, topic: TopicMaterial) -> dict[int, int]:
        return {document: at * self.n // len(topic.pool) for at, document in enumerate(topic.pool)}
