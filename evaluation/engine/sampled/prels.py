"""Judgments of a sample of the pool, with how probable it was that each document came into the sample."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from evaluation.engine.arrays import Floats, Ints, segment_sums
from evaluation.engine.qrels import Qrels, whole_grades

LEAST_PROBABILITY = 1e-9  # a document of the sample stands for no more than a billion
MOST_STRATA = 100  # of a topic: measures go through them one after the other


@dataclass(frozen=True, eq=False)
class Strata:
    """The parts of the pool that were sampled each at its own rate, topic after topic."""

    of_pair: Ints = field(repr=False)  # (n_pairs,) the stratum of each pair of the qrels
    topic: Ints = field(repr=False)  # (n_strata,)
    ordinal: Ints = field(repr=False)  # (n_strata,) from 0 within the topic
    n_pooled: Floats = field(repr=False)  # (n_strata,) documents of the pool
    n_judged: Floats = field(repr=False)  # (n_strata,) of these, documents of the sample: grade ≥ 0

    @property
    def n_strata(self) -> int:
        return self.topic.size

    @property
    def weight(self) -> Floats:
        """How many pooled documents a judged one stands for; 0 where the sample has none. (n_strata,)"""
        return np.divide(self.n_pooled, self.n_judged, out=np.zeros(self.n_strata), where=self.n_judged > 0)


@dataclass(frozen=True, eq=False)
class Prels:
    """A sample. In `qrels` a document of a negative grade is in the pool, but not in the sample."""

    qrels: Qrels
    weight: Floats = field(repr=False)  # (n_pairs,) 1 / inclusion probability; 0 for pairs that are not in the sample
    strata: Strata | None = None

    @property
    def part_judged(self) -> Floats:
        """Of the pool of each topic, which without strata is estimated from the sample. (n_topics,)"""
        topic, n = self.qrels.topic, self.qrels.n_topics
        pooled = np.ones(topic.size) if self.strata is not None else self.weight
        n_judged, n_pooled = segment_sums(self.qrels.grade >= 0, topic, n), segment_sums(pooled, topic, n)
        return np.divide(n_judged, n_pooled, out=np.zeros(n), where=n_pooled > 0)

    @classmethod
    def with_probabilities(
        cls,
        number: Sequence[str],
        docno: Sequence[str],
        grade: NDArray[np.integer] | Sequence[int],
        probability: Floats | Sequence[float],
    ) -> "Prels":
        """From aligned columns in any order.

        Raises `ValueError` as `Qrels.of`, and for a probability that is not from `LEAST_PROBABILITY` to 1.
        """
        chance = np.asarray(probability, np.float64)
        if not ((chance >= LEAST_PROBABILITY) & (chance <= 1)).all():
            raise ValueError(f"an inclusion probability is from {LEAST_PROBABILITY} to 1")
        qrels, row = _ordered(number, docno, grade, len(chance))
        return cls(qrels, np.where(qrels.grade >= 0, 1.0 / chance[row], 0.0))

    @classmethod
    def stratified(
        cls,
        number: Sequence[str],
        docno: Sequence[str],
        stratum: Sequence[str],
        grade: NDArray[np.integer] | Sequence[int],
    ) -> "Prels":
        """From aligned columns in any order: the whole pool, a negative grade where a document was not sampled.

        The documents of a stratum come into the sample with equal probability, which is judged / pooled. Raises
        `ValueError` as `Qrels.of`, and for more than `MOST_STRATA` strata in a topic.
        """
        qrels, row = _ordered(number, docno, grade, len(stratum))
        names, code = np.unique(np.asarray(stratum, np.str_), return_inverse=True)
        pair, of_pair = np.unique(qrels.topic * names.size + code[row], return_inverse=True)
        topic = pair // names.size
        ordinal = np.arange(topic.size) - np.searchsorted(topic, topic)
        if ordinal.max() >= MOST_STRATA:
            raise ValueError(f"topic {qrels.numbers[topic[ordinal.argmax()]]!r} has more than {MOST_STRATA} strata")
        judged = qrels.grade >= 0
        n_pooled, n_judged = (np.bincount(of_pair, one).astype(np.float64) for one in (np.ones(judged.size), judged))
        strata = Strata(of_pair, topic, ordinal, n_pooled, n_judged)
        return cls(qrels, np.where(judged, strata.weight[of_pair], 0.0), strata)


def _ordered(
    number: Sequence[str], docno: Sequence[str], grade: NDArray[np.integer] | Sequence[int], n_more: int
) -> tuple[Qrels, Ints]:
    """`(qrels, row)`: the qrels, and which of the rows given each of its pairs is."""
    if n_more != len(number):
        raise ValueError(f"columns of {len(number)} and {n_more} rows")
    numbered = Qrels.of(number, docno, np.arange(len(grade)))
    return replace(numbered, grade=whole_grades(grade)[numbered.grade]), numbered.grade
