"""Which documents of a collection go into a pool where there are no runs."""

from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import Any

import numpy as np

from evaluation.engine.arrays import Ints

ALL, SAMPLE, BM25 = "all", "sample", "bm25"
WAYS = {
    ALL: "All pairs: each topic with each document",
    SAMPLE: "Random sample: so many documents a topic, each as likely as the others",
    BM25: "BM25: of each topic the documents that share most with its words",
}
PER_TOPIC = 50


@dataclass(frozen=True)
class Recipe:
    """How a pool is made without runs. `per_topic` documents at most, 0 of `ALL`; `seed` is that of `SAMPLE`."""

    way: str
    per_topic: int = 0
    seed: int = 0

    def to_origin(self) -> dict[str, Any]:
        """As a pool keeps it: what the way takes, under the `kind` of the way."""
        taken = {ALL: (), SAMPLE: ("per_topic", "seed"), BM25: ("per_topic",)}[self.way]
        return {"kind": self.way, **{name: value for name, value in asdict(self).items() if name in taken}}

    @staticmethod
    def of_origin(origin: dict[str, Any]) -> "Recipe":
        """Raises `KeyError` for a pool of another kind."""
        if origin["kind"] not in WAYS:
            raise KeyError(origin["kind"])
        return Recipe(origin["kind"], origin.get("per_topic", 0), origin.get("seed", 0))

    def most_pairs(self, *, n_topics: int, n_documents: int) -> int:
        """How many pairs it gives at most; of `ALL` and `SAMPLE`, exactly."""
        return n_topics * (n_documents if self.way == ALL else min(self.per_topic, n_documents))


def sampled(n_documents: int, n: int, *, seed: int, number: str) -> Ints:
    """`n` of the documents 0 … n_documents − 1 without replacement, in random order; all, where there are no more.

    Each topic has a stream of its own, made of the seed and its number: other topics do not change what it gets.
    """
    stream = int.from_bytes(sha256(f"{seed} {number}".encode()).digest())
    drawn: Ints = np.random.default_rng(stream).choice(n_documents, size=min(n, n_documents), replace=False)
    return drawn
