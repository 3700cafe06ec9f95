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
    """How many of these rows there were. Each transaction begins with `guard`."""
    n_rows = 0
    while True:
        with transaction.atomic():
            guard()
            keys = list(rows.values_list("pk", flat=True)[:PORTION])
            rows.filter(pk__in=keys).delete()
        if not keys:
            return n_rows
        n_rows += len(keys)
