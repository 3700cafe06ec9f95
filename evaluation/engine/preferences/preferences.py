"""Who prefers which document to which, for a topic, by judgment group."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from evaluation.engine.arrays import Bools, Floats, Ints
from evaluation.engine.diversity.qrels import codes_of, highest
from evaluation.engine.preferences.order import closed, preferred
from evaluation.engine.qrels import Qrels


@dataclass(frozen=True, eq=False)
class Preferences:
    """Groups lie topic after topic, in the byte order of their names. A member is a document of a group.

    A group of one subgroup orders all its documents by level; one of several is partial: its preferences are the
    pairs. A level of 0 is not relevant, one above 0 relevant.
    """

    documents: Qrels  # every pair of topic and document once; grade 1 where a group finds it relevant
    groups: tuple[str, ...]  # (n_groups,)
    group_topic: Ints = field(repr=False)  # (n_groups,)
    partial: Bools = field(repr=False)  # (n_groups,)
    group: Ints = field(repr=False)  # (n_members,) ascending
    document: Ints = field(repr=False)  # (n_members,) indexes `documents`
    level: Floats = field(repr=False)  # (n_members,) of a partial group: the highest
    better: Ints = field(repr=False)  # (n_pairs,) members of partial groups
    worse: Ints = field(repr=False)  # (n_pairs,)

    @classmethod
    def of(
        cls,
        number: Sequence[str],
        group: Sequence[str],
        subgroup: Sequence[str],
        docno: Sequence[str],
        level: NDArray[np.floating] | Sequence[float],
    ) -> "Preferences":
        """From aligned columns in any order; `parse_preferences` gives columns that fit.

        Raises `ValueError` for no rows, for columns that differ in length, for levels that are negative or not finite,
        for a document twice in a subgroup, and for a group that contradicts itself.
        """
        if not len(number) == len(group) == len(subgroup) == len(docno) == len(level):
            raise ValueError("the columns differ in length")
        if not len(number):
            raise ValueError("no preference: there is nothing to evaluate against")
        levels = np.asarray(level, np.float64)
        if not (np.isfinite(levels) & (levels >= 0)).all():
            raise ValueError("a level is a finite number of at least 0")
        documents, document = highest(number, docno, (levels > 0).astype(np.int64))
        groups, group_code = codes_of(number, group)
        _, subgroup_code = codes_of(number, group, subgroup)
        if np.unique(subgroup_code * documents.topic.size + document).size < levels.size:
            raise ValueError("a document stands twice in a subgroup")
        members = _Members(group_code, subgroup_code, document, levels)
        for member in np.flatnonzero(members.contradictory())[:1].tolist():
            in_topic, name = groups[members.group[member]]
            raise ValueError(f"group {name!r} of topic {in_topic!r} contradicts itself")
        numbers = {n: t for t, n in enumerate(documents.numbers)}
        return cls(
            documents=documents,
            groups=tuple(name for _, name in groups),
            group_topic=np.array([numbers[n] for n, _ in groups], np.int64),
            partial=members.partial,
            group=members.group,
            document=members.document,
            level=members.level,
            better=members.better,
            worse=members.worse,
        )

    @property
    def n_groups(self) -> int:
        return len(self.groups)

    @cached_property
    def coded(self) -> Qrels:
        """`documents`, each with its own index in place of a grade."""
        return replace(self.documents, grade=np.arange(self.documents.topic.size))

    @cached_property
    def alphabetic(self) -> Ints:
        """The place of each document among those of its topic by docno, ascending as bytes. (n_documents,)"""
        topic = self.documents.topic
        ordinal = np.empty_like(topic)
        ordinal[self.documents.docno.descending(np.arange(topic.size), topic)] = np.arange(topic.size)
        return -ordinal

    @cached_property
    def shared_pairs(self) -> tuple[Ints, Ints]:
        """`(better, worse)`: the pairs of documents in topics of several groups, once for each group that has them."""
        shared = np.bincount(self.group_topic, minlength=self.documents.n_topics)[self.group_topic] > 1
        total = np.flatnonzero((shared & ~self.partial)[self.group])
        one, other = preferred(self.group[total], self.level[total])
        ours = shared[self.group[self.better]]
        better = np.concatenate([self.better[ours], total[one]])
        worse = np.concatenate([self.worse[ours], total[other]])
        return self.document[better], self.document[worse]


def contradictory(
    number: Sequence[str], group: Sequence[str], subgroup: Sequence[str], docno: Sequence[str], level: Floats
) -> list[int]:
    """The rows whose document its group prefers to itself, from what several subgroups say together; ascending."""
    _, group_code = codes_of(number, group)
    _, subgroup_code = codes_of(number, group, subgroup)
    _, document = codes_of(number, docno)
    members = _Members(group_code, subgroup_code, document, level)
    return np.flatnonzero(members.contradictory()[members.of_row]).tolist()


class _Members:
    """The documents of each group once, by group; with the pairs that partial groups prefer."""

    def __init__(self, group: Ints, subgroup: Ints, document: Ints, level: Floats) -> None:
        order = np.lexsort((level, document, group))
        new = np.ones(order.size, bool)
        new[1:] = (np.diff(group[order]) != 0) | (np.diff(document[order]) != 0)
        first = np.flatnonzero(new)
        last = np.append(first[1:], order.size) - 1
        self.of_row = np.empty_like(order)
        self.of_row[order] = np.cumsum(new) - 1
        self.group, self.document = group[order][first], document[order][first]
        self.level, self.lowest = level[order][last], level[order][first]
        self.partial = _n_subgroups(group, subgroup) > 1
        self.better, self.worse = self._pairs(np.flatnonzero(self.partial[group]), subgroup, level)

    def _pairs(self, rows: Ints, subgroup: Ints, level: Floats) -> tuple[Ints, Ints]:
        """All preferences that the rows state, and that follow from them, as members."""
        rows = rows[np.argsort(subgroup[rows], kind="stable")]
        one, other = preferred(subgroup[rows], level[rows])
        return closed(self.group, self.of_row[rows[one]], self.of_row[rows[other]])

    def contradictory(self) -> Bools:
        """Preferred to itself, or not relevant in one subgroup and relevant in another. (n_members,)"""
        is_contradictory: Bools = (self.lowest == 0) & (self.level > 0)
        is_contradictory[self.better[self.better == self.worse]] = True
        return is_contradictory


def _n_subgroups(group: Ints, subgroup: Ints) -> Ints:
    """Of each group."""
    _, first = np.unique(subgroup, return_index=True)
    return np.bincount(group[first])
