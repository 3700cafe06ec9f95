"""What a measure sees of a run against a sample: the pooled documents that were retrieved, in evaluated order."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from evaluation.engine.arrays import Bools, Floats, Ints, segment_sums, starts
from evaluation.engine.lookup import match
from evaluation.engine.options import Options
from evaluation.engine.run import PackedRun
from evaluation.engine.sampled.prels import Prels
from evaluation.engine.ties import reordered


@dataclass(frozen=True, eq=False)
class Sample:
    """Found rows, (n_found,): documents of the pool that are in the run, topic after topic by rank.

    Of several runs, run after run: `topic` is run · n_topics + topic, and there is a value for each topic of each run.
    """

    prels: Prels
    in_run: Bools = field(repr=False)  # (n_topics,)
    row: Ints = field(repr=False)  # (n_found,) the row of the run
    pair: Ints = field(repr=False)  # (n_found,) the pair of the qrels
    topic: Ints = field(repr=False)  # (n_found,)
    rank: Ints = field(repr=False)  # (n_found,) from 1
    begin: Ints = field(repr=False)  # (n_found,) the first row of the same topic
    n_runs: int = 1

    @property
    def n_topics(self) -> int:
        """Of the pool."""
        return self.prels.qrels.n_topics

    @property
    def grade(self) -> Ints:
        """Negative: not in the sample. (n_found,)"""
        return self.prels.qrels.grade[self.pair]

    @property
    def run(self) -> Ints:
        """(n_found,)"""
        return self.topic // self.n_topics

    def total(self, value: Floats | Bools) -> Floats:
        """Sum of a value of found rows over each topic. (n_runs · n_topics,)"""
        return segment_sums(value, self.topic, self.n_runs * self.n_topics)

    def of_each_run(self, value: Floats) -> Floats:
        """What the pool alone says of its topics, once for each run. (n_topics,) to (n_runs · n_topics,)"""
        return np.tile(value, self.n_runs)

    def n_above(self, flag: Bools) -> Floats:
        """How many found rows of the topic above each have the flag. (n_found,)"""
        before = np.cumsum(flag, dtype=np.float64) - flag
        return before - before[self.begin]

    def sum_above(self, value: Floats) -> Floats:
        """Sum of a value over the found rows of the topic above each, added within the topic alone. (n_found,)"""
        return sum_above(value, self.begin)

    def n_relevant(self, level: int) -> Floats:
        """The estimated number of documents of a grade ≥ level in the pool, retrieved or not. (n_topics,)"""
        qrels, strata = self.prels.qrels, self.prels.strata
        relevant = qrels.grade >= level
        if strata is None:
            return segment_sums(np.where(relevant, self.prels.weight, 0.0), qrels.topic, self.n_topics)
        n_judged = segment_sums(relevant, strata.of_pair, strata.n_strata)
        return segment_sums(scaled_up(n_judged, strata.n_pooled, strata.n_judged), strata.topic, self.n_topics)


def sum_above(value: Floats, begin: Ints) -> Floats:
    """For each row the sum of a value over the rows from `begin` to the one above: log2(longest) steps on all rows."""
    up_to, index, step = value, np.arange(value.size), 1
    while step <= int((index - begin).max(initial=0)):
        up_to = np.where(index - step >= begin, up_to[index - step] + up_to, up_to)
        step *= 2
    return np.where(index > begin, up_to[index - 1], 0.0)


def scaled_up(part: Floats, n_pooled: Floats, n_judged: Floats) -> Floats:
    """part · pooled / judged, which is exact wherever the result is a whole number; 0 where nothing was judged."""
    return np.divide(part * n_pooled, n_judged, out=np.zeros(part.size), where=n_judged > 0)


def find_sample(run: PackedRun, prels: Prels, options: Options) -> Sample:
    """Look up the pool in the run; of the options, `ties`, `trec_eval` and `depth` count."""
    matches = match(run, prels.qrels)
    topic = prels.qrels.topic[matches.pair]
    rank = reordered(run, matches.row, options) - matches.begin[topic] + 1
    order = np.lexsort((rank, topic))
    if options.depth is not None:
        order = order[rank[order] <= options.depth]
    topic, rank = topic[order], rank[order]
    begin = starts(topic, prels.qrels.n_topics)[topic]
    return Sample(prels, matches.in_run, matches.row[order], matches.pair[order], topic, rank, begin)


def stacked(samples: Sequence[Sample]) -> Sample:
    """Several runs, looked up in the same pool, as one."""
    first = samples[0]
    row = starts(np.repeat(np.arange(len(samples)), [sample.topic.size for sample in samples]), len(samples))
    return Sample(
        first.prels,
        np.concatenate([sample.in_run for sample in samples]),
        np.concatenate([sample.row for sample in samples]),
        np.concatenate([sample.pair for sample in samples]),
        np.concatenate([sample.topic + run * first.n_topics for run, sample in enumerate(samples)]),
        np.concatenate([sample.rank for sample in samples]),
        np.concatenate([sample.begin + row[run] for run, sample in enumerate(samples)]),
        len(samples),
    )
