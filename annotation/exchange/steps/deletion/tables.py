"""Every table that belongs to a collection, those of apps that this one does not know among them."""

from collections.abc import Mapping
from graphlib import TopologicalSorter
from typing import Any

from django.apps import apps
from django.db.models import Field, Model, QuerySet

from annotation.models import AuditEvent, Collection

Table = type[Model]


def tables_of(collection: Collection) -> list["QuerySet[Any]"]:
    """Their rows, what refers to others before what it refers to. The record is not among them: it is kept."""
    paths = _paths()
    order: TopologicalSorter[Table] = TopologicalSorter({table: set() for table in paths})
    for table in paths:
        for field in _references(table):
            if field.related_model in paths and field.related_model is not table:
                order.add(field.related_model, table)
    return [_rows(table).filter(**{paths[table]: collection}) for table in order.static_order()]


def _paths() -> dict[Table, str]:
    """How each table leads to its collection: by its own column, or over the rows that it refers to."""
    paths: dict[Table, str] = {}
    tables = [table for table in apps.get_models() if table not in (Collection, AuditEvent)]
    grows = True
    while grows:
        reached: dict[Table, str] = {Collection: "", **paths}
        further = {table: _path(table, reached) for table in tables if table not in paths}
        grows = any(further.values())
        paths |= {table: path for table, path in further.items() if path}
    return paths


def _path(table: Table, reached: Mapping[Table, str]) -> str:
    """Over the first column that leads on: the models name their collection first."""
    for field in _references(table):
        related = field.related_model
        if related and related in reached:
            return "__".join(filter(None, [field.name, reached[related]]))
    return ""


def _references(table: Table) -> list["Field[Any, Any]"]:
    fields = table._meta.concrete_fields  # noqa: SLF001
    return [field for field in fields if field.many_to_one or field.one_to_one]


def _rows(table: Table) -> "QuerySet[Any]":
    return table._base_manager.all()  # noqa: SLF001
