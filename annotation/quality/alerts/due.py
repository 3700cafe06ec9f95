"""The work will not be done by the day on which the batch is due."""

from dataclasses import dataclass
from datetime import UTC, date, datetime

from annotation.quality.alerts.rule import Alert, AlertRule, AlertSettings, BatchFigures
from annotation.text.counted import counted

RULE = "due"
OVERDUE = "overdue"
LATE = (OVERDUE, "behind")


@dataclass(frozen=True)
class Lateness:
    """`word`: "done", "overdue", "behind" or "on time"; empty where nobody can say. `text`: by how much. `n_days`: from
    the day due until the expected end, or until today where that is later."""

    word: str
    text: str
    n_days: int


def lateness(due: date, *, now: datetime, end: datetime | None, n_left: int) -> Lateness:
    """By days of UTC. `end`: when the last judgment is expected, None where nobody can say; `n_left`: judgments still
    wanted."""
    if not n_left:
        return Lateness("done", "everything that was wanted is judged", 0)
    today = now.astimezone(UTC).date()
    n_days = (max(now, end or now).astimezone(UTC).date() - due).days
    if today > due:
        return Lateness(OVERDUE, f"for {counted((today - due).days, 'day')}", n_days)
    if end is None:
        return Lateness("", "whether it will be done by then, nobody can say yet", 0)
    if n_days > 0:
        return Lateness("behind", f"{counted(n_days, 'day')} late at this pace", n_days)
    early = f"{counted(-n_days, 'day')} early" if n_days else "just in time"
    return Lateness("on time", f"{early} at this pace", n_days)


def late_batch(batch: BatchFigures, _settings: AlertSettings) -> list[Alert]:
    """It is about the day, so that another day due is an alert of its own. The level is in days."""
    if batch.due is None:
        return []
    late = lateness(batch.due, now=batch.now, end=batch.end, n_left=batch.n_left)
    if late.word not in LATE:
        return []
    left = counted(batch.n_left, "judgment is", "judgments are")
    stage = OVERDUE if late.word == OVERDUE else ""
    how = f"{stage.capitalize()} {late.text}".strip()
    return [Alert(RULE, batch.due.isoformat(), late.n_days, f"{how}, and {left} still wanted.", stage)]


LATE_BATCH = AlertRule(
    RULE,
    "Late",
    "Assign more people, or change the day.",
    subject="day due",
    worse_by=7.0,
    find=late_batch,
)
