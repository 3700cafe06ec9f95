"""The ideal ranking for diversity: at each rank the document that adds most.

The best set of documents for several intents is NP-hard to find (Carterette, An analysis of
NP-completeness in novelty and diversity ranking, ICTIR 2009); the field takes the greedy ranking
for the ideal one, as Clarke and others (SIGIR 2008) propose and ndeval computes it. Equal additions
are settled by docno, descending as bytes.
"""

from collections.abc import Callable

import numpy as np

from evaluation.engine.arrays import Bools, Floats, Ints, segment_sums, topic_of_row
from evaluation.engine.diversity.qrels import DiversityQrels


def ideal_ranks(qrels: DiversityQrels, gain: Floats, kept: Floats, depth: float) -> Ints:
    """The rank of each document in the ideal ranking of its topic, (n_documents,); 0 for those that add nothing.

    A row adds weight × `gain` × what is still open of its intent; once its document stands in the ranking, `kept` of it
    stays open. Both (n_rows,). One step a rank, on all topics at once, up to `depth` or until nothing adds anything.
    """
    order, start = _by_docno(qrels)
    ordinal = np.empty_like(order)
    ordinal[order] = np.arange(order.size)
    adds = np.flatnonzero(gain > 0)
    document, intent, value, keep = ordinal[qrels.document[adds]], qrels.intent[adds], gain[adds], kept[adds]
    share_open = np.ones(qrels.n_intents)
    rank = np.zeros(order.size, np.int64)
    value = value * qrels.weight[intent]
    step = 0
    while document.size and step < depth:
        step += 1
        added = segment_sums(value * share_open[intent], document, order.size)
        added[rank > 0] = -1.0
        chosen = _first_greatest(added, start, _any_left(document, start))
        rank[chosen] = step
        now = rank[document] == step
        share_open[intent[now]] *= keep[now]
        document, intent, value, keep = document[~now], intent[~now], value[~now], keep[~now]
    return rank[ordinal]


def cached_ranks(qrels: DiversityQrels, key: object, rows: Callable[[], tuple[Floats, Floats]], depth: float) -> Ints:
    """`ideal_ranks`, computed once for each key and depth: `rows` gives gain and kept."""
    if (key, depth) not in qrels.cache:
        qrels.cache[key, depth] = ideal_ranks(qrels, *rows(), depth)
    return qrels.cache[key, depth]


def _by_docno(qrels: DiversityQrels) -> tuple[Ints, Ints]:
    """`(order, start)`: the documents topic after topic, docnos descending as bytes."""
    documents = qrels.documents
    return documents.docno.descending(np.arange(documents.topic.size), documents.topic), documents.start


def _any_left(document: Ints, start: Ints) -> Bools:
    """The topics that still have a document to add. (n_topics,)"""
    topics = topic_of_row(start)[document]
    return np.bincount(topics, minlength=start.size - 1) > 0


def _first_greatest(value: Floats, start: Ints, is_open: Bools) -> Ints:
    """The first place of the greatest value of each wanted topic."""
    topic = topic_of_row(start)
    greatest = np.maximum.reduceat(value, start[:-1])
    rows = np.flatnonzero((value == greatest[topic]) & is_open[topic])
    _, first = np.unique(topic[rows], return_index=True)
    return rows[first]
