"""The tables of the health page as lines that leave."""

from collections.abc import Callable
from datetime import UTC, datetime

from annotation.formats.health import AgreementLine, AlertLine, DayLine, GoldLine, Line, PersonLine, TopicLine
from annotation.health.pages.report import HealthReport
from annotation.health.read.alerts import ShownAlerts
from annotation.quality.over_time import AgreementPoint

Lines = Callable[[HealthReport, ShownAlerts], list[Line]]


def health_lines(table: str, report: HealthReport, alerts: ShownAlerts) -> tuple[type[Line], list[Line]]:
    """Their kind and the lines. Raises `KeyError` for a table that there is not."""
    kind, lines = TABLES[table]
    return kind, lines(report, alerts)


def _days(report: HealthReport, _alerts: ShownAlerts) -> list[Line]:
    return [DayLine(each.day, each.n_judged, each.n_people, each.active_hours, each.wall_hours) for each in report.days]


def _topics(report: HealthReport, _alerts: ShownAlerts) -> list[Line]:
    return [
        TopicLine(
            number=each.number,
            title=each.title,
            pairs=each.n_items,
            judgments_wanted=each.n_wanted,
            judgments=each.n_judged,
            withheld=each.n_withheld,
            cards_met=each.n_met,
            could_not_judge=each.n_cannot,
            pairs_compared=each.n_compared,
            pairwise_agreement=each.pairwise,
        )
        for each in report.topics
    ]


def _people(report: HealthReport, _alerts: ShownAlerts) -> list[Line]:
    return [
        PersonLine(
            annotator=each.pseudonym,
            takes_part=each.is_active,
            standing=each.standing,
            excluded=each.excluded,
            judgments=each.n_judged,
            skipped=each.n_skipped,
            active_hours=each.active_hours,
            wall_hours=each.wall_hours,
            judgments_per_active_hour=each.pace,
            median_seconds=each.seconds,
            early=each.early,
            hasty=each.hasty,
            gold=each.n_gold,
            accuracy=each.accuracy,
            accuracy_low=each.low if each.n_gold else None,
            accuracy_high=each.high if each.n_gold else None,
            last_judged=each.last_seen,
        )
        for each in report.people
    ]


def _agreement(report: HealthReport, _alerts: ShownAlerts) -> list[Line]:
    found = report.agreement
    parts = [("stretch", each) for each in found.stretches] + [("so_far", each) for each in found.cumulative]
    return [_agreement_line(kind, each) for kind, each in parts]


def _agreement_line(kind: str, each: AgreementPoint) -> Line:
    begin, end = _moment(each.begin), _moment(each.end)
    return AgreementLine(kind, begin, end, each.n_pairs, each.value, each.low, each.high, each.reason)


def _gold(report: HealthReport, _alerts: ShownAlerts) -> list[Line]:
    return [
        GoldLine(_moment(each.begin), _moment(each.end), each.n_gold, each.n_right, each.value, each.low, each.high)
        for each in report.gold
    ]


def _alerts(_report: HealthReport, alerts: ShownAlerts) -> list[Line]:
    return [
        AlertLine(
            rule=each.alert.rule,
            about=each.alert.about,
            level=each.alert.level,
            says=each.alert.text,
            set_aside=each.event is not None,
            note=each.event.note if each.event else "",
        )
        for each in alerts.every
    ]


def _moment(seconds: int) -> datetime | None:
    return datetime.fromtimestamp(seconds, tz=UTC) if seconds else None


TABLES: dict[str, tuple[type[Line], Lines]] = {
    "days": (DayLine, _days),
    "topics": (TopicLine, _topics),
    "people": (PersonLine, _people),
    "agreement": (AgreementLine, _agreement),
    "gold": (GoldLine, _gold),
    "alerts": (AlertLine, _alerts),
}
