"""The work will not be done by the day on which the batch is due."""

from dataclasses import dataclass
from datetime import date

from annotation.quality.alerts.rule import Alert, AlertRule, AlertSettings, BatchFigures
from annotation.text.counted import counted

RULE = "due"
LATE = ("overdue", "behind")


@dataclass(frozen=True)
class Lateness:
    """`word`: "done", "overdue", "behind" or "on time"; empty where nobody can say. `text`: by how much. `n_days`: from
    the day due until the expected end, or until today where that is later."""

    word: str
    text: str
    n_days: int


def lateness(due: date, *, today: date, end: date | None, n_left: int) -> Lateness:
    """`end`: the day on which the last judgment is expected, None where nobody can say; `n_left`: judgments still
    wanted."""
    if not n_left:
        return Lateness("done", "everything that was wanted is judged", 0)
    n_days = (max(today, end or today) - due).days
    if today > due:
        return Lateness("overdue", f"for {counted((today - due).days, 'day')}", n_days)
    if end is None:
        return Lateness("", "whether it will be done by then, nobody can say yet", 0)
    if n_days > 0:
        return Lateness("behind", f"{counted(n_days, 'day')} late at this pace", n_days)
    early = f"{counted(-n_days, 'day')} early" if n_days else "just in time"
    return Lateness("on time", f"{early} at this pace", n_days)


def late_batch(batch: BatchFigures, _settings: AlertSettings) -> list[Alert]:
    """It is about the day, so that another day due is an alert of its own. The level is in days, by UTC."""
    if batch.due is None:
        return []
    end = batch.end and batch.end.date()
    late = lateness(batch.due, today=batch.now.date(), end=end, n_left=batch.n_left)
    if late.word not in LATE:
        return []
    left = counted(batch.n_left, "judgment is", "judgments are")
    how = f"Overdue {late.text}" if late.word == "overdue" else late.text
    return [Alert(RULE, batch.due.isoformat(), late.n_days, f"{how}, and {left} still wanted.")]


LATE_BATCH = AlertRule(
    RULE,
    "Late",
    "Assign more people, or change the day.",
    subject="day due",
    worse_by=7.0,
    find=late_batch,
)
