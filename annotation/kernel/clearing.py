"""Deleting many rows in short transactions: judging goes on meanwhile."""

from collections.abc import Callable
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

PORTION = 500

Guard = Callable[[], None]


def no_guard() -> None:
    pass


def delete_in_portions(rows: "QuerySet[Any]", guard: Guard = no_guard) -> int:
    """How many of these rows it has deleted itself. Each transaction begins with `guard`.

    They are looked for before it: on SQLite others wait while it lasts.
    """
    n_rows = 0
    while keys := list(rows.values_list("pk", flat=True)[:PORTION]):
        with transaction.atomic():
            guard()
            _, deleted = rows.filter(pk__in=keys).delete()
        n_rows += deleted.get(rows.model._meta.label, 0)  # noqa: SLF001 -- public in Django
    return n_rows
