"""Rows of the database as columns by name, which arrays are made from."""

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet

CHUNK = 5000
JUDGMENT = {  # columns of a judgment table that are copied from its rows
    "number": "topic__number",
    "docno": "document__docno",
    "annotator": "annotator__pseudonym",
    "grade": "grade",
    "sequence": "pk",
    "reading": "assignment__reading",
    "surplus": "surplus",
    "blind": "blind",
}


def columns_of(rows: "QuerySet[Any]", paths: Mapping[str, str]) -> dict[str, list[Any]]:
    """For each name a list of what its path leads to, in the order of the rows; empty where there is none."""
    values = list(rows.values_list(*paths.values()).iterator(chunk_size=CHUNK))
    columns = zip(*values, strict=True) if values else ((),) * len(paths)
    return {name: list(column) for name, column in zip(paths, columns, strict=True)}
