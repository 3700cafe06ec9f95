"""Looking up the judged pairs in a run."""

from dataclasses import dataclass

import numpy as np

from evaluation.engine.arrays import Bools, Ints
from evaluation.engine.qrels import Qrels
from evaluation.engine.run import PackedRun

DENSE = 8  # where more than one row in so many is found, a pass over all rows is faster than sorting


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
    wanted = np.flatnonzero(run_topic[qrels.topic] >= 0)
    docno = qrels.docno if wanted.size == qrels.topic.size else qrels.docno.take(wanted)
    row = run.find(run_topic[qrels.topic[wanted]], docno, qrels.key[wanted])
    hit = row >= 0
    row, pair = _by_row(row[hit], wanted[hit], run.n_rows)  # by topic too: both have the topics in byte order
    length = np.append(np.diff(run.start), 0)[run_topic]  # −1, a missing topic, picks the 0
    begin = np.append(run.start[:-1], 0)[run_topic]
    return Match(run_topic, row, pair, begin, length)


def _by_row(row: Ints, pair: Ints, n_rows: int) -> tuple[Ints, Ints]:
    """Both by ascending row; no row occurs twice."""
    if row.size * DENSE < n_rows:
        order = np.argsort(row)
        return row[order], pair[order]
    of_row = np.full(n_rows, -1, np.int64)
    of_row[row] = pair
    there = np.flatnonzero(of_row >= 0)
    return there, of_row[there]
