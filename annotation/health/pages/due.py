"""A batch beside the day by which it is due: whether it will be done by then, and the plan that leads there, drawn."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from annotation.health.pages.plots import Plot, plan_plot
from annotation.health.pages.report import HealthReport
from annotation.models import Batch
from annotation.quality.alerts.due import lateness

TONES = {"overdue": "bad", "behind": "warn"}


@dataclass(frozen=True)
class DueStanding:
    """`word` and `text` as of `Lateness`, with the `tone` of the word."""

    day: date
    word: str
    tone: str
    text: str


def due_standing(batch: Batch, report: HealthReport) -> DueStanding | None:
    """None of a batch that is due on no day, or that nobody works on."""
    if batch.due is None or batch.state not in Batch.RUNNING:
        return None
    late = lateness(batch.due, now=report.now, end=report.eta.middle, n_left=report.progress.n_left)
    return DueStanding(batch.due, late.word, TONES.get(late.word, "ok"), late.text)


def plan_of(batch: Batch, report: HealthReport) -> Plot | None:
    """Judged of all that is expected, with the even pace that would end on the day it is due."""
    if not report.course or batch.brought_by_id:
        return None
    reached = [(each.at, each.n) for each in report.course]
    due = _end_of(batch.due) if batch.due and batch.state in Batch.RUNNING else None
    return plan_plot("Judged of all expected", reached, report.progress.n_expected, report.eta.middle, due)


def _end_of(day: date) -> datetime:
    return datetime.combine(day + timedelta(days=1), time(), UTC)
