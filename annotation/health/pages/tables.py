"""The tables of the health page as CSV files."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from annotation.health.pages.people import PersonHealth
from annotation.health.pages.report import HealthReport
from annotation.health.pages.topics import TopicHealth
from annotation.health.read.alerts import ShownAlert, ShownAlerts
from annotation.health.read.progress import Day
from annotation.kernel.tables import Column, Kind, Table
from annotation.quality.over_time import AccuracyPoint, AgreementPoint


@dataclass(frozen=True)
class Shown:
    """What the page shows."""

    report: HealthReport
    alerts: ShownAlerts


DAYS: tuple[Column[Day], ...] = (
    Column("day", lambda day: day.day, Kind.TIME),
    Column("judgments", lambda day: day.n_judged, Kind.WHOLE),
    Column("people", lambda day: day.n_people, Kind.WHOLE),
    Column("active_hours", lambda day: day.active_hours, Kind.NUMBER),
    Column("wall_hours", lambda day: day.wall_hours, Kind.NUMBER),
)

TOPICS: tuple[Column[TopicHealth], ...] = (
    Column("number", lambda topic: topic.number, Kind.ID),
    Column("title", lambda topic: topic.title),
    Column("pairs", lambda topic: topic.n_items, Kind.WHOLE),
    Column("judgments_wanted", lambda topic: topic.n_wanted, Kind.WHOLE),
    Column("judgments", lambda topic: topic.n_judged, Kind.WHOLE),
    Column("withheld", lambda topic: topic.n_withheld, Kind.WHOLE),
    Column("cards_met", lambda topic: topic.n_met, Kind.WHOLE),
    Column("could_not_judge", lambda topic: topic.n_cannot, Kind.WHOLE),
    Column("pairs_compared", lambda topic: topic.n_compared, Kind.WHOLE),
    Column("pairwise_agreement", lambda topic: topic.pairwise, Kind.NUMBER),
)

PEOPLE: tuple[Column[PersonHealth], ...] = (
    Column("annotator", lambda person: person.pseudonym),
    Column("takes_part", lambda person: person.is_active, Kind.YES_NO),
    Column("standing", lambda person: person.standing),
    Column("excluded", lambda person: person.excluded, Kind.YES_NO),
    Column("judgments", lambda person: person.n_judged, Kind.WHOLE),
    Column("skipped", lambda person: person.n_skipped, Kind.WHOLE),
    Column("active_hours", lambda person: person.active_hours, Kind.NUMBER),
    Column("wall_hours", lambda person: person.wall_hours, Kind.NUMBER),
    Column("judgments_per_active_hour", lambda person: person.pace, Kind.NUMBER),
    Column("median_seconds", lambda person: person.seconds, Kind.NUMBER),
    Column("early", lambda person: person.early, Kind.NUMBER),
    Column("hasty", lambda person: person.hasty, Kind.NUMBER),
    Column("gold", lambda person: person.n_gold, Kind.WHOLE),
    Column("accuracy", lambda person: person.accuracy, Kind.NUMBER),
    Column("accuracy_low", lambda person: person.low if person.n_gold else None, Kind.NUMBER),
    Column("accuracy_high", lambda person: person.high if person.n_gold else None, Kind.NUMBER),
    Column("last_judged", lambda person: person.last_seen, Kind.TIME),
)

# `kind`: stretch, or so_far for everything up to its end.
AGREEMENT: tuple[Column[tuple[str, AgreementPoint]], ...] = (
    Column("kind", lambda row: row[0]),
    Column("begin", lambda row: _moment(row[1].begin), Kind.TIME),
    Column("end", lambda row: _moment(row[1].end), Kind.TIME),
    Column("pairs", lambda row: row[1].n_pairs, Kind.WHOLE),
    Column("alpha", lambda row: row[1].value, Kind.NUMBER),
    Column("low", lambda row: row[1].low, Kind.NUMBER),
    Column("high", lambda row: row[1].high, Kind.NUMBER),
    Column("reason", lambda row: row[1].reason),
)

GOLD: tuple[Column[AccuracyPoint], ...] = (
    Column("begin", lambda point: _moment(point.begin), Kind.TIME),
    Column("end", lambda point: _moment(point.end), Kind.TIME),
    Column("gold_judgments", lambda point: point.n_gold, Kind.WHOLE),
    Column("right", lambda point: point.n_right, Kind.WHOLE),
    Column("accuracy", lambda point: point.value, Kind.NUMBER),
    Column("low", lambda point: point.low, Kind.NUMBER),
    Column("high", lambda point: point.high, Kind.NUMBER),
)

ALERTS: tuple[Column[ShownAlert], ...] = (
    Column("rule", lambda shown: shown.alert.rule),
    Column("about", lambda shown: shown.alert.about),
    Column("level", lambda shown: shown.alert.level, Kind.NUMBER),
    Column("says", lambda shown: shown.alert.text),
    Column("set_aside", lambda shown: shown.event is not None, Kind.YES_NO),
    Column("note", lambda shown: shown.event.note if shown.event else ""),
)


def _agreement(shown: Shown) -> Iterable[tuple[str, AgreementPoint]]:
    yield from (("stretch", point) for point in shown.report.agreement.stretches)
    yield from (("so_far", point) for point in shown.report.agreement.cumulative)


def _moment(seconds: int) -> datetime | None:
    return datetime.fromtimestamp(seconds, tz=UTC) if seconds else None


TABLES: dict[str, Table[Shown, Any]] = {
    "days": Table(DAYS, lambda shown: shown.report.days),
    "topics": Table(TOPICS, lambda shown: shown.report.topics),
    "people": Table(PEOPLE, lambda shown: shown.report.people),
    "agreement": Table(AGREEMENT, _agreement),
    "gold": Table(GOLD, lambda shown: shown.report.gold),
    "alerts": Table(ALERTS, lambda shown: shown.alerts.every),
}
