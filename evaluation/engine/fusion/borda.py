"""Borda fusion: each run votes."""

from dataclasses import dataclass

import numpy as np

from evaluation.engine.arrays import Floats
from evaluation.engine.fusion.entries import Entries
from evaluation.engine.fusion.method import Method


@dataclass(frozen=True, kw_only=True)
class Borda(Method):
    """Of a topic's c documents, over all runs, a run gives its first c points, its second c − 1 and so on; the points
    that remain go in equal parts to the documents that it lacks: (c − n + 1) / 2 each, where it has n.

    A run without the topic gives all of its documents the same. Aslam and Montague, Models for metasearch, SIGIR 2001.
    """

    title = "Borda"
    meaning = "Each run gives points by rank; what it lacks shares the points that remain."

    def fused(self, entries: Entries) -> Floats:
        candidates = np.bincount(entries.topic, minlength=len(entries.numbers))[entries.topic]  # (n_pairs,)
        topic_of_entry = entries.topic[entries.pair]
        lists = np.unique(entries.of_list, return_index=True)[1]  # an entry of each list
        taken = np.bincount(topic_of_entry[lists], weights=entries.length, minlength=len(entries.numbers))
        # Σ over all runs of (c − n + 1) / 2, then the runs that have the document put c − rank + 1 in its place.
        shared = (entries.n_runs * (candidates + 1) - taken[entries.topic]) / 2
        left = (candidates[entries.pair] - entries.length[entries.of_list] + 1) / 2
        return shared + entries.total(candidates[entries.pair] - entries.rank + 1 - left)
