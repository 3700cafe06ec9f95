"""Pairs that a frozen snapshot leaves out, with the reason, one a line."""

from annotation.exchange.read.exports.qrels import export_name
from annotation.formats.snapshot_jsonl import snapshot_jsonl
from annotation.kernel.files import Outgoing
from annotation.models import Snapshot
from annotation.trust.read.dropped import DroppedPairs
from annotation.trust.read.snapshots import frozen_outcome


def outgoing_dropped(snapshot: Snapshot) -> Outgoing | None:
    """JSONL, from the frozen inputs and policy; nothing that happened since plays a part. None of imported qrels."""
    outcome = frozen_outcome(snapshot)
    if outcome is None:
        return None
    return Outgoing(
        export_name(snapshot, "dropped.jsonl"), "application/x-ndjson", snapshot_jsonl(DroppedPairs(outcome))
    )
