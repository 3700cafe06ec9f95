"""What a run retrieved of what is judged, read as the options say: the rows measures compute on, still in numpy."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from annotation.formats.coding import distinct
from evaluation.engine.arrays import Bools, Ints, starts, topic_of_row
from evaluation.engine.options import Options
from evaluation.engine.qrels import Qrels
from evaluation.engine.run import PackedRun
from evaluation.engine.ties import group, reordered


@dataclass(frozen=True, eq=False)
class Matches:
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


@dataclass(frozen=True, eq=False)
class Lookup:
    """Retrieved rows topic after topic by rank, and all pairs of the qrels topic after topic by descending grade.

    Under averaged ties there is a row for each grade of a tied group at each rank of the group: its documents of that
    grade stand there, each with the share 1/size.
    """

    in_run: Bools  # (n_topics,) the run has the topic
    n_retrieved: Ints  # (n_topics,)
    topic: Ints  # (n_found,)
    rank: Ints  # (n_found,) from 1
    grade: Ints  # (n_found,)
    row: Ints  # (n_found,) the row of the run; of one of the documents under averaged ties
    ideal_topic: Ints  # (n_pairs,)
    ideal_grade: Ints  # (n_pairs,)
    judged_row: Ints  # rows of the run that are judged (grade ≥ 0)
    size: Ints | None = None  # (n_found,) ranks of the tied group; this and the next two only under averaged ties
    above: Ints | None = None  # (n_found,) how many of these lie above this one
    alike: Ints | None = None  # (n_found,) how many documents the row stands for
    n_alike: int = 1  # runs, of several seen as one, whose ideal rows are the same: these are there once


def look_up(run: PackedRun, qrels: Qrels, options: Options, top_grade: int) -> Lookup:
    """Look up the judged pairs in the run. `top_grade` is what an unjudged document counts as, where options say so."""
    matches = match(run, qrels)
    topic, row, grade = qrels.topic[matches.pair], matches.row, qrels.grade[matches.pair]
    ideal_topic, ideal_grade = qrels.topic, qrels.ideal_grade
    if options.unjudged == "top":
        topic, row, grade = _with_unjudged(matches, grade, top_grade)
    position = reordered(run, row, options)
    if options.unjudged == "top":
        reached = np.ones(row.size, bool) if options.depth is None else position - matches.begin[topic] < options.depth
        unpooled = reached & ~np.isin(row, matches.row)
        ideal_topic, ideal_grade = _ideal_with_unjudged(qrels, topic[unpooled], top_grade)
    if position is not row:
        order = np.argsort(position)  # runs and qrels have their topics in the same order
        topic, position, grade, row = topic[order], position[order], grade[order], row[order]
    lookup = Lookup(
        in_run=matches.in_run,
        n_retrieved=matches.n_retrieved,
        topic=topic,
        rank=position - matches.begin[topic] + 1,
        grade=grade,
        row=row,
        ideal_topic=ideal_topic,
        ideal_grade=ideal_grade,
        judged_row=matches.row[qrels.grade[matches.pair] >= 0],
    )
    if options.ties == "averaged":
        lookup = _spread(lookup, *group(run, row))
    if options.depth is not None:
        lookup = _cut(lookup, options.depth)
    return condensed(lookup) if options.judged_only else lookup


def match(run: PackedRun, qrels: Qrels) -> Matches:
    """Find every judged pair in the run."""
    index = {number: t for t, number in enumerate(run.numbers)}
    run_topic = np.fromiter((index.get(number, -1) for number in qrels.numbers), np.int64, qrels.n_topics)
    topic, docno, key, pair = run_topic[qrels.topic], qrels.docno, qrels.key, np.arange(qrels.topic.size)
    if (run_topic < 0).any():
        pair = np.flatnonzero(topic >= 0)
        topic, docno, key = topic[pair], docno.take(pair), key[pair]
    row = run.find(topic, docno, key)
    is_match = row >= 0
    row, pair = _by_row(row[is_match], pair[is_match])  # by topic too: both have the topics in byte order
    length = np.append(np.diff(run.start), 0)[run_topic]  # −1, a missing topic, picks the 0
    begin = np.append(run.start[:-1], 0)[run_topic]
    return Matches(run_topic, row, pair, begin, length)


def _by_row(row: Ints, pair: Ints) -> tuple[Ints, Ints]:
    """Both by ascending row, sorted as one number: neither needs more than 32 bits."""
    both = np.sort(row << 32 | pair)
    return both >> 32, both & 0xFFFFFFFF


def stacked(stack: list[Lookup]) -> Lookup:
    """Several runs as one with n_runs × n_topics topics: run after run."""
    if len(stack) == 1:
        return stack[0]
    n_topics = stack[0].in_run.size
    alike = all(one.ideal_grade is stack[0].ideal_grade for one in stack)

    def joined(name: str) -> Ints:
        return np.concatenate([getattr(one, name) for one in stack])

    def of_ties(name: str) -> Ints | None:
        return None if getattr(stack[0], name) is None else joined(name)

    def moved(name: str) -> Ints:
        return np.concatenate([getattr(one, name) + i * n_topics for i, one in enumerate(stack)])

    return Lookup(
        in_run=np.concatenate([one.in_run for one in stack]),
        n_retrieved=joined("n_retrieved"),
        topic=moved("topic"),
        rank=joined("rank"),
        grade=joined("grade"),
        row=joined("row"),
        ideal_topic=stack[0].ideal_topic if alike else moved("ideal_topic"),
        ideal_grade=stack[0].ideal_grade if alike else joined("ideal_grade"),
        judged_row=joined("judged_row"),
        size=of_ties("size"),
        above=of_ties("above"),
        alike=of_ties("alike"),
        n_alike=len(stack) if alike else 1,
    )


def pieces(lookup: Lookup, size: int) -> Iterator[Lookup]:
    """A run topic by topic, as many at a time as make about `size` rows and topics. Its ideal rows are its own."""
    n_topics = lookup.in_run.size
    if lookup.topic.size + n_topics <= size:
        yield lookup
        return
    start, ideal_start = starts(lookup.topic, n_topics), starts(lookup.ideal_topic, n_topics)
    effort = start + np.arange(n_topics + 1)
    ends = distinct(np.append(np.searchsorted(effort, np.arange(0, int(effort[-1]), size)), n_topics))
    for a, b in pairwise(ends.tolist()):
        of_topics, rows, pairs = slice(a, b), slice(start[a], start[b]), slice(ideal_start[a], ideal_start[b])
        yield replace(
            _chosen(lookup, rows),
            in_run=lookup.in_run[of_topics],
            n_retrieved=lookup.n_retrieved[of_topics],
            topic=lookup.topic[rows] - a,
            ideal_topic=lookup.ideal_topic[pairs] - a,
            ideal_grade=lookup.ideal_grade[pairs],
        )


def _with_unjudged(matches: Matches, grade: Ints, top_grade: int) -> tuple[Ints, Ints, Ints]:
    """`(topic, row, grade)` of every row of the topics: what is not judged, pooled or not, is of the top grade."""
    start = np.concatenate([np.zeros(1, np.int64), np.cumsum(matches.n_retrieved)])
    topic = topic_of_row(start)
    row = matches.begin[topic] + np.arange(topic.size) - start[topic]
    every = np.full(topic.size, top_grade, np.int64)
    by = np.argsort(row)
    at = by[np.searchsorted(row, matches.row, sorter=by)]
    every[at] = np.where(grade >= 0, grade, top_grade)
    return topic, row, every


def _ideal_with_unjudged(qrels: Qrels, unpooled: Ints, top_grade: int) -> tuple[Ints, Ints]:
    """All pairs of the qrels, and one for each document that only the run has, by descending grade within each topic.

    `unpooled` are the topics of the latter.
    """
    topic = np.concatenate([qrels.topic, unpooled])
    pooled = np.where(qrels.grade >= 0, qrels.grade, top_grade)
    grade = np.concatenate([pooled, np.full(unpooled.size, top_grade)])
    order = np.lexsort((-grade, topic))
    return topic[order], grade[order]


def _spread(lookup: Lookup, first: Ints, past: Ints) -> Lookup:
    """The documents of each grade in a tied group at every rank of the group, one after the other."""
    order = np.lexsort((lookup.grade, first))
    new = np.ones(order.size, bool)
    new[1:] = (np.diff(first[order]) != 0) | (np.diff(lookup.grade[order]) != 0)
    begin = np.flatnonzero(new)
    one, alike = order[begin], np.diff(np.append(begin, order.size))
    size = (past - first)[one]
    each = np.repeat(np.arange(size.size), size)
    above = np.arange(each.size) - starts(each, size.size)[each]
    of = one[each]
    return replace(
        lookup,
        topic=lookup.topic[of],
        rank=lookup.rank[of] - (lookup.row - first)[of] + above,
        grade=lookup.grade[of],
        row=lookup.row[of],
        size=size[each],
        above=above,
        alike=alike[each],
    )


def _cut(lookup: Lookup, depth: int) -> Lookup:
    """Only the first ranks."""
    return replace(_chosen(lookup, lookup.rank <= depth), n_retrieved=np.minimum(lookup.n_retrieved, depth))


def condensed(lookup: Lookup) -> Lookup:
    """Only what is judged; ranks count judged documents alone."""
    judged = _chosen(lookup, lookup.grade >= 0)
    start = starts(judged.topic, judged.in_run.size)
    return replace(judged, rank=np.arange(judged.topic.size) - start[judged.topic] + 1, n_retrieved=np.diff(start))


def _chosen(lookup: Lookup, rows: Bools | slice) -> Lookup:
    names = ("topic", "rank", "grade", "row", "size", "above", "alike")
    columns = {name: column for name in names if (column := getattr(lookup, name)) is not None}
    return replace(lookup, **{name: column[rows] for name, column in columns.items()})
