"""Alerts of a batch under way: what the rules find now, and what people have set aside."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256

import numpy as np
from django.db.models import Count

from annotation.health.read.inputs import Reading
from annotation.health.read.progress import WORKING, Progress
from annotation.kernel.visible import visible_batches
from annotation.models import AlertEvent, Batch, Collection, Participation, Planting, Slot
from annotation.quality.alerts import (
    Alert,
    AlertSettings,
    falling_agreement,
    inaccurate_people,
    is_worse,
    people_short_of_gold,
    racing_people,
    silent_batch,
    topics_hard_to_judge,
)
from annotation.quality.arrays import Bools, Ints
from annotation.quality.over_time import AgreementOverTime

RULES = {
    "agreement": ("Agreement falls", "Look where people part: by topic, and whether the guideline leaves it open."),
    "accuracy": ("Wrong on gold", "Look at the person’s errors; pause or exclude them if you agree."),
    "racing": ("Too fast", "Look at the person’s pace and grades beside everybody’s."),
    "gold": ("Gold runs out", "They stay unproven: set more gold for the next batch, or believe the unproven."),
    "cannot": ("Hard to judge", "Read what people said: the topic may be unclear, or its documents broken."),
    "silence": ("Nobody judges", "Ask your people, or assign more; pause the batch if that is meant."),
}


@dataclass(frozen=True)
class ShownAlert:
    """`event` is set where a person has set it aside and it has not become worse since; `before` where it came back."""

    alert: Alert
    event: AlertEvent | None
    before: AlertEvent | None = None

    @property
    def name(self) -> str:
        return RULES[self.alert.rule][0]

    @property
    def advice(self) -> str:
        return RULES[self.alert.rule][1]

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

    def one(self, rule: str, about: str) -> ShownAlert | None:
        return next((each for each in self.every if (each.alert.rule, each.alert.about) == (rule, about)), None)


def alert_settings(collection: Collection) -> AlertSettings:
    """Those chosen, else the built-in ones. Raises `SettingError` if what is stored makes none."""
    return AlertSettings.of(collection.alerts)


def open_batches(collection: Collection) -> list[Batch]:
    """Batches in which something may go wrong now, the newest first."""
    found = visible_batches(collection).filter(state__in=WORKING).select_related("scale", "collection")
    return list(found.order_by("-pk"))


def alerts_of(
    reading: Reading,
    progress: Progress,
    agreement: AgreementOverTime,
    met: dict[str, tuple[int, int]],
    now: datetime,
) -> list[Alert]:
    """What the rules find in an open or paused batch; nothing in others. Two queries."""
    batch = reading.batch
    if batch.state not in WORKING:
        return []
    settings = alert_settings(batch.collection)
    people = list(reading.inputs.table.annotators)
    judging, ahead = _judging(reading), _gold_ahead(batch, people)
    begun = judging & (np.bincount(reading.inputs.table.annotator[reading.first], minlength=len(people)) > 0)
    accuracy = reading.people.accuracy
    found = [
        *falling_agreement(agreement),
        *inaccurate_people(accuracy, people, begun, settings),
        *racing_people(reading.pace, reading.early, people, begun, settings),
        *topics_hard_to_judge(((number, *counts) for number, counts in sorted(met.items())), settings),
    ]
    if batch.gold_share:
        found += people_short_of_gold(accuracy.n_gold, ahead, people, judging, settings)
    if batch.state == Batch.State.OPEN:
        found += silent_batch(_last(reading), now, progress.n_left, settings)
    return found


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


def _judging(reading: Reading) -> Bools:
    """(n_annotators,): who takes part now and is neither excluded nor paused."""
    active = Participation.objects.filter(batch=reading.batch, is_active=True, annotator__gets_cards=True)
    names = set(active.values_list("annotator__pseudonym", flat=True))
    table = reading.inputs.table
    return np.array(
        [name in names and i not in reading.inputs.excluded for i, name in enumerate(table.annotators)], dtype=np.bool_
    )


def _gold_ahead(batch: Batch, people: Sequence[str]) -> Ints:
    """(n_annotators,): gold laid out for each that they have not met."""
    ahead = Slot.objects.filter(
        batch=batch, reading=1, item__planting__purpose=Planting.Purpose.GOLD, item__withheld=False
    ).exclude(state=Slot.State.JUDGED)
    counts = dict(ahead.values_list("reserved_for__pseudonym").annotate(n=Count("pk")).order_by())
    anybody = counts.get(None, 0)
    return np.array([counts.get(name, 0) + anybody for name in people], dtype=np.int64)


def _last(reading: Reading) -> datetime | None:
    """When somebody judged last; before that, when the batch was laid out."""
    if len(reading.moments):
        return datetime.fromtimestamp(int(reading.moments.max()), tz=UTC)
    return reading.batch.laid_out_at
