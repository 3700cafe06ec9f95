"""Who gets no cards, and whom rules would pause, as lines that leave."""

from collections.abc import Callable, Sequence

from annotation.formats.policy_tables import AccuracyErrorLine, SpeedErrorLine, WatchRateLine
from annotation.formats.standing_tables import HeldLine, ProposedLine, StandingLine
from annotation.models import Collection
from annotation.trust.pages.policy_tables import watch_rate_lines
from annotation.trust.pages.rule_errors import accuracy_error_lines, speed_error_lines
from annotation.trust.read.held_people import held_people
from annotation.trust.read.proposals import proposals

Line = StandingLine | WatchRateLine | AccuracyErrorLine | SpeedErrorLine
Lines = Callable[[Collection], Sequence[Line]]


def standing_lines(table: str, collection: Collection) -> tuple[type[Line], Sequence[Line]]:
    """Their kind and the lines. Raises `KeyError` for a table that there is not."""
    kind, lines = STANDING_TABLES[table]
    return kind, lines(collection)


def _held(collection: Collection) -> Sequence[StandingLine]:
    return [
        HeldLine(person.pseudonym, each.action, each.by, each.reason, each.told, each.created_at)
        for person in held_people(collection)
        for each in person.events
    ]


def _proposed(collection: Collection) -> Sequence[StandingLine]:
    return [
        ProposedLine(each.pseudonym, rule, reason)
        for each in proposals(collection)
        for rule, reason in each.reasons.items()
    ]


STANDING_TABLES: dict[str, tuple[type[Line], Lines]] = {
    "held": (HeldLine, _held),
    "proposed": (ProposedLine, _proposed),
    "watch-rates": (WatchRateLine, watch_rate_lines),
    "accuracy-errors": (AccuracyErrorLine, accuracy_error_lines),
    "speed-errors": (SpeedErrorLine, speed_error_lines),
}
