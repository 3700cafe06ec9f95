"""Judgments and items of batches as columns: from the files that are kept, and what these lack from the tables.

Rows are never changed and get ascending keys, so a part stays right for ever, unless rows below its
last key went away or came late. Each reading asks the database for the number of rows up to that
key, and passes over the parts of a batch where it is another.
"""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from numpy.typing import NDArray

from annotation.kernel.judged.parts import BrokenPartError, Part, docnos_of, parts_of, rows_of
from annotation.kernel.judged.rows import ITEM, JUDGMENT, Rows, item_rows, judgment_rows
from annotation.models import Batch, Item, Judgment, KeptColumns

logger = logging.getLogger(__name__)

AT_ONCE = 100  # batches counted by one statement

Column: TypeAlias = NDArray[Any]
Chosen: TypeAlias = Callable[[Rows], NDArray[np.bool_]]


@dataclass(frozen=True)
class Laid:
    """Items of batches, by ascending key of the batch and then of the item. `docnos`: one each."""

    id: Column
    topic: Column
    document: Column
    docnos: list[str]


@dataclass
class _Parts:
    """Of several batches, those that may be read; `last` of a batch without any is 0."""

    of: dict[int, list[Part]] = field(default_factory=dict)

    def last(self, batch: int) -> int:
        return self.of[batch][-1].last if self.of.get(batch) else 0

    def n(self, batch: int) -> int:
        return sum(part.n for part in self.of.get(batch, ()))


def read_judgments(
    batches: Sequence[int],
    names: Sequence[str],
    chosen: Chosen | None = None,
    *,
    criterion: str,
    among: Q | None = None,
) -> dict[str, Column]:
    """Columns of the judgments of these batches, in the order in which they were saved; of those `chosen` alone, which
    the tables are asked for `among` these.

    A part that turns out to be broken is left out, and its batch read from the table.
    """
    parts = _whole(_kept(batches, "judgments"), Judgment)
    while True:
        try:
            portions = _portions(batches, parts, criterion, among or Q())
            return _in_order(_columns(portions, names, chosen, _expected(batches, parts)))
        except _BrokenError as broken:
            parts.of.pop(broken.batch)


def read_items(batches: Sequence[int]) -> Laid:
    """All items of these batches."""
    parts = _whole(_kept(batches, "items"), Item)
    rows: list[Rows] = []
    docnos: list[str] = []
    for batch in batches:
        try:
            kept = [(np.concatenate(list(rows_of(part, ITEM))), docnos_of(part)) for part in parts.of.get(batch, ())]
        except BrokenPartError as broken:
            _tell(broken)
            parts.of.pop(batch)
            kept = []
        for of_part, their_docnos in kept:
            rows.append(of_part)
            docnos += their_docnos
    further, their_docnos = item_rows(Item.objects.filter(_beyond(batches, parts)).order_by("pk"))
    rows.append(further)
    docnos += their_docnos
    every = np.concatenate(rows)
    return Laid(every["id"], every["topic"], every["document"], docnos)


def rows_covered(model: type[Judgment] | type[Item], batch: int, last: int) -> int:
    """How many rows the batch has up to that key."""
    return sum(n - beyond for _, n, beyond in _counts(model, batch, last))


class _BrokenError(Exception):
    def __init__(self, batch: int) -> None:
        super().__init__(batch)
        self.batch = batch


def _kept(batches: Sequence[int], kind: str) -> dict[int, list[Part]]:
    stored = KeptColumns.objects.filter(batch__in=batches).values_list("batch", kind)
    return {batch: parts for batch, each in stored if (parts := parts_of(each))}


def _whole(kept: dict[int, list[Part]], model: type[Judgment] | type[Item]) -> _Parts:
    """Without the parts of batches whose rows up to the last key are not as many as the parts have."""
    parts = _Parts(kept)
    for batch, covered in _covered(model, parts):
        if covered != parts.n(batch):
            logger.warning("the kept columns of batch %s are not those of its rows: read from the table", batch)
            del parts.of[batch]
    return parts


def _covered(model: type[Judgment] | type[Item], parts: _Parts) -> Iterator[tuple[int, int]]:
    """Of each batch, the rows up to the last key of its parts: all, less those beyond it, by one look at the table."""
    batches = sorted(parts.of)
    for begin in range(0, len(batches), AT_ONCE):
        one, *others = (_counts(model, batch, parts.last(batch)) for batch in batches[begin : begin + AT_ONCE])
        yield from ((batch, n - beyond) for batch, n, beyond in (one.union(*others, all=True) if others else one))


def _counts(model: type[Judgment] | type[Item], batch: int, last: int) -> "QuerySet[Batch, tuple[int, int, int]]":
    rows = model._default_manager.filter(batch=OuterRef("pk")).order_by()  # noqa: SLF001 -- public, for all its underscore
    n, beyond = (
        Coalesce(Subquery(each.values("batch").annotate(n=Count("*")).values("n")), 0)
        for each in (rows, rows.filter(pk__gt=last))
    )
    return Batch.objects.filter(pk=batch).values_list("pk", n, beyond)


def _beyond(batches: Iterable[int], parts: _Parts) -> Q:
    """Rows of the batches that no part holds."""
    bare = [batch for batch in batches if not parts.of.get(batch)]
    condition = Q(batch__in=bare)
    for batch in parts.of:
        condition |= Q(batch=batch, pk__gt=parts.last(batch))
    return condition


def _portions(batches: Sequence[int], parts: _Parts, criterion: str, among: Q) -> Iterator[Rows]:
    for batch, kept in parts.of.items():
        try:
            for part in kept:
                yield from rows_of(part, JUDGMENT)
        except BrokenPartError as broken:
            _tell(broken)
            raise _BrokenError(batch) from broken
    beyond = Judgment.objects.filter(_beyond(batches, parts), among, criterion=criterion)
    yield from judgment_rows(beyond.order_by("pk"))


def _expected(batches: Iterable[int], parts: _Parts) -> int:
    return sum(parts.n(batch) for batch in batches)


def _columns(portions: Iterable[Rows], names: Sequence[str], chosen: Chosen | None, expected: int) -> dict[str, Column]:
    """Filled portion by portion, so that no row is in memory twice."""
    columns = {name: np.empty(expected if chosen is None else 0, dtype=_wide(name)) for name in ("id", *names)}
    n = 0
    for portion in portions:
        rows = portion if chosen is None else portion[chosen(portion)]
        for name, column in columns.items():
            if n + len(rows) > len(column):
                column.resize(max(n + len(rows), len(column) + len(column) // 8), refcheck=False)
            column[n : n + len(rows)] = rows[name]
        n += len(rows)
    for column in columns.values():
        column.resize(n, refcheck=False)
    return columns


def _wide(name: str) -> np.dtype[Any]:
    """Integers as the arrays of the quality room have them."""
    kind = JUDGMENT[name]
    return kind if kind == np.bool_ else np.dtype(np.int64)


def _in_order(columns: Mapping[str, Column]) -> dict[str, Column]:
    if not (np.diff(columns["id"]) > 0).all():
        order = np.argsort(columns["id"])
        columns = {name: column[order] for name, column in columns.items()}
    for column in columns.values():
        column.setflags(write=False)
    return dict(columns)


def _tell(broken: BrokenPartError) -> None:
    logger.warning("a part of the kept columns is broken and read from the table: %s", broken)
