"""Gold as it stands, a pair a line."""

import json
from collections.abc import Iterator

from annotation.gold.read.current import gold_rows
from annotation.kernel.files import Outgoing
from annotation.models import Collection


def outgoing_gold(collection: Collection) -> Outgoing:
    """JSONL, as an import of gold takes it."""
    return Outgoing(f"{collection.slug}-gold.jsonl", "application/x-ndjson", _lines(collection))


def _lines(collection: Collection) -> Iterator[bytes]:
    for event in gold_rows(collection).iterator():
        pair = {"number": event.topic.number, "docno": event.document.docno, "grade": event.grade}
        words = {"accepted": event.accepted, "reason": event.reason, "explanation": event.explanation}
        yield json.dumps({**pair, **words}, ensure_ascii=False).encode() + b"\n"
