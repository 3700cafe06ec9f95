"""How much waits behind each entry of the navigation: one statement a page, whatever waits.

What is counted is named in TOUCHSTONE_COUNTS, by the entry's name; either app brings its own.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db.models import IntegerField, QuerySet, Subquery
from django.db.models.expressions import Combinable
from django.utils.module_loading import import_string

from annotation.kernel.access import RESEARCH
from annotation.models import Collection

MOST = 99  # counted; beyond that a page says "99+"


@dataclass(frozen=True)
class Waiting:
    """`count`: a whole number that the database works out. `roles`: whom it waits for."""

    count: Combinable
    roles: frozenset[str] = RESEARCH


Source = Callable[[Collection], Waiting]


class CountOf(Subquery):
    """How many rows there are, and never more than one beyond `MOST`: where thousands wait, none of them is read."""

    template = "(SELECT COUNT(*) FROM (%(subquery)s) waiting)"
    output_field = IntegerField()

    def __init__(self, rows: QuerySet[Any]) -> None:
        super().__init__(rows.order_by().values("pk")[: MOST + 1])


def waiting_counts(collection: Collection, roles: frozenset[str]) -> dict[str, int]:
    """By the entry's name, of what waits for people of these roles; one statement, none for who leads nothing."""
    if not roles & RESEARCH:
        return {}
    asked = {name: source(collection) for name, source in _sources()}
    counts = {name: waiting.count for name, waiting in asked.items() if waiting.roles & roles}
    row = Collection.objects.filter(pk=collection.pk).annotate(**{f"n_{name}": n for name, n in counts.items()})
    found = row.values_list(*(f"n_{name}" for name in counts)).first() or ()
    return dict(zip(counts, found, strict=False))


def _sources() -> list[tuple[str, Source]]:
    return [(name, import_string(path)) for name, path in settings.TOUCHSTONE_COUNTS.items()]
