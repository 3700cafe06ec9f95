"""What a preference measure sees of a run: which documents of the preferences it retrieved, and in what order."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from evaluation.engine.arrays import Bools, Floats, Ints, segment_sums
from evaluation.engine.lookup import Lookup
from evaluation.engine.preferences.counting import Among, Counts, of_levels, of_pairs
from evaluation.engine.preferences.preferences import Preferences


@dataclass(frozen=True, eq=False)
class Preferred:
    """A run against preferences, in numpy: retrieved documents of a topic stand by rank, the others below by docno."""

    preferences: Preferences
    in_run: Bools  # (n_topics,)
    retrieved: Bools  # (n_documents,)
    position: Ints  # (n_documents,) topic after topic

    @property
    def n_topics(self) -> int:
        return self.preferences.documents.n_topics

    @cached_property
    def member_position(self) -> Ints:
        return self.position[self.preferences.document]

    @cached_property
    def member_retrieved(self) -> Bools:
        return self.retrieved[self.preferences.document]

    @cached_property
    def counts(self) -> Counts:
        """Of every group."""
        return self.counts_of(np.ones(self.preferences.document.size, bool))

    def counts_of(self, kept: Bools) -> Counts:
        """Of every group, as if it had only the members that are kept. `kept` (n_members,)"""
        of = self.preferences
        rows = np.flatnonzero(kept & ~of.partial[of.group])
        pairs = np.flatnonzero(kept[of.better] & kept[of.worse])
        better, worse = of.better[pairs], of.worse[pairs]
        position, retrieved = self.member_position, self.member_retrieved
        total = of_levels(of.group[rows], of.level[rows], position[rows], retrieved[rows], n_groups=of.n_groups)
        return total + of_pairs(of.group[better], better, worse, position, retrieved, n_groups=of.n_groups)

    def by_group(self, flag: Bools) -> Floats:
        """How many members of each group have the flag. (n_groups,)"""
        return segment_sums(flag.astype(np.float64), self.preferences.group, self.preferences.n_groups)

    def total(self, value: Floats) -> Floats:
        """Sum over the groups of each topic, in their order. (n_topics,)"""
        return segment_sums(value, self.preferences.group_topic, self.n_topics)

    @cached_property
    def n_groups(self) -> Floats:
        """Of each topic. (n_topics,)"""
        return self.total(np.ones(self.preferences.n_groups))

    def pair_shares(self, among: Among) -> tuple[Floats, Floats]:
        """`(sum, n)`, (n_topics,) each, over the pairs of documents that some group of the topic prefers one way: the
        part of the groups with a preference whose preference is fulfilled.

        Added pair by pair down the ranking, first those of two retrieved documents, as trec_eval does.
        """
        fulfilled, possible = self.total(self.counts.fulfilled(among)), self.total(self.counts.possible(among))
        topic, n_retrieved, share = self._shared_shares
        kept = n_retrieved >= {"all": 0, "imp": 1, "ret": 2}[among]
        shared = self.n_groups > 1.0
        total = segment_sums(share[kept], topic[kept], self.n_topics)
        n = segment_sums(np.ones(int(kept.sum())), topic[kept], self.n_topics)
        return np.where(shared, total, fulfilled), np.where(shared, n, possible)

    @cached_property
    def _shared_shares(self) -> tuple[Ints, Ints, Floats]:
        """`(topic, retrieved documents, share)` of each pair, in topics of several groups; in trec_eval's order."""
        documents = self.preferences.documents
        better, worse = self.preferences.shared_pairs
        topic = documents.topic[better]
        one, other = self.position[better] - documents.start[topic], self.position[worse] - documents.start[topic]
        n_retrieved = self.retrieved[better].astype(np.int64) + self.retrieved[worse]
        width = int(np.diff(documents.start).max())
        pair = ((topic * 3 + 2 - n_retrieved) * width + np.minimum(one, other)) * width + np.maximum(one, other)
        distinct, first, of_pair = np.unique(pair, return_index=True, return_inverse=True)
        fulfilled = segment_sums((one < other).astype(np.float64), of_pair, distinct.size)
        share = fulfilled / np.bincount(of_pair, minlength=distinct.size)
        return topic[first], n_retrieved[first], np.where(n_retrieved[first] > 0, share, 0.0)


def view(preferences: Preferences, lookup: Lookup) -> Preferred:
    """`lookup` comes from `look_up` with the preferences' `coded`."""
    topic = preferences.documents.topic
    is_judged = lookup.grade >= 0
    rank = np.zeros(topic.size, np.int64)
    rank[lookup.grade[is_judged]] = lookup.rank[is_judged]
    retrieved = rank > 0
    order = np.lexsort((np.where(retrieved, rank, preferences.alphabetic), ~retrieved, topic))
    position = np.empty_like(order)
    position[order] = np.arange(order.size)
    return Preferred(preferences, lookup.in_run, retrieved, position)
