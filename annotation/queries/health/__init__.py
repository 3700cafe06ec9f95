"""How a batch does: progress, pace, cost, agreement and accuracy in the course of time, and what goes wrong."""

from annotation.queries.health.alerts import (
    RULES,
    ShownAlerts,
    alert_events,
    alert_settings,
    open_batches,
    shown_alerts,
)
from annotation.queries.health.lately import alerts_now, health_lately, mark_of
from annotation.queries.health.lines import TABLES, health_lines
from annotation.queries.health.report import HealthReport, health_report

__all__ = [
    "RULES",
    "TABLES",
    "HealthReport",
    "ShownAlerts",
    "alert_events",
    "alert_settings",
    "alerts_now",
    "health_lately",
    "health_lines",
    "health_report",
    "mark_of",
    "open_batches",
    "shown_alerts",
]
