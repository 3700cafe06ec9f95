"""What is kept of each judgment and each item, with the database's own keys instead of words."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any, TypeAlias

import numpy as np
from django.db.models import F, QuerySet, Value
from django.db.models.functions import Coalesce
from numpy.typing import NDArray

from annotation.models import Item, Judgment

Rows: TypeAlias = NDArray[np.void]  # of one of the types below
Fields: TypeAlias = tuple[Any, ...]  # of a row

NOT_KNOWN = -1  # a time that was not recorded
CHUNK = 5000
EPOCH, MICROSECOND = datetime(1970, 1, 1, tzinfo=UTC), timedelta(microseconds=1)
JUDGMENT = np.dtype(
    [
        ("id", "<i8"),
        ("item", "<i8"),
        ("topic", "<i8"),
        ("document", "<i8"),
        ("annotator", "<i8"),
        ("assignment", "<i8"),
        ("scale", "<i8"),
        ("wall_ms", "<i8"),
        ("active_ms", "<i8"),
        ("revision", "<i4"),
        ("reading", "<i4"),
        ("grade", "<i4"),
        ("surplus", "?"),
        ("blind", "?"),
        ("early", "?"),
        ("saved", "<i8"),  # microseconds since 1970
    ]
)
ITEM = np.dtype([("id", "<i8"), ("topic", "<i8"), ("document", "<i8")])

_KEYS = ("item", "topic", "document", "annotator", "assignment", "scale")
_JUDGMENT_PATHS: dict[str, Any] = {
    "id": F("pk"),
    **{key: F(f"{key}_id") for key in _KEYS},
    "wall_ms": Coalesce("wall_ms", Value(NOT_KNOWN)),
    "active_ms": Coalesce("active_ms", Value(NOT_KNOWN)),
    "reading": F("assignment__reading"),
    **{name: F(name) for name in ("revision", "grade", "surplus", "blind", "early")},
    "saved": F("created_at"),
}


def judgment_rows(judgments: QuerySet[Judgment]) -> Iterator[Rows]:
    """Portions of them, in their order."""
    paths = [_JUDGMENT_PATHS[name] for name in JUDGMENT.names or ()]
    return _portions(judgments.values_list(*paths), JUDGMENT, lambda row: (*row[:-1], microseconds(row[-1])))


def item_rows(items: QuerySet[Item]) -> tuple[Rows, list[str]]:
    """The items in their order, and the docno of each."""
    rows = list(items.values_list("pk", "topic_id", "document_id", "document__docno").iterator(chunk_size=CHUNK))
    return np.array([row[:3] for row in rows], dtype=ITEM), [row[3] for row in rows]


def microseconds(moment: datetime) -> int:
    """Since 1970."""
    return (moment - EPOCH) // MICROSECOND


def _portions(
    rows: "QuerySet[Any, Fields]", kind: np.dtype[np.void], to_fields: Callable[[Fields], Fields]
) -> Iterator[Rows]:
    walk = iter(rows.iterator(chunk_size=CHUNK))
    while portion := [to_fields(row) for row in islice(walk, CHUNK)]:
        yield np.array(portion, dtype=kind)
