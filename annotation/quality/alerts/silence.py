"""Nobody judges in a batch that is open."""

from datetime import datetime

from annotation.quality.alerts.alert import Alert
from annotation.quality.alerts.settings import AlertSettings

RULE = "silence"
DAY = 24


def silent_batch(last: datetime | None, now: datetime, n_left: int, settings: AlertSettings) -> list[Alert]:
    """`last`: when somebody judged last, or when it could have begun; `n_left`: judgments still wanted.

    It is about that moment, so that a later silence is an alert of its own. The level is in hours.
    """
    if last is None or not n_left:
        return []
    hours = (now - last).total_seconds() / 3600
    if hours < settings.quiet_hours:
        return []
    wanted = "1 judgment is" if n_left == 1 else f"{n_left} judgments are"
    text = f"Nobody has judged for {_long(hours)}, and {wanted} still wanted."
    return [Alert(RULE, last.strftime("%Y-%m-%d %H:%M"), hours, text)]


def _long(hours: float) -> str:
    return f"{hours / DAY:.0f} days" if hours >= 2 * DAY else f"{hours:.0f} hours"
