"""How much waits behind each entry of the navigation: one statement a page, whatever waits.

What is counted is named in TOUCHSTONE_COUNTS, by the entry's name; either app brings its own. The
statement is compiled once for all collections and times: a source gets a blank in place of a
collection, and asks no clock but `LATELY`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from typing import Any, cast

from django.conf import settings
from django.db.models import IntegerField, QuerySet, Subquery
from django.db.models.expressions import Combinable
from django.utils import timezone
from django.utils.module_loading import import_string

from annotation.kernel.access import RESEARCH
from annotation.models import Collection
from annotation.models.prepared import KEY, MOMENT, Blank, Values

MOST = 99  # counted; beyond that a page says "99+"
LATELY = Blank("lately", MOMENT)  # a week ago
_WEEK = timedelta(days=7)
_COLLECTION = Blank("collection", KEY)


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
    leading = roles & RESEARCH
    if not leading:
        return {}
    names, statement = _counts_for(leading)
    row = next(iter(statement.rows(collection=collection.pk, lately=timezone.now() - _WEEK)), ())
    return dict(zip(names, row, strict=False))


@cache
def _counts_for(roles: frozenset[str]) -> tuple[list[str], Values]:
    """The entries' names, and what counts for each of them in its order."""
    sources: dict[str, Source] = {name: import_string(path) for name, path in settings.TOUCHSTONE_COUNTS.items()}
    asked = {name: source(cast("Collection", _COLLECTION)) for name, source in sources.items()}
    counts = {f"n_{name}": waiting.count for name, waiting in asked.items() if waiting.roles & roles}
    rows = Collection.objects.filter(pk=_COLLECTION).annotate(**counts)
    return [name.removeprefix("n_") for name in counts], Values(lambda: rows.values_list(*counts))
