"""What parts need of a table: its columns, the way to its collection, and how rows get in."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from django.db.models import Model, QuerySet

from annotation.exchange.read.bundles import PORTION


@cache
def columns_of(model: type[Model]) -> frozenset[str]:
    """The names of its columns; a foreign key is called as its field."""
    return frozenset(field.name for field in model._meta.concrete_fields)  # noqa: SLF001 -- public in Django


@cache
def path_to_collection(model: type[Model]) -> str:
    """As Django spells it: its own column, or the way along its first foreign key."""
    keys = [field for field in model._meta.concrete_fields if field.is_relation]  # noqa: SLF001 -- as above
    if any(field.name == "collection" for field in keys):
        return "collection"
    target: Any = keys[0].related_model
    return f"{keys[0].name}__{path_to_collection(target)}"


def insert(model: type[Model], rows: Sequence[Any], names: Iterable[str], columns: Mapping[str, object]) -> list[Any]:
    """Insert one row of the model for each row of the bundle, in their order.

    `names` are taken as they stand; each of `columns` is a list aligned with the rows, or one value for
    all of them. Times of creation stay, where Django would put in the time of now.
    """
    names = tuple(names)
    lists = [values if isinstance(values, list) else [values] * len(rows) for values in columns.values()]
    models = [
        model(**{name: getattr(row, name) for name in names}, **dict(zip(columns, values, strict=True)))
        for row, *values in zip(rows, *lists, strict=True)
    ]
    table: QuerySet[Any] = QuerySet(model)
    table.bulk_create(models, batch_size=PORTION)
    if "created_at" in names:
        _restore_times(table, models, rows)
    return models


def _restore_times(table: "QuerySet[Any]", models: Sequence[Any], rows: Sequence[Any]) -> None:
    other = [
        (each, row.created_at) for each, row in zip(models, rows, strict=True) if each.created_at != row.created_at
    ]
    for each, moment in other:
        each.created_at = moment
    table.bulk_update([each for each, _ in other], ["created_at"], batch_size=200)
