"""Who gets no cards, whom rules would pause, and how often they err, as CSV files."""

from collections.abc import Iterable
from typing import Any

from annotation.kernel.tables import Column, Kind, Table
from annotation.models import Collection
from annotation.trust.pages.policy_tables import WATCH_RATES
from annotation.trust.pages.rule_errors import ACCURACY_ERRORS, SPEED_ERRORS
from annotation.trust.read.held_people import EventRow, held_people
from annotation.trust.read.proposals import proposals


def _events_in_force(collection: Collection) -> Iterable[tuple[str, EventRow]]:
    return ((person.pseudonym, event) for person in held_people(collection) for event in person.events)


def _proposals(collection: Collection) -> Iterable[tuple[str, str, str]]:
    return (
        (person.pseudonym, rule, reason) for person in proposals(collection) for rule, reason in person.reasons.items()
    )


# A row an event that holds; `by`: who did it, or which rule.
HELD: Table[Collection, tuple[str, EventRow]] = Table(
    (
        Column("annotator", lambda row: row[0]),
        Column("action", lambda row: row[1].action),
        Column("by", lambda row: row[1].by),
        Column("reason", lambda row: row[1].reason),
        Column("told", lambda row: row[1].told),
        Column("at", lambda row: row[1].created_at, Kind.TIME),
    ),
    _events_in_force,
)

PROPOSED: Table[Collection, tuple[str, str, str]] = Table(
    (
        Column("annotator", lambda row: row[0]),
        Column("rule", lambda row: row[1]),
        Column("reason", lambda row: row[2]),
    ),
    _proposals,
)

PAUSING_TABLES: dict[str, Table[Collection, Any]] = {
    "held": HELD,
    "proposed": PROPOSED,
    "watch-rates": WATCH_RATES,
    "accuracy-errors": ACCURACY_ERRORS,
    "speed-errors": SPEED_ERRORS,
}
