"""A snapshot with the texts of its collection as a folder for `datasets`, MTEB and ir_datasets."""

from collections.abc import Iterator

from annotation.exchange.read.exports.beir import corpus_of, queries_of, rows_of
from annotation.formats.dataset_export import Source, dataset_zip
from annotation.models import Snapshot
from annotation.trust.read.snapshots import cited_as


def snapshot_dataset(snapshot: Snapshot) -> Iterator[bytes]:
    """The zip in pieces; topics and documents as `snapshot_beir` has them."""
    source = Source(
        cited=cited_as(snapshot),
        description=snapshot.collection.description,
        language=snapshot.collection.language,
        pairs=lambda: rows_of(snapshot),
        queries=lambda: queries_of(snapshot),
        corpus=lambda: corpus_of(snapshot),
    )
    return dataset_zip(source)
