"""What an alert says, and who is told of it outside of the app."""

from annotation.kernel import notices
from annotation.kernel.notices import leads
from annotation.outgoing.steps.messages import Facts, write_messages
from annotation.text.figures import number
from evaluation.engine.drift.words import METHODS
from evaluation.models import Series, SeriesAlert

EVENT = "series.alert"


def tell(alert: SeriesAlert) -> None:
    """Those who lead, and recipients of the collection's messages: the series by its name, figures, and no text that
    somebody wrote."""
    series = alert.series
    facts: Facts = {
        "series": series.name,
        "page": f"/c/{series.collection.slug}/series/{series.pk}/",
        "rule": series.rule,
        "direction": alert.direction,
        "time": alert.point.time.isoformat(),
        "value": alert.point.value,
        "since": alert.since.isoformat(),
        "level": alert.level,
        "threshold": alert.threshold,
        "words": words_of_alert(alert),
    }
    subject = f"Alert: {series.name} of {series.collection.slug}"
    cause = f"{EVENT} {alert.pk}"
    write_messages(series.collection, event=EVENT, cause=cause, subject=subject, facts=facts)
    people, text = leads(series.collection), f"Alert of series {series.name}."
    notices.tell("series alert", people, cause=cause, text=text, collection=series.collection, pk=series.pk)


def words_of_alert(alert: SeriesAlert) -> str:
    """No more than the figures say: an alarm names no cause."""
    series, moment = alert.series, f"{alert.point.time:%-d %B %Y, %H:%M}"
    side = "above" if alert.direction == "up" else "below"
    if series.rule == Series.Rule.LIMITS:
        value = number(alert.point.value or 0.0)
        return f"{value} at {moment} is {side} the limit {number(alert.threshold)}."
    return (
        f"{METHODS[series.rule]} alarms at {moment}: the series runs {side} its history, by this path since "
        f"{alert.since:%-d %B %Y, %H:%M}, which is an estimate. It does not say why."
    )
