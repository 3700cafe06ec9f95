"""What a diversity measure sees of a run: the view of an ordinary measure, for every intent as if it were a topic."""

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from evaluation.engine.arrays import Bools, Floats, Ints, topic_of_row
from evaluation.engine.backend import Backend
from evaluation.engine.diversity.qrels import DiversityQrels
from evaluation.engine.lookup import Lookup, condensed
from evaluation.engine.options import Options
from evaluation.engine.rankings import Rankings, rankings_of


@dataclass(frozen=True, eq=False)
class Intents:
    """A run, or an ideal ranking, against diversity qrels.

    `each` is the view that ordinary measures compute on, with an intent wherever they mean a topic. Found documents,
    (n_found,), lie topic after topic by rank; each stands there once, whatever the number of its intents.
    """

    qrels: DiversityQrels
    lookup: Lookup  # documents with their index in place of a grade
    options: Options
    backend: Backend
    top_grade: int
    each: Rankings
    document: Ints  # (n_found,) indexes the documents of the qrels
    document_topic: Ints  # (n_found,)
    document_rank: Floats  # (n_found,)
    cache: dict[object, "Intents"] = field(default_factory=dict)

    @property
    def n_topics(self) -> int:
        return self.qrels.documents.n_topics

    @cached_property
    def topic(self) -> Ints:
        """The topic of each intent. (n_intents,)"""
        return self.backend.put_index(self.qrels.intent_topic)

    @cached_property
    def weight(self) -> Floats:
        """1, or the probability of each intent. (n_intents,)"""
        return self.backend.put(self.qrels.weight)

    @cached_property
    def document_discount(self) -> Floats:
        """log2(rank + 1) of each found document. (n_found,)"""
        return self.backend.put(np.log2(self.backend.get(self.document_rank) + 1.0))

    def total(self, value: Floats | Bools) -> Floats:
        """Sum over the intents of each topic. (n_topics,)"""
        return self.backend.total(value, self.topic, self.n_topics)

    def has_relevant(self, rel: int) -> Bools:
        """The intents that have a relevant document: no measure counts the others. (n_intents,)"""
        return self.each.n_relevant(rel) > 0

    def expected(self, value: Floats, rel: int) -> Floats:
        """The mean over intents, weighted by their probabilities. (n_topics,)

        `value` (n_intents,) is 0 for an intent without a relevant document, which does not count. No intent: 0.
        """
        weight = self.each.where(self.has_relevant(rel), self.weight, 0.0)
        return self.each.ratio(self.total(weight * value), self.total(weight))

    def document_total(self, value: Floats) -> Floats:
        """Sum of a value of found documents over each topic. (n_topics,)"""
        return self.backend.total(value, self.document_topic, self.n_topics)

    def of_ranking(self, key: object, rank: Ints) -> "Intents":
        """The view of another ranking of the same documents: the rank of each, 0 for none. Made once for each key."""
        if key not in self.cache:
            document = np.flatnonzero(rank > 0)
            topic = self.qrels.documents.topic[document]
            order = np.lexsort((rank[document], topic))
            lookup = _ranked(self.lookup, topic[order], rank[document][order], document[order])
            self.cache[key] = view(self.qrels, lookup, self.options, self.top_grade, self.backend)
        return self.cache[key]


def view(
    qrels: DiversityQrels,
    lookup: Lookup,
    options: Options,
    top_grade: int,
    backend: Backend,
    *,
    by_intent: bool = False,
) -> Intents:
    """`lookup` comes from `look_up` with the qrels' `coded`.

    `by_intent`: unjudged documents are dropped for every intent by itself, where options drop them at all.
    """
    index = np.flatnonzero(lookup.grade >= 0)
    each = _by_intent(qrels, lookup, index)
    if by_intent and options.judged_only:
        each = condensed(each)
    return Intents(
        qrels=qrels,
        lookup=lookup,
        options=options,
        backend=backend,
        top_grade=top_grade,
        each=rankings_of(each, options, top_grade, backend),
        document=backend.put_index(lookup.grade[index]),
        document_topic=backend.put_index(lookup.topic[index]),
        document_rank=backend.put(lookup.rank[index].astype(np.float64)),
    )


def _by_intent(qrels: DiversityQrels, lookup: Lookup, index: Ints) -> Lookup:
    """A row for every judgment of a found document, intent after intent by rank."""
    document = lookup.grade[index]
    length = np.diff(qrels.start)[document]
    begin = np.concatenate([np.zeros(1, np.int64), np.cumsum(length)])
    of = topic_of_row(begin)  # the document of each row
    row = qrels.start[document][of] + np.arange(of.size) - begin[of]
    order = np.argsort(qrels.intent[row], kind="stable")  # found documents lie by rank already
    row, of = row[order], index[of[order]]
    ideal = np.lexsort((-qrels.grade, qrels.intent))
    return replace(
        lookup,
        in_run=lookup.in_run[qrels.intent_topic],
        n_retrieved=lookup.n_retrieved[qrels.intent_topic],
        topic=qrels.intent[row],
        rank=lookup.rank[of],
        grade=qrels.grade[row],
        row=lookup.row[of],
        ideal_topic=qrels.intent[ideal],
        ideal_grade=qrels.grade[ideal],
    )


def _ranked(lookup: Lookup, topic: Ints, rank: Ints, document: Ints) -> Lookup:
    """A ranking as if it had been found: documents topic after topic by rank."""
    n_topics = lookup.in_run.size
    return replace(
        lookup,
        in_run=np.ones(n_topics, bool),
        n_retrieved=np.bincount(topic, minlength=n_topics),
        topic=topic,
        rank=rank,
        grade=document,
        row=document,
    )
