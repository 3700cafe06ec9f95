"""What a run retrieved of what is judged, read as the options say: the rows measures compute on, still in numpy."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from annotation.formats.coding import distinct
from evaluation.engine.arrays import Bools, Ints, starts, topic_of_row
from evaluation.engine.match import Match, match
from evaluation.engine.options import Options
from evaluation.engine.qrels import Qrels
from evaluation.engine.run import PackedRun
from evaluation.engine.ties import group, reordered


@dataclass(frozen=True, eq=False)
class Found:
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
    known: Ints  # rows of the run that are judged (grade ≥ 0)
    size: Ints | None = None  # (n_found,) ranks of the tied group; this and the next two only under averaged ties
    above: Ints | None = None  # (n_found,) how many of these lie above this one
    alike: Ints | None = None  # (n_found,) how many documents the row stands for
    n_alike: int = 1  # runs, of several seen as one, whose ideal rows are the same: these are there once


def find(run: PackedRun, qrels: Qrels, options: Options, top_grade: int) -> Found:
    """Look up the judged pairs in the run. `top_grade` is what an unjudged document counts as, where options say so."""
    hit = match(run, qrels)
    topic, row, grade = qrels.topic[hit.pair], hit.row, qrels.grade[hit.pair]
    ideal_topic, ideal_grade = qrels.topic, qrels.ideal_grade
    if options.unjudged == "top":
        topic, row, grade = _with_unjudged(hit, grade, top_grade)
    place = reordered(run, row, options)
    if options.unjudged == "top":
        reached = np.ones(row.size, bool) if options.depth is None else place - hit.begin[topic] < options.depth
        unpooled = reached & ~np.isin(row, hit.row)
        ideal_topic, ideal_grade = _ideal_with_unjudged(qrels, topic[unpooled], top_grade)
    if place is not row:
        order = np.argsort(place)  # runs and qrels have their topics in the same order
        topic, place, grade, row = topic[order], place[order], grade[order], row[order]
    found = Found(
        in_run=hit.in_run,
        n_retrieved=hit.n_retrieved,
        topic=topic,
        rank=place - hit.begin[topic] + 1,
        grade=grade,
        row=row,
        ideal_topic=ideal_topic,
        ideal_grade=ideal_grade,
        known=hit.row[qrels.grade[hit.pair] >= 0],
    )
    if options.ties == "averaged":
        found = _spread(found, *group(run, row))
    if options.depth is not None:
        found = _cut(found, options.depth)
    return _condensed(found) if options.judged_only else found


def stacked(found: list[Found]) -> Found:
    """Several runs as one with n_runs × n_topics topics: run after run."""
    if len(found) == 1:
        return found[0]
    n_topics = found[0].in_run.size
    alike = all(one.ideal_grade is found[0].ideal_grade for one in found)

    def joined(name: str) -> Ints:
        return np.concatenate([getattr(one, name) for one in found])

    def of_ties(name: str) -> Ints | None:
        return None if getattr(found[0], name) is None else joined(name)

    def moved(name: str) -> Ints:
        return np.concatenate([getattr(one, name) + i * n_topics for i, one in enumerate(found)])

    return Found(
        in_run=np.concatenate([one.in_run for one in found]),
        n_retrieved=joined("n_retrieved"),
        topic=moved("topic"),
        rank=joined("rank"),
        grade=joined("grade"),
        row=joined("row"),
        ideal_topic=found[0].ideal_topic if alike else moved("ideal_topic"),
        ideal_grade=found[0].ideal_grade if alike else joined("ideal_grade"),
        known=joined("known"),
        size=of_ties("size"),
        above=of_ties("above"),
        alike=of_ties("alike"),
        n_alike=len(found) if alike else 1,
    )


def pieces(found: Found, size: int) -> Iterator[Found]:
    """A run topic by topic, as many at a time as make about `size` rows and topics. Its ideal rows are its own."""
    n_topics = found.in_run.size
    start, ideal_start = starts(found.topic, n_topics), starts(found.ideal_topic, n_topics)
    effort = start + np.arange(n_topics + 1)
    ends = distinct(np.append(np.searchsorted(effort, np.arange(0, int(effort[-1]), size)), n_topics))
    for a, b in pairwise(ends.tolist()):
        of_topics, rows, pairs = slice(a, b), slice(start[a], start[b]), slice(ideal_start[a], ideal_start[b])
        yield replace(
            _chosen(found, rows),
            in_run=found.in_run[of_topics],
            n_retrieved=found.n_retrieved[of_topics],
            topic=found.topic[rows] - a,
            ideal_topic=found.ideal_topic[pairs] - a,
            ideal_grade=found.ideal_grade[pairs],
        )


def _with_unjudged(hit: Match, grade: Ints, top_grade: int) -> tuple[Ints, Ints, Ints]:
    """`(topic, row, grade)` of every row of the topics: what is not judged, pooled or not, is of the top grade."""
    start = np.concatenate([np.zeros(1, np.int64), np.cumsum(hit.n_retrieved)])
    topic = topic_of_row(start)
    row = hit.begin[topic] + np.arange(topic.size) - start[topic]
    every = np.full(topic.size, top_grade, np.int64)
    by = np.argsort(row)
    at = by[np.searchsorted(row, hit.row, sorter=by)]
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


def _spread(found: Found, first: Ints, past: Ints) -> Found:
    """The documents of each grade in a tied group at every rank of the group, one after the other."""
    order = np.lexsort((found.grade, first))
    new = np.ones(order.size, bool)
    new[1:] = (np.diff(first[order]) != 0) | (np.diff(found.grade[order]) != 0)
    begin = np.flatnonzero(new)
    one, alike = order[begin], np.diff(np.append(begin, order.size))
    size = (past - first)[one]
    each = np.repeat(np.arange(size.size), size)
    above = np.arange(each.size) - starts(each, size.size)[each]
    of = one[each]
    return replace(
        found,
        topic=found.topic[of],
        rank=found.rank[of] - (found.row - first)[of] + above,
        grade=found.grade[of],
        row=found.row[of],
        size=size[each],
        above=above,
        alike=alike[each],
    )


def _cut(found: Found, depth: int) -> Found:
    """Only the first ranks."""
    return replace(_chosen(found, found.rank <= depth), n_retrieved=np.minimum(found.n_retrieved, depth))


def _condensed(found: Found) -> Found:
    """Only what is judged; ranks count judged documents alone."""
    judged = _chosen(found, found.grade >= 0)
    start = starts(judged.topic, judged.in_run.size)
    return replace(judged, rank=np.arange(judged.topic.size) - start[judged.topic] + 1, n_retrieved=np.diff(start))


def _chosen(found: Found, rows: Bools | slice) -> Found:
    names = ("topic", "rank", "grade", "row", "size", "above", "alike")
    columns = {name: column for name in names if (column := getattr(found, name)) is not None}
    return replace(found, **{name: column[rows] for name, column in columns.items()})
