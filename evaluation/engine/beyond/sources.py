"""Lists, catalogues and scores of suspicion from runs, qrels, vectors and attributes of items."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from evaluation.engine.arrays import Bools, Floats, Ints
from evaluation.engine.beyond.lists import EXAMPLES, Catalogue
from evaluation.engine.qrels import Qrels
from evaluation.engine.run import PackedRun


def catalogue_of(items: Catalogue | None, vectors: tuple[Sequence[str], NDArray[np.floating]] | None) -> Catalogue:
    """Items with their vectors, (ids, (n_rows, dim)); without items the catalogue is what has a vector.

    Vectors of others are left aside. Raises `ValueError` where there is neither, and where an item has no vector.
    """
    if vectors is None:
        if items is None:
            raise ValueError("a catalogue is needed: a file of items, or their vectors")
        return items
    ids, vector = vectors
    if items is None:
        return Catalogue(tuple(ids), vector=vector)
    row_by_id = {name: row for row, name in enumerate(ids)}
    if missing := [name for name in items.ids if name not in row_by_id]:
        raise ValueError(f"{len(missing)} items have no vector, as {missing[0]}")
    return replace(items, vector=vector[[row_by_id[name] for name in items.ids]])


def relevant_of(qrels: Qrels, catalogue: Catalogue) -> dict[str, Ints]:
    """Items of grade 1 or more by person; those that the catalogue lacks can be hit by no list."""
    row_by_id = {name: i for i, name in enumerate(catalogue.ids)}
    by_person: dict[str, list[int]] = {}
    for (person, docno), grade in qrels.grade_by_pair().items():
        if grade >= 1:
            by_person.setdefault(person, []).append(row_by_id.get(docno, -1))
    return {person: np.array(items, np.int64) for person, items in by_person.items()}


def lists_in(run: PackedRun, asked: Sequence[str] | None) -> tuple[list[str], list[list[str]]]:
    """The lists of a run in its order, of those who were asked. Raises `ValueError` for a list of somebody else."""
    docno = list(run.docno)
    bounds = run.start.tolist()
    lists = {name: docno[a:b] for name, a, b in zip(run.numbers, bounds[:-1], bounds[1:], strict=True)}
    if asked is None:
        return list(lists), list(lists.values())
    if strangers := set(lists) - set(asked):
        raise ValueError(f"the run has a list for {min(strangers)}, who was not asked ({len(strangers)} of them)")
    return list(asked), [lists.get(name, []) for name in asked]


def scores_in(run: PackedRun, positive: Mapping[str, bool]) -> tuple[Floats, Bools]:
    """`(score, positive)` of each document of each topic of a run. Raises as `anomalies_among`."""
    return run.score, anomalies_among(list(run.docno), positive)


def anomalies_among(items: Sequence[str], positive: Mapping[str, bool]) -> Bools:
    """Whether each item is an anomaly, (n,). Raises `ValueError` for items of which that is not said."""
    if unknown := [name for name in dict.fromkeys(items) if name not in positive]:
        more = " …" if len(unknown) > EXAMPLES else ""
        raise ValueError(f"not said whether these are anomalies: {', '.join(unknown[:EXAMPLES])}{more}")
    return np.array([positive[name] for name in items], bool)
