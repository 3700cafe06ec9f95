"""Rows of a list, narrowed and sorted alike whether they are in the database or in memory."""

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import and_, attrgetter, or_
from typing import Any, TypeAlias

from django.db.models import F, Q, QuerySet

from annotation.kernel.tables import Column, natural_order

Rows: TypeAlias = "QuerySet[Any] | Sequence[Any]"


def narrowed(rows: Rows, search: Sequence[str], words: str, wanted: Mapping[str, str]) -> Rows:
    """Rows of which each word stands somewhere in what `search` names, and that have all the values `wanted`.

    Both go by paths as the database has them, `topic__number`.
    """
    if not (words or wanted):
        return rows
    if isinstance(rows, QuerySet):
        of_words = [reduce(or_, (Q(**{f"{path}__icontains": word}) for path in search)) for word in words.split()]
        return rows.filter(reduce(and_, of_words, Q(**wanted)))
    return [row for row in rows if _holds(row, search, words) and _has(row, wanted)]


def sorted_by(rows: Rows, column: "Column[Any]", *, is_down: bool) -> Rows:
    """By the column, what has no value last."""
    if isinstance(rows, QuerySet):
        by = F(column.by)  # type: ignore[attr-defined]
        return rows.order_by(by.desc(nulls_last=True) if is_down else by.asc(nulls_last=True), "-pk")
    with_value = [row for row in rows if column.get(row) not in (None, "")]
    without = [row for row in rows if column.get(row) in (None, "")]
    return sorted(with_value, key=column.order or (lambda row: _key(column.get(row))), reverse=is_down) + without


def _value(row: object, path: str) -> Any:
    return attrgetter(path.replace("__", "."))(row)


def _holds(row: object, search: Sequence[str], words: str) -> bool:
    texts = [str(_value(row, path)).casefold() for path in search]
    return all(any(word in text for text in texts) for word in words.casefold().split())


def _has(row: object, wanted: Mapping[str, str]) -> bool:
    """Of several values it has, one is enough."""
    for path, value in wanted.items():
        own = _value(row, path)
        if value not in (own if isinstance(own, list) else [str(own)]):
            return False
    return True


def _key(value: Any) -> Any:
    return natural_order(value.casefold()) if isinstance(value, str) else value
