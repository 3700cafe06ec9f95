"""Snapshots, with the files that they name. What was frozen is rebuilt before anybody sees it."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from django.db.models import QuerySet

from annotation.exchange.steps.bundles import primary_keys as places
from annotation.exchange.steps.bundles.part import TablePart, create, keys_of, optional_keys_of, refused_at
from annotation.formats.bundle import RowRefused
from annotation.formats.bundle.rows import SnapshotRow
from annotation.formats.problems import FormatError, Problems
from annotation.formats.qrels import parse_qrels, write_table
from annotation.formats.store import path_of
from annotation.models import Batch, Collection, Policy, Snapshot
from annotation.trust.steps import verify_snapshot

Through = Snapshot.batches.through
OF_A_SNAPSHOT = (
    *("name", "criterion", "origin", "qrels_sha256", "pairs_sha256", "inputs_sha256"),
    *("n_topics", "n_pairs", "n_dropped", "created_at"),
)


class Snapshots(TablePart[SnapshotRow]):
    name, row = "snapshots", SnapshotRow

    def rows(self) -> Iterator[SnapshotRow]:
        """Those whose batches all go along."""
        found = self.stored(self.collection).select_related("policy", "scale").prefetch_related("batches")
        for snapshot in found.order_by("pk"):
            batches = list(snapshot.batches.all())
            if {batch.pk for batch in batches} <= self.transfer.batches:
                yield _row(snapshot, batches)

    def files(self, row: SnapshotRow) -> Iterable[str]:
        return [sha for sha in (row.qrels_sha256, row.pairs_sha256, row.inputs_sha256) if sha]

    def store(self, rows: Sequence[SnapshotRow]) -> None:
        for place, row in enumerate(rows):
            if (row.origin == Snapshot.Origin.FROZEN) != bool(row.policy and row.inputs_sha256 and row.pairs_sha256):
                raise RowRefused(place, "a frozen snapshot has policy, inputs and pairs, an imported one has none")
        found = Policy.objects.filter(collection=self.collection).values_list("name", "version", "pk")
        policies = {(name, version): pk for name, version, pk in found}
        named = [(row.policy, row.policy_version or 0) if row.policy else None for row in rows]
        keys = optional_keys_of(named, policies, "policy")
        made = create(
            Snapshot,
            rows,
            OF_A_SNAPSHOT,
            collection=self.collection,
            scale_id=optional_keys_of(
                [row.scale for row in rows], places.scales(self.collection), "version of the scale"
            ),
            policy_id=keys,
            brought_by=[None if key else self.transfer.record for key in keys],
            created_by=self.transfer.actor,
        )
        QuerySet(Through).bulk_create(self._batches(made, rows), batch_size=1000)

    def _batches(self, made: Sequence[Snapshot], rows: Sequence[SnapshotRow]) -> Iterator[Any]:
        known = places.batches(self.collection)
        for place, (snapshot, row) in enumerate(zip(made, rows, strict=True)):
            with refused_at(place):
                keys = keys_of(row.batches, known, "batch")
            yield from (Through(snapshot_id=snapshot.pk, batch_id=key) for key in keys)

    def faults(self) -> Iterator[str]:
        for snapshot in self.stored(self.collection):
            for fault in _faults(snapshot, self.transfer.files):
                yield f"the snapshot {snapshot.name}: {fault}"

    @staticmethod
    def stored(collection: Collection) -> "QuerySet[Snapshot]":
        return Snapshot.objects.filter(collection=collection)


def _row(snapshot: Snapshot, batches: Sequence[Batch]) -> SnapshotRow:
    return SnapshotRow(
        scale=snapshot.scale.number if snapshot.scale else None,
        policy=snapshot.policy.name if snapshot.policy else None,
        policy_version=snapshot.policy.version if snapshot.policy else None,
        batches=sorted(batch.name for batch in batches),
        **{name: getattr(snapshot, name) for name in OF_A_SNAPSHOT},
    )


def _faults(snapshot: Snapshot, root: Path) -> list[str]:
    """Why the snapshot does not follow from its files; none where it does."""
    try:
        faults = verify_snapshot(snapshot, root=root).faults
        return faults or _qrels_faults(snapshot, root)
    except (ValueError, KeyError, IndexError, TypeError, EOFError, OverflowError) as fault:
        return [f"its inputs cannot be read ({fault})"]


def _qrels_faults(snapshot: Snapshot, root: Path) -> list[str]:
    """Qrels are written in one way, and say how many topics and pairs there are."""
    path = path_of(root, snapshot.qrels_sha256)
    try:
        with path.open("rb") as stream:
            table = parse_qrels(stream, Problems("qrels"))
    except FormatError as fault:
        return [str(fault)]
    if write_table(table) != path.read_bytes():
        return ["its qrels are not written as qrels are written here"]
    if (len(table.numbers), len(table)) != (snapshot.n_topics, snapshot.n_pairs):
        return [f"its qrels have {len(table.numbers)} topics and {len(table)} pairs"]
    return []
