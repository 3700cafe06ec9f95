"""What goes wrong while people judge, one rule a file. A rule gives alerts; who sets one aside is no matter here."""

from annotation.quality.alerts.accuracy import inaccurate_people
from annotation.quality.alerts.agreement import falling_agreement
from annotation.quality.alerts.alert import Alert
from annotation.quality.alerts.cannot_judge import topics_hard_to_judge
from annotation.quality.alerts.gold_supply import people_short_of_gold
from annotation.quality.alerts.racing import racing_people
from annotation.quality.alerts.settings import AlertSettings
from annotation.quality.alerts.silence import silent_batch

WORSE_BY = {"accuracy": 0.05, "agreement": 0.05, "cannot": 0.05, "gold": 1.0, "racing": 0.1, "silence": 24.0}


def is_worse(alert: Alert, level: float) -> bool:
    """Whether an alert that was set aside at this level has grown so much worse that it comes back."""
    return alert.level >= level + WORSE_BY[alert.rule] - 1e-9


__all__ = [
    "WORSE_BY",
    "Alert",
    "AlertSettings",
    "falling_agreement",
    "inaccurate_people",
    "is_worse",
    "people_short_of_gold",
    "racing_people",
    "silent_batch",
    "topics_hard_to_judge",
]
