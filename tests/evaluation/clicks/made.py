"""Clicks brought into a collection, beside a snapshot."""

from io import BytesIO

from annotation.exchange.steps.importing import publish_here, upload_here
from annotation.models import Import, Snapshot
from annotation.text.watch import say_nothing

HEAD = "number,docno,position,clicks,impressions\n"


def bring_clicks(snapshot: Snapshot, log: str, *, name: str = "March", **options: str) -> Import:
    """Checked, and published where there is no problem."""
    answers = {"attraction": "pair", "estimator": "ips", **options}
    record = upload_here(
        snapshot.collection,
        kind=Import.Kind.CLICKS,
        stream=BytesIO(log.encode()),
        filename="clicks.csv",
        created_by=None,
        watch=say_nothing,
        name=name,
        snapshot=snapshot.name,
        **answers,
    )
    return record if record.n_problems else publish_here(record, actor=None, watch=say_nothing)
