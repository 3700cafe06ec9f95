"""Alerts of a batch under way: what the rules find now, and what people set aside."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from hashlib import sha256

import numpy as np
from django.db.models import Count

from annotation.health.read.inputs import BatchData
from annotation.health.read.progress import Eta, Progress
from annotation.kernel.visible import visible_batches
from annotation.models import AlertEvent, Assignment, Batch, Collection, Participation, Planting, Slot, StockItem
from annotation.quality.alerts import (
    RULES,
    Alert,
    AlertRule,
    AlertSettings,
    BatchFigures,
    alert_settings_of,
    is_worse,
)
from annotation.quality.arrays import Bools, Ints
from annotation.quality.over_time import AgreementOverTime
from annotation.text.counted import counted


@dataclass(frozen=True)
class ShownAlert:
    """`event`: a person set it aside and it has not become worse since; `before`: it came back."""

    alert: Alert
    event: AlertEvent | None
    before: AlertEvent | None = None

    @property
    def rule(self) -> AlertRule:
        return RULES[self.alert.rule]

    @property
    def named(self) -> str:
        return self.rule.named(self.alert.about)

    @property
    def key(self) -> str:
        """Names it on a page, also after the page has looked again."""
        return f"{self.alert.rule}-{sha256(self.alert.about.encode()).hexdigest()[:8]}"


@dataclass(frozen=True)
class ShownAlerts:
    every: list[ShownAlert]

    @property
    def to_look_at(self) -> list[ShownAlert]:
        return [each for each in self.every if each.event is None]

    @property
    def aside(self) -> list[ShownAlert]:
        return [each for each in self.every if each.event]

    @property
    def in_words(self) -> str:
        return in_words(self.to_look_at)

    def one(self, rule: str, about: str) -> ShownAlert | None:
        return next((each for each in self.every if (each.alert.rule, each.alert.about) == (rule, about)), None)


def in_words(alerts: Sequence[ShownAlert]) -> str:
    """How many there are, and of which kinds."""
    times = Counter(alert.rule.title for alert in alerts)
    kinds = ", ".join(f"{title.lower()}{f' ({n})' if n > 1 else ''}" for title, n in times.items())
    return f"{counted(len(alerts), 'alert')}: {kinds}."


def alert_settings(collection: Collection) -> AlertSettings:
    """Those chosen, else the built-in ones. Raises `SettingError` if what is stored makes none."""
    return alert_settings_of(collection.alerts)


def chosen_alerts(collection: Collection) -> dict[str, float | Decimal | str | None]:
    """The thresholds by name, and what a judgment costs where its batch does not say."""
    costs = {"cost_per_judgment": collection.cost_per_judgment, "currency": collection.currency}
    return {**alert_settings(collection).values, **costs}


def open_batches(collection: Collection) -> list[Batch]:
    """Batches in which something may go wrong now, the newest first."""
    batches = visible_batches(collection).filter(state__in=Batch.RUNNING).select_related("scale", "collection")
    return list(batches.order_by("-pk"))


def alerts_of(
    data: BatchData,
    progress: Progress,
    eta: Eta,
    agreement: AgreementOverTime,
    *,
    met: dict[str, tuple[int, int]],
    now: datetime,
) -> list[Alert]:
    """What the rules find in an open or paused batch; nothing in others. Two queries."""
    batch = data.batch
    if batch.state not in Batch.RUNNING:
        return []
    settings = alert_settings(batch.collection)
    figures = _figures(data, progress, eta, agreement, met=met, now=now)
    return [alert for rule in RULES.values() for alert in rule.find(figures, settings)]


def shown_alerts(batch: Batch, alerts: Sequence[Alert]) -> ShownAlerts:
    """Each with what people said of it last. One query."""
    events = AlertEvent.objects.filter(batch=batch).select_related("created_by").order_by("pk")
    last = {(event.rule, event.about): event for event in events} if alerts else {}
    ordered = sorted(alerts, key=lambda alert: (list(RULES).index(alert.rule), -alert.level))
    return ShownAlerts([_shown(alert, last.get((alert.rule, alert.about))) for alert in ordered])


def alert_events(batch: Batch, rule: str, about: str) -> list[AlertEvent]:
    """What people did with an alert, the last first."""
    events = AlertEvent.objects.filter(batch=batch, rule=rule, about=about).select_related("created_by")
    return list(events.order_by("-pk"))


def _shown(alert: Alert, event: AlertEvent | None) -> ShownAlert:
    if event is None or event.action == AlertEvent.Action.SHOW:
        return ShownAlert(alert, None)
    if is_worse(alert, event.level):
        return ShownAlert(alert, None, before=event)
    return ShownAlert(alert, event)


def _figures(
    data: BatchData,
    progress: Progress,
    eta: Eta,
    agreement: AgreementOverTime,
    *,
    met: dict[str, tuple[int, int]],
    now: datetime,
) -> BatchFigures:
    table, batch, judging = data.inputs.table, data.batch, _judging(data)
    n_first = np.bincount(table.annotator[data.first], minlength=len(table.annotators))
    return BatchFigures(
        people=table.annotators,
        judging=judging,
        started=judging & (n_first > 0),
        early=data.early,
        n_gold_ahead=_gold_ahead(batch, table.annotators),
        accuracy=data.people.accuracy,
        pace=data.pace,
        agreement=agreement,
        topics=[(number, *counts) for number, counts in sorted(met.items())],
        has_gold=bool(batch.gold_share),
        is_open=batch.state == Batch.State.OPEN,
        n_left=progress.n_left,
        last=_last(data),
        due=batch.due,
        end=eta.middle,
        now=now,
    )


def _judging(data: BatchData) -> Bools:
    """(n_annotators,): who takes part now and is neither excluded nor paused."""
    active = Participation.objects.filter(batch=data.batch, is_active=True, annotator__gets_cards=True)
    names = set(active.values_list("annotator__pseudonym", flat=True))
    table = data.inputs.table
    return np.array(
        [name in names and i not in data.inputs.excluded for i, name in enumerate(table.annotators)], dtype=np.bool_
    )


def _gold_ahead(batch: Batch, people: Sequence[str]) -> Ints:
    """(n_annotators,): gold laid out for each that they have not met; where coins decide, all that can come."""
    if batch.coin_shares is not None:
        return _stock_ahead(batch, people)
    ahead = Slot.objects.filter(
        batch=batch, reading=1, item__planting__purpose=Planting.Purpose.GOLD, item__withheld=False
    ).exclude(state=Slot.State.JUDGED)
    counts = dict(ahead.values_list("reserved_for__pseudonym").annotate(n=Count("pk")).order_by())
    anybody = counts.get(None, 0)
    return np.array([counts.get(name, 0) + anybody for name in people], dtype=np.int64)


def _stock_ahead(batch: Batch, people: Sequence[str]) -> Ints:
    stock = StockItem.objects.filter(batch=batch, item__planting__purpose=Planting.Purpose.GOLD, item__withheld=False)
    met = Assignment.objects.filter(batch=batch, reading=1, item__in=stock.values("item"))
    n_met = dict(met.values_list("annotator__pseudonym").annotate(n=Count("pk")).order_by())
    n = stock.count()
    return np.array([n - n_met.get(name, 0) for name in people], dtype=np.int64)


def _last(data: BatchData) -> datetime | None:
    """When somebody judged last; before that, when the batch was laid out."""
    if len(data.moments):
        return datetime.fromtimestamp(int(data.moments.max()), tz=UTC)
    return data.batch.laid_out_at
