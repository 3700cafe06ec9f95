"""Where the rows of a bundle have come to lie: primary keys by what the bundle calls them, a few queries a portion."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from annotation.exchange.steps.bundles.part import keys_of
from annotation.models import (
    Annotator,
    Assignment,
    Batch,
    Collection,
    Document,
    DocumentVersion,
    GuidelineVersion,
    InformationVersion,
    Item,
    Policy,
    Qualification,
    QualificationAttempt,
    QualificationItem,
    ScaleVersion,
    Topic,
    TopicVersion,
)

ItemKey = tuple[str, str, str]  # batch, number, docno


class Pair(Protocol):
    """A row that names a topic and a document."""

    @property
    def number(self) -> str: ...

    @property
    def docno(self) -> str: ...


def pairs(collection: Collection, rows: Sequence[Pair]) -> tuple[list[int], list[int]]:
    """Topics and documents of the rows. Raises `RowRefused` for one that is not there."""
    numbers, docnos = [row.number for row in rows], [row.docno for row in rows]
    return (
        keys_of(numbers, topics(collection, numbers), "topic"),
        keys_of(docnos, documents(collection, docnos), "document"),
    )


def policies(collection: Collection) -> dict[tuple[str | None, int | None], int]:
    found = Policy.objects.filter(collection=collection).values_list("name", "version", "pk")
    return {(name, version): pk for name, version, pk in found}


def topics(collection: Collection, numbers: Iterable[str]) -> dict[str, int]:
    return dict(Topic.objects.filter(collection=collection, number__in=set(numbers)).values_list("number", "pk"))


def documents(collection: Collection, docnos: Iterable[str]) -> dict[str, int]:
    return dict(Document.objects.filter(collection=collection, docno__in=set(docnos)).values_list("docno", "pk"))


def topic_versions(collection: Collection, numbers: Iterable[str]) -> dict[tuple[str, str], int]:
    found = TopicVersion.objects.filter(collection=collection, topic__number__in=set(numbers))
    return {(number, sha): pk for number, sha, pk in found.values_list("topic__number", "sha256", "pk")}


def document_versions(collection: Collection, docnos: Iterable[str]) -> dict[tuple[str, str], int]:
    found = DocumentVersion.objects.filter(collection=collection, document__docno__in=set(docnos))
    return {(docno, sha): pk for docno, sha, pk in found.values_list("document__docno", "sha256", "pk")}


def scales(collection: Collection) -> dict[int, int]:
    return dict(ScaleVersion.objects.filter(collection=collection).values_list("number", "pk"))


def guidelines(collection: Collection) -> dict[int, int]:
    return dict(GuidelineVersion.objects.filter(collection=collection).values_list("number", "pk"))


def information(collection: Collection) -> dict[int, int]:
    return dict(InformationVersion.objects.filter(collection=collection).values_list("number", "pk"))


def qualifications(collection: Collection) -> dict[str, int]:
    return dict(Qualification.objects.filter(collection=collection).values_list("name", "pk"))


def annotators(collection: Collection, pseudonyms: Iterable[str]) -> dict[str, int]:
    found = Annotator.objects.filter(collection=collection, pseudonym__in=set(pseudonyms))
    return dict(found.values_list("pseudonym", "pk"))


def batches(collection: Collection) -> dict[str, int]:
    return dict(Batch.objects.filter(collection=collection).values_list("name", "pk"))


def items(collection: Collection, keys: Iterable[ItemKey]) -> dict[ItemKey, int]:
    names, numbers, docnos = (set(column) for column in zip(*keys, strict=True))
    found = Item.objects.filter(
        collection=collection, batch__name__in=names, topic__number__in=numbers, document__docno__in=docnos
    )
    columns = found.values_list("batch__name", "topic__number", "document__docno", "pk")
    return {(name, number, docno): pk for name, number, docno, pk in columns}


def assignments(items_: Iterable[int], annotators_: Iterable[int]) -> dict[tuple[int, int, int], int]:
    """By item, annotator and reading."""
    found = Assignment.objects.filter(item__in=set(items_), annotator__in=set(annotators_))
    columns = found.values_list("item_id", "annotator_id", "reading", "pk")
    return {(item, annotator, reading): pk for item, annotator, reading, pk in columns}


def qualification_pairs(collection: Collection) -> dict[tuple[str, int], int]:
    """By round and position."""
    found = QualificationItem.objects.filter(qualification__collection=collection)
    return {(name, place): pk for name, place, pk in found.values_list("qualification__name", "position", "pk")}


def attempts(collection: Collection, keys: Iterable[tuple[str, str, int]]) -> dict[tuple[str, str, int], int]:
    """By round, annotator and number."""
    found = QualificationAttempt.objects.filter(
        qualification__collection=collection, annotator__pseudonym__in={annotator for _, annotator, _ in keys}
    )
    columns = found.values_list("qualification__name", "annotator__pseudonym", "number", "pk")
    return {(name, annotator, number): pk for name, annotator, number, pk in columns}
