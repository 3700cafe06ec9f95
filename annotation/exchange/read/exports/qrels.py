"""The qrels of a snapshot in every format."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from django.utils.text import slugify

from annotation.corpus.read.texts import current_topic_versions
from annotation.exchange.read.exports.beir import snapshot_beir
from annotation.exchange.read.exports.dataset import snapshot_dataset
from annotation.formats.qrels_export import (
    QrelsPair,
    pairs_of_jsonl,
    pairs_of_trec,
    qrels_csv,
    qrels_jsonl,
    qrels_parquet,
    qrels_quepid,
)
from annotation.kernel.files import Outgoing
from annotation.models import Snapshot
from annotation.trust.read.snapshots import pairs_path, qrels_path

_TREC = "text/plain; charset=utf-8"
_WRITERS: Mapping[str, tuple[Callable[[Iterator[QrelsPair]], Iterator[bytes]], str]] = {
    "jsonl": (qrels_jsonl, "application/x-ndjson"),
    "csv": (qrels_csv, "text/csv; charset=utf-8"),
    "parquet": (qrels_parquet, "application/vnd.apache.parquet"),
}
QRELS_FORMATS = ("trec", *_WRITERS, "beir", "datasets", "quepid")
CHUNK = 1 << 16  # bytes


def outgoing_qrels(snapshot: Snapshot, format_name: str) -> Outgoing:
    """In one of `QRELS_FORMATS`."""
    if format_name == "trec":
        return Outgoing(export_name(snapshot, "qrels.txt"), _TREC, _stored(qrels_path(snapshot)))
    if format_name == "beir":
        return Outgoing(export_name(snapshot, "beir.zip"), "application/zip", snapshot_beir(snapshot))
    if format_name == "datasets":
        return Outgoing(export_name(snapshot, "datasets.zip"), "application/zip", snapshot_dataset(snapshot))
    if format_name == "quepid":
        lines = qrels_quepid(snapshot_pairs(snapshot), _titles(snapshot))
        return Outgoing(export_name(snapshot, "quepid.csv"), "text/csv; charset=utf-8", lines)
    write, content_type = _WRITERS[format_name]
    return Outgoing(export_name(snapshot, f"qrels.{format_name}"), content_type, write(snapshot_pairs(snapshot)))


def snapshot_pairs(snapshot: Snapshot) -> Iterator[QrelsPair]:
    """Every pair, one at a time; of imported qrels only the grade is known."""
    frozen = pairs_path(snapshot)
    with (frozen or qrels_path(snapshot)).open("rb") as lines:
        yield from pairs_of_jsonl(lines) if frozen else pairs_of_trec(lines, snapshot.criterion)


def _titles(snapshot: Snapshot) -> dict[str, str]:
    """What the topics of the collection ask, by number: one query, as long as their titles."""
    rows = current_topic_versions(snapshot.collection).values_list("topic__number", "title")
    return {number: " ".join(title.split()) for number, title in rows}


def export_name(snapshot: Snapshot, ending: str) -> str:
    """What a download is called: letters, digits and hyphens, whatever the snapshot is called."""
    return f"{snapshot.collection.slug}-{slugify(snapshot.name) or snapshot.pk}.{ending}"


def _stored(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(CHUNK):
            yield piece
