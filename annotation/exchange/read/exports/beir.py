"""A snapshot with the texts of its collection as a BEIR folder."""

from collections.abc import Iterator
from dataclasses import fields
from typing import Any, TypeVar

from django.db.models import F, OuterRef, Q, QuerySet, Subquery

from annotation.formats.beir_export import Entry, Query, beir_zip
from annotation.formats.qrels_export import trec_rows
from annotation.kernel.visible import published
from annotation.models import DocumentVersion, Item, Snapshot, TopicVersion
from annotation.trust.read.snapshots import qrels_path

Version = TypeVar("Version", TopicVersion, DocumentVersion)

CHUNK = 200  # texts read at a time: some are long


def snapshot_beir(snapshot: Snapshot) -> Iterator[bytes]:
    """The zip in pieces: all topics and documents of the collection that have a text, with the one that was judged in
    the snapshot's batches (the last, should they differ), else the current one. Two queries, whatever the size."""
    name = f"{snapshot.collection.slug}, {snapshot.name}: {snapshot.criterion}, qrels {snapshot.qrels_sha256}"
    return beir_zip(name, rows_of(snapshot), queries_of(snapshot), corpus_of(snapshot))


def rows_of(snapshot: Snapshot) -> Iterator[tuple[str, str, int]]:
    """`(number, docno, grade)`."""
    with qrels_path(snapshot).open("rb") as lines:
        yield from trec_rows(lines)


def queries_of(snapshot: Snapshot) -> Iterator[Query]:
    """All topics that have a text."""
    versions = TopicVersion.objects.filter(published("topic__"), collection=snapshot.collection)
    judged = _judged(snapshot, "topic").filter(topic=OuterRef("topic"))
    rows = _one_each(versions, judged.values("topic_version")).order_by("topic_id")
    return (Query(*row) for row in rows.values_list(*_columns(Query, "topic")).iterator(chunk_size=CHUNK))


def corpus_of(snapshot: Snapshot) -> Iterator[Entry]:
    """All documents that have a text."""
    versions = DocumentVersion.objects.filter(published("document__"), collection=snapshot.collection)
    judged = _judged(snapshot, "document").filter(document=OuterRef("document"))
    rows = _one_each(versions, judged.values("document_version")).order_by("document_id")
    return (Entry(*row) for row in rows.values_list(*_columns(Entry, "document")).iterator(chunk_size=CHUNK))


def _columns(kind: type[Query | Entry], noun: str) -> list[str]:
    """Where a version has the fields: the first one stands in its topic or document."""
    first, *others = [field.name for field in fields(kind)]
    return [f"{noun}__{first}", *others]


def _judged(snapshot: Snapshot, noun: str) -> QuerySet[Item]:
    """Items of the snapshot's batches that have a text of the topic or document, the last one first."""
    items = Item.objects.filter(batch__in=snapshot.batches.all())
    return items.filter(**{f"{noun}_version__isnull": False}).order_by("-pk")


def _one_each(versions: QuerySet[Version], judged: QuerySet[Item, Any]) -> QuerySet[Version]:
    """The version that was judged, else the current one."""
    annotated = versions.annotate(judged=Subquery(judged[:1]))
    return annotated.filter(Q(pk=F("judged")) | Q(judged__isnull=True, is_current=True))
