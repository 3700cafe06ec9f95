"""Snapshots, with the files that they name. What was frozen is rebuilt before anybody sees it."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from django.db.models import QuerySet

from annotation.exchange.steps.bundles.parts.part import Part
from annotation.exchange.steps.bundles.parts.references import BATCH, POLICY, SCALE, ListReference
from annotation.formats.bundle.rows import SnapshotRow
from annotation.formats.problems import FormatError, Problems
from annotation.formats.qrels import parse_qrels, write_table
from annotation.kernel.store import FileStore
from annotation.models import Snapshot
from annotation.text.counted import counted
from annotation.trust.steps.snapshots import verify_snapshot

Through = Snapshot.batches.through


class Snapshots(Part[SnapshotRow]):
    name, row, model = "snapshots", SnapshotRow, Snapshot
    references = (SCALE, POLICY)
    lists = (ListReference("batches", BATCH, Through, "snapshot"),)

    def outgoing(self) -> "QuerySet[Snapshot]":
        """Those whose batches all go along."""
        staying: QuerySet[Any] = QuerySet(Through).exclude(batch__in=self.transfer.batches)
        return self.table(self.collection).exclude(pk__in=staying.values("snapshot"))

    def files(self, row: SnapshotRow) -> Iterable[str]:
        return [sha for sha in (row.qrels_sha256, row.pairs_sha256, row.inputs_sha256) if sha]

    def fault(self, row: SnapshotRow) -> str:
        if (row.origin == Snapshot.Origin.FROZEN) != bool(row.policy and row.inputs_sha256 and row.pairs_sha256):
            return "a frozen snapshot has policy, inputs and pairs, an imported one has none"
        if row.policy and row.policy_version is None:
            return POLICY.missing([row.policy, 0])
        return ""

    def further_columns(self, rows: Sequence[SnapshotRow]) -> dict[str, object]:
        origins = [None if row.policy else self.transfer.record for row in rows]
        return {"brought_by": origins, "created_by": self.transfer.actor}

    def verify(self) -> Iterator[str]:
        for snapshot in self.table(self.collection):
            for fault in _faults(snapshot, self.transfer.files):
                yield f"the snapshot {snapshot.name}: {fault}"


def _faults(snapshot: Snapshot, files: FileStore) -> list[str]:
    """Why the snapshot does not follow from its files; none where it does."""
    try:
        faults = verify_snapshot(snapshot, files=files).faults
        return faults or _qrels_faults(snapshot, files)
    except (ValueError, KeyError, IndexError, TypeError, EOFError, OverflowError) as fault:
        return [f"its inputs cannot be read ({fault})"]


def _qrels_faults(snapshot: Snapshot, files: FileStore) -> list[str]:
    """Qrels are written in one way, and say how many topics and pairs there are."""
    path = files.path_of(snapshot.qrels_sha256)
    try:
        with path.open("rb") as stream:
            table = parse_qrels(stream, Problems("qrels"))
    except FormatError as fault:
        return [str(fault)]
    if write_table(table) != path.read_bytes():
        return ["its qrels are not written as qrels are written here"]
    if (len(table.numbers), len(table)) != (snapshot.n_topics, snapshot.n_pairs):
        return [f"its qrels have {counted(len(table.numbers), 'topic')} and {counted(len(table), 'pair')}"]
    return []
