"""What a description rests on, and asking for it: the same question on the same files has the same key."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, BinaryIO, Literal, TypeAlias

from django.db import transaction

from annotation.kernel.audit import record_audit
from annotation.kernel.jobs import enqueue
from annotation.kernel.store import put
from annotation.models import Collection, Job, Snapshot, User
from evaluation.beyond.read import DESCRIBE
from evaluation.models import Run, VectorSet

FORM = 3  # of what is stored: a new one is computed anew
# In the order in which commands take them, and people read them: PostgreSQL keeps the keys of an object in its own.
PARTS = (
    *("run", "scores", "reference", "window", "lists", "log", "judgments", "first", "second"),
    *("items", "vectors", "truth", "history", "asked", "anomalies"),
)

Origin: TypeAlias = Literal["file", "run", "vectors", "snapshot"]


@dataclass(frozen=True)
class Source:
    """One thing that is read: a file that was sent, or what is stored. `name` is what people call it."""

    origin: Origin
    name: str
    sha256: str


@dataclass(frozen=True)
class Asked:
    """`sources` by the part they play, `options` as the command calls them, those left out not among them."""

    kind: str
    sources: Mapping[str, Source]
    options: Mapping[str, Any]

    @classmethod
    def of_json(cls, facts: Mapping[str, Any]) -> "Asked":
        by_part = facts["sources"]
        sources = {part: Source(**by_part[part]) for part in PARTS if part in by_part}
        return cls(facts["kind"], sources, facts["options"])

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @property
    def key(self) -> str:
        """Names are not in it: the same bytes under another name say the same."""
        read = {part: [source.origin, source.sha256] for part, source in self.sources.items()}
        text = json.dumps([FORM, self.kind, read, dict(self.options)], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()

    @property
    def title(self) -> str:
        return ", ".join(source.name for source in self.sources.values())


def file_source(file: BinaryIO, name: str) -> Source:
    """Of a file that was sent: it is stored under its hash."""
    return Source("file", name, put(file))


def run_source(run: Run) -> Source:
    return Source("run", run.tag, run.sha256)


def vectors_source(vectors: VectorSet) -> Source:
    return Source("vectors", f"{vectors.side}/{vectors.model}", vectors.sha256)


def snapshot_source(snapshot: Snapshot) -> Source:
    return Source("snapshot", snapshot.name, snapshot.qrels_sha256)


def ask_description(collection: Collection, asked: Asked, *, created_by: User | None) -> Job:
    """Queue it; what is known already, the job finds at once."""
    with transaction.atomic():
        record_audit(
            "description asked for", actor=created_by, collection=collection, subject=asked.title, kind=asked.kind
        )
        payload = {"key": asked.key, "asked": asked.to_json(), "about": asked.title}
        return enqueue(DESCRIBE, collection=collection, created_by=created_by, **payload)
