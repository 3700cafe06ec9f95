"""Looking up the judged pairs in a run."""

from dataclasses import dataclass

import numpy as np

from evaluation.engine.arrays import Bools, Ints
from evaluation.engine.qrels import Qrels
from evaluation.engine.run import PackedRun


@dataclass(frozen=True, eq=False)
class Match:
    """Where the judged pairs stand in a run, in numpy."""

    run_topic: Ints  # (n_topics,) the run's index of each topic of the qrels, or −1
    row: Ints  # (n_found,) rows of the run in evaluated order
    pair: Ints  # (n_found,) rows of the qrels
    begin: Ints  # (n_topics,) the first row of the topic in the run; 0 for a missing topic
    n_retrieved: Ints  # (n_topics,) 0 for a missing topic

    @property
    def in_run(self) -> Bools:
        """The run has the topic. (n_topics,)"""
        return self.run_topic >= 0


def match(run: PackedRun, qrels: Qrels) -> Match:
    """Find every judged pair in the run."""
    index = {number: t for t, number in enumerate(run.numbers)}
    run_topic = np.fromiter((index.get(number, -1) for number in qrels.numbers), np.int64, qrels.n_topics)
    topic, docno, key, wanted = run_topic[qrels.topic], qrels.docno, qrels.key, np.arange(qrels.topic.size)
    if (run_topic < 0).any():
        wanted = np.flatnonzero(topic >= 0)
        topic, docno, key = topic[wanted], docno.take(wanted), key[wanted]
    row = run.find(topic, docno, key)
    hit = row >= 0
    row, pair = _by_row(row[hit], wanted[hit])  # by topic too: both have the topics in byte order
    length = np.append(np.diff(run.start), 0)[run_topic]  # −1, a missing topic, picks the 0
    begin = np.append(run.start[:-1], 0)[run_topic]
    return Match(run_topic, row, pair, begin, length)


def _by_row(row: Ints, pair: Ints) -> tuple[Ints, Ints]:
    """Both by ascending row, sorted as one number: neither needs more than 32 bits."""
    both = np.sort(row << 32 | pair)
    return both >> 32, both & 0xFFFFFFFF
