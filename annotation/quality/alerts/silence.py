"""Nobody judges in a batch that is open."""

from annotation.quality.alerts.rule import Alert, AlertRule, AlertSettings, BatchFigures, Threshold
from annotation.text.counted import counted

RULE = "silence"
DAY = 24
QUIET_HOURS = Threshold(
    "quiet_hours",
    24.0,
    1,
    1000,
    title="Nobody judges: for hours",
    help="In a batch that is open, with work left.",
)


def silent_batch(batch: BatchFigures, settings: AlertSettings) -> list[Alert]:
    """It is about the moment of the last judgment, so that a later silence is an alert of its own. The level is in
    hours."""
    if not batch.is_open or batch.last is None or not batch.n_left:
        return []
    hours = (batch.now - batch.last).total_seconds() / 3600
    if hours < settings[QUIET_HOURS]:
        return []
    left = counted(batch.n_left, "judgment is", "judgments are")
    text = f"Nobody has judged for {_long(hours)}, and {left} still wanted."
    return [Alert(RULE, batch.last.strftime("%Y-%m-%d %H:%M"), hours, text)]


def _long(hours: float) -> str:
    return f"{hours / DAY:.0f} days" if hours >= 2 * DAY else f"{hours:.0f} hours"


SILENT_BATCH = AlertRule(
    RULE,
    "Nobody judges",
    "Ask your people, or assign more; pause the batch if that is meant.",
    subject="moment",
    worse_by=24.0,
    find=silent_batch,
    thresholds=(QUIET_HOURS,),
)
