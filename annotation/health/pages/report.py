"""All that the health page of a batch says."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import cached_property

from django.utils import timezone

from annotation.health.pages.people import PersonHealth, people_rows
from annotation.health.pages.plots import Plot, Point, bars_plot, series_plot
from annotation.health.pages.topics import TopicHealth, topic_rows
from annotation.health.read.alerts import alert_settings, alerts_of
from annotation.health.read.inputs import BatchData, days_worked, read_batch
from annotation.health.read.progress import (
    Day,
    Eta,
    Progress,
    Reached,
    course_of,
    days_of,
    eta_of,
    met_by_topic,
    progress_of,
)
from annotation.models import Batch
from annotation.quality.agreement import agreement_rows
from annotation.quality.agreement.alpha import TENTATIVE
from annotation.quality.alerts import ACCURACY, PAIRS, QUIET_HOURS, Alert
from annotation.quality.over_time import (
    LEAST_GOLD,
    AccuracyPoint,
    AgreementOverTime,
    AgreementPoint,
    accuracy_over_time,
    agreement_over_time,
)
from annotation.text.counted import percent

MOST_DAYS = 28  # drawn; the table and the file have all


@dataclass(frozen=True)
class Stretch:
    """A row of a table; `until`: when it ended."""

    until: datetime
    point: AgreementPoint | AccuracyPoint


@dataclass(frozen=True)
class HealthReport:
    """As of `now`. `has_times`: whether judgments came one after the other, so that there is a course of time."""

    now: datetime
    progress: Progress
    eta: Eta
    course: list[Reached]
    days: list[Day]
    agreement: AgreementOverTime
    gold: list[AccuracyPoint]
    topics: list[TopicHealth]
    people: list[PersonHealth]
    alerts: list[Alert]
    has_times: bool
    accuracy_asked: float
    policy: str

    @property
    def alpha(self) -> AgreementPoint | None:
        """Of everything so far."""
        return self.agreement.cumulative[-1] if self.agreement.cumulative else None

    @property
    def n_gold(self) -> int:
        return sum(point.n_gold for point in self.gold)

    @property
    def n_right(self) -> int:
        return sum(point.n_right for point in self.gold)

    @cached_property
    def has_paces(self) -> bool:
        """Whether it is known how long anybody took."""
        return any(person.seconds is not None for person in self.people)

    @property
    def gold_share(self) -> float:
        return self.n_right / self.n_gold

    @property
    def complete(self) -> str:
        return f"{self.progress.n_complete} of {self.progress.n_items}"

    @property
    def n_pairs(self) -> int:
        return sum(topic.n_items for topic in self.topics)

    @property
    def agreement_rows(self) -> list[tuple[Stretch, Stretch]]:
        """Each stretch, and everything up to its end."""
        parts, so_far = self.agreement.stretches, self.agreement.cumulative
        return [(_stretch(each), _stretch(all_)) for each, all_ in zip(parts, so_far, strict=True)]

    @property
    def gold_rows(self) -> list[Stretch]:
        return [_stretch(each) for each in self.gold]

    @cached_property
    def days_plot(self) -> Plot:
        days = _every_day(self.days)[-MOST_DAYS:]
        texts = [f"{day:%-d %b}: {n:,}" for day, n in days]
        ends = (f"{days[0][0]:%-d %b}", f"{days[-1][0]:%-d %b}") if days else ("", "")
        return bars_plot("Judgments by day", [n for _, n in days], texts, ends)

    @property
    def done_percent(self) -> int:
        """Never 100 before everything is judged."""
        return 100 * self.progress.n_judged // max(self.progress.n_expected, 1)

    @cached_property
    def agreement_plot(self) -> Plot:
        points = [_point("α", each, _decimals) for each in self.agreement.stretches]
        ends = _ends(self.agreement.stretches)
        return series_plot("Agreement, stretch by stretch", points, ends, threshold=TENTATIVE)

    @cached_property
    def gold_plot(self) -> Plot:
        points, name = [_point("right", each, percent) for each in self.gold], "Right on gold, stretch by stretch"
        return series_plot(name, points, _ends(self.gold), threshold=self.accuracy_asked, is_share=True)


def health_report(batch: Batch, now: datetime | None = None) -> HealthReport:
    """Some thirty queries, however many judgments."""
    now = now or timezone.now()
    data, settings = read_batch(batch), alert_settings(batch.collection)
    inputs = data.inputs
    row = agreement_rows(inputs)
    agreement = agreement_over_time(inputs, row, data.saved, least=_least(data, settings[PAIRS]))
    progress, work, met = progress_of(batch), days_worked(data), met_by_topic(batch)
    eta = eta_of(batch, data, progress.n_left, now, settings[QUIET_HOURS])
    return HealthReport(
        now=now,
        progress=progress,
        eta=eta,
        course=course_of(data, now),
        days=days_of(work),
        agreement=agreement,
        gold=accuracy_over_time(inputs, data.saved, least=_least(data, LEAST_GOLD)),
        topics=topic_rows(batch, data, row, met),
        people=people_rows(batch, data, work, settings[ACCURACY]),
        alerts=alerts_of(data, progress, eta, agreement, met=met, now=now),
        has_times=data.has_times,
        accuracy_asked=settings[ACCURACY],
        policy=data.policy,
    )


def _stretch(point: AgreementPoint | AccuracyPoint) -> Stretch:
    return Stretch(datetime.fromtimestamp(point.end, tz=UTC), point)


def _least(data: BatchData, usual: int) -> int:
    """Without times everything is one stretch."""
    return usual if data.has_times else max(len(data.saved), usual)


def _every_day(days: Sequence[Day]) -> list[tuple[date, int]]:
    """From the first day to the last, idle ones too."""
    if not days:
        return []
    done = {each.day.toordinal(): each.n_judged for each in days}
    last = max(done)
    return [(date.fromordinal(day), done.get(day, 0)) for day in range(max(min(done), last - MOST_DAYS), last + 1)]


def _point(what: str, each: AgreementPoint | AccuracyPoint, text: Callable[[float], str]) -> Point:
    if each.value is None:
        return Point(None, None, None, "")
    between = "" if each.low is None or each.high is None else f" ({text(each.low)} to {text(each.high)})"
    return Point(each.value, each.low, each.high, f"{what} {text(each.value)}{between}")


def _decimals(value: float) -> str:
    return f"{value:.2f}".replace("-", "−")


def _ends(points: Sequence[AgreementPoint] | Sequence[AccuracyPoint]) -> tuple[str, str]:
    if not points:
        return "", ""
    return _short(points[0].begin), _short(points[-1].end)


def _short(moment: int) -> str:
    return f"{datetime.fromtimestamp(moment, tz=UTC):%-d %b}" if moment else ""
