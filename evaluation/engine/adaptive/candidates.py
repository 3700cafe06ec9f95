"""The pairs that may be judged, with the ranks that runs give them, and what is known of their grades so far.

Grades are (n_pairs,), `UNJUDGED` where there is none yet. A method chooses the next pairs from
candidates and grades alone, so that it goes on the same way wherever the judging stands.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from evaluation.engine.arrays import Bools, Floats, Ints, segment_sums, starts
from evaluation.engine.pooling import RRF_K, pool_with_ranks
from evaluation.engine.qrels import Qrels
from evaluation.engine.run import PackedRun

UNJUDGED = -1


@dataclass(frozen=True)
class Choice:
    """What methods choose by. `rel`: the least grade that is relevant; `top`: of the scale; `cutoff`: of nDCG."""

    seed: int = 0
    rel: int = 1
    top: int = 1
    cutoff: int = 10


@dataclass(frozen=True, eq=False)
class Candidates:
    """Topic after topic (numbers in byte order), within a topic in fused order. A pair without a rank is none of the
    pool, and never chosen."""

    numbers: tuple[str, ...]
    tags: tuple[str, ...]
    topic: Ints = field(repr=False)  # (n_pairs,) indexes `numbers`
    docno: Sequence[str] = field(repr=False)
    rank: Ints = field(repr=False)  # (n_pairs, n_runs) from 1; 0 where the run does not have it within the depth

    def __len__(self) -> int:
        return self.topic.size

    @property
    def n_topics(self) -> int:
        return len(self.numbers)

    def named_pairs(self) -> list[tuple[str, str]]:
        """The topic number and docno of each pair. (n_pairs,)"""
        return [(self.numbers[t], docno) for t, docno in zip(self.topic.tolist(), self.docno, strict=True)]

    @cached_property
    def start(self) -> Ints:
        """(n_topics + 1,)"""
        return starts(self.topic, self.n_topics)

    @cached_property
    def has_rank(self) -> Bools:
        """(n_pairs, n_runs)"""
        return self.rank > 0

    @cached_property
    def is_pooled(self) -> Bools:
        """(n_pairs,)"""
        return np.asarray(self.has_rank.any(axis=1))

    @cached_property
    def best_rank(self) -> Ints:
        """The best rank of any run; 0 for a pair of none. (n_pairs,)"""
        least = np.where(self.has_rank, self.rank, np.iinfo(np.int64).max).min(axis=1)
        return np.where(self.is_pooled, least, 0)

    @cached_property
    def fused(self) -> Floats:
        """Σ 1 / (60 + rank) over the runs. (n_pairs,)"""
        fused: Floats = np.where(self.has_rank, 1.0 / (RRF_K + self.rank), 0.0).sum(axis=1)
        return fused

    @cached_property
    def discount(self) -> Floats:
        """What a grade counts in each run's DCG: 1 / log2(rank + 1), 0 without a rank. (n_pairs, n_runs)"""
        return np.where(self.has_rank, 1.0 / np.log2(np.maximum(self.rank, 1) + 1.0), 0.0)

    @cached_property
    def regressors(self) -> Floats:
        """A constant; the discount in each run; log(1 + 60 · fused score); the share of the runs that have the pair;
        its topic. (n_pairs, n_runs + n_topics + 3)"""
        of_fused, share = np.log1p(RRF_K * self.fused), self.has_rank.mean(axis=1)
        of_topic = (self.topic[:, None] == np.arange(self.n_topics)).astype(np.float64)
        return np.column_stack([np.ones(len(self)), self.discount, of_fused, share, of_topic])

    @cached_property
    def n_of_topic(self) -> Floats:
        """Pooled pairs. (n_topics,)"""
        return segment_sums(self.is_pooled, self.topic, self.n_topics)

    def totals(self, value: Floats) -> Floats:
        """Sums over each topic's pairs: (n_pairs, …) to (n_topics, …). Every topic has a pair."""
        return np.add.reduceat(value, self.start[:-1], axis=0)

    def within(self, depth: int) -> "Candidates":
        """The same pairs; what lies below the depth has no rank."""
        return replace(self, rank=np.where(self.rank <= depth, self.rank, 0))

    def without(self, run: int) -> "Candidates":
        """The same pairs, one run left out of the pool."""
        tags = self.tags[:run] + self.tags[run + 1 :]
        return replace(self, tags=tags, rank=np.delete(self.rank, run, axis=1))

    def without_pairs(self, some: Bools) -> "Candidates":
        """The same pairs, some of them out of the pool: never chosen, and of no part in any choice."""
        return replace(self, rank=np.where(some[:, None], 0, self.rank))

    def rows(self, chosen: Bools | Ints) -> "Candidates":
        """Some of the pairs, and the topics that have one."""
        topic = self.topic[chosen]
        left, code = np.unique(topic, return_inverse=True)
        docno = np.array(self.docno, object)[chosen].tolist()
        return replace(
            self, numbers=tuple(self.numbers[t] for t in left), topic=code, docno=docno, rank=self.rank[chosen]
        )


def candidates_of(runs: Sequence[PackedRun], *, depth: int, numbers: Sequence[str] | None = None) -> Candidates:
    """The pool of the runs to the depth. Topics of which no run has a document are left out.

    Raises `ValueError` as `pooling.pool`, and where nothing is in the pool.
    """
    pairs, rank = pool_with_ranks(runs, depth=depth, numbers=numbers)
    if not len(pairs):
        raise ValueError("no run has a document for any of the topics")
    left, topic = np.unique(pairs.number, return_inverse=True)  # by code points, which is byte order
    return Candidates(tuple(left.tolist()), tuple(run.tag for run in runs), topic, pairs.docno, rank)


def known_grades(candidates: Candidates, qrels: Qrels) -> Ints:
    """Of each candidate: negative for a pair that the qrels do not have, or have as not judged. (n_pairs,)"""
    by_pair = qrels.grade_by_pair()
    return np.fromiter((by_pair.get(pair, UNJUDGED) for pair in candidates.named_pairs()), np.int64, len(candidates))


def is_open(candidates: Candidates, grade: Ints) -> Bools:
    """In the pool, and not judged. (n_pairs,)"""
    left: Bools = candidates.is_pooled & (grade == UNJUDGED)
    return left


def in_turns(candidates: Candidates, grade: Ints, score: Floats, n: int) -> Ints:
    """Up to `n` open pairs, highest scores first, so that all topics have about the same share of their pool judged."""
    topic = candidates.topic
    left = np.flatnonzero(is_open(candidates, grade))
    order = left[np.lexsort((-score[left], topic[left]))]
    ordinal = np.arange(order.size) - starts(topic[order], candidates.n_topics)[topic[order]]
    n_judged = np.bincount(topic, candidates.is_pooled & (grade != UNJUDGED), candidates.n_topics)
    turn = (n_judged[topic[order]] + ordinal + 0.5) / candidates.n_of_topic[topic[order]]
    return order[np.argsort(turn, kind="stable")[:n]]


def best_of_runs(candidates: Candidates, merit: Floats) -> Floats:
    """A score for each pair: the greatest merit of a run that has it, and within that the run's order. (n_pairs,)

    `merit` (n_topics, n_runs). A pair of a better run always stands before those of a worse one.
    """
    step = np.unique(merit, return_inverse=True)[1].reshape(merit.shape)  # whole numbers: ranks fit between
    most = int(candidates.rank.max()) + 1
    score = np.where(candidates.has_rank, step[candidates.topic] * most + (most - candidates.rank), -1)
    best: Floats = score.max(axis=1).astype(np.float64)
    return best


def noise(candidates: Candidates, choice: Choice, *shape: int) -> Floats:
    """The same random numbers for the same seed, in [0, 1)."""
    return np.random.default_rng(choice.seed).random(shape or len(candidates))
