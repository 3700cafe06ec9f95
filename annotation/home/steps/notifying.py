"""What nobody does and only a look finds, told to those who lead: alerts, and batches with nothing left to judge."""

from collections.abc import Iterable, Sequence

from annotation.health.read.alerts import ShownAlert
from annotation.kernel.access import ADMIN
from annotation.kernel.notices import leads, tell
from annotation.models import Batch, Collection


def tell_alerts(collection: Collection, alerts: Sequence[tuple[Batch, ShownAlert]]) -> None:
    """Each once; again when it was dismissed and has come back, or comes to another stage."""
    people = leads(collection) if alerts else ()
    for batch, shown in alerts:
        alert, before = shown.alert, shown.before
        about = ", ".join(filter(None, [str(batch), shown.named, alert.stage]))
        cause = f"alert {batch.token} {alert.rule} {before.pk if before else 0} {alert.about}"
        if alert.stage:
            cause += f" {alert.stage}"
        tell(
            "alert",
            people,
            cause=cause,
            text=f"Alert: {shown.rule.title} ({about}).",
            collection=collection,
            token=batch.token,
        )


def tell_finished(collection: Collection, batches: Iterable[Batch]) -> None:
    for batch in batches:
        text = f"Every pair of {batch} has its judgments."
        people, cause = leads(collection, ADMIN), f"done {batch.token}"
        tell("batch done", people, cause=cause, text=text, collection=collection, token=batch.token)
