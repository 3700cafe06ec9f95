"""What goes wrong while people judge: a rule gives alerts, whoever sets one aside.

A new rule is a sibling file that declares it, with its words and thresholds, and a line in `RULES`.
"""

from collections.abc import Mapping
from types import MappingProxyType

from annotation.quality.alerts.accuracy import ACCURACY, INACCURATE_PEOPLE
from annotation.quality.alerts.agreement import FALLING_AGREEMENT, PAIRS
from annotation.quality.alerts.cannot_judge import TOPICS_HARD_TO_JUDGE
from annotation.quality.alerts.due import LATE_BATCH
from annotation.quality.alerts.gold_supply import PEOPLE_SHORT_OF_GOLD
from annotation.quality.alerts.racing import RACING_PEOPLE
from annotation.quality.alerts.rule import Alert, AlertRule, AlertSettings, BatchFigures, Threshold
from annotation.quality.alerts.silence import QUIET_HOURS, SILENT_BATCH
from annotation.quality.settings import SettingError, check_kind, check_limits

# In the order in which alerts and thresholds are shown.
RULES: Mapping[str, AlertRule] = MappingProxyType(
    {
        rule.name: rule
        for rule in (
            FALLING_AGREEMENT,
            INACCURATE_PEOPLE,
            RACING_PEOPLE,
            PEOPLE_SHORT_OF_GOLD,
            TOPICS_HARD_TO_JUDGE,
            SILENT_BATCH,
            LATE_BATCH,
        )
    }
)
THRESHOLDS: Mapping[str, Threshold[int] | Threshold[float]] = MappingProxyType(
    {threshold.name: threshold for rule in RULES.values() for threshold in rule.thresholds}
)


def alert_settings_of(stored: Mapping[str, object]) -> AlertSettings:
    """From names and numbers, as they are stored; others are built in. Raises `SettingError`."""
    values: dict[str, float] = {name: threshold.default for name, threshold in THRESHOLDS.items()}
    for name, value in stored.items():
        if name not in THRESHOLDS:
            raise SettingError("", f"there is no setting {name!r}")
        values[name] = check_kind(name, value, type(THRESHOLDS[name].default))
    for name, threshold in THRESHOLDS.items():
        check_limits(name, values[name], threshold.lowest, threshold.highest)
    return AlertSettings(values)


def is_worse(alert: Alert, level: float) -> bool:
    """Whether an alert that was set aside at this level has grown so much worse that it comes back."""
    return alert.level >= level + RULES[alert.rule].worse_by - 1e-9


__all__ = [
    "ACCURACY",
    "PAIRS",
    "QUIET_HOURS",
    "RULES",
    "THRESHOLDS",
    "Alert",
    "AlertRule",
    "AlertSettings",
    "BatchFigures",
    "Threshold",
    "alert_settings_of",
    "is_worse",
]
