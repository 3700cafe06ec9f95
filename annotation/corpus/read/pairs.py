"""Topic numbers and docnos of a file, looked up in a collection."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.db.models import QuerySet

from annotation.corpus.read.texts import documents_with_text, topics_with_text, visible_documents, visible_topics
from annotation.models import Collection, Document, Topic

CHUNK = 5000


@dataclass(frozen=True)
class FoundPairs:
    """Row ids of the topics and documents that the collection has, by their external ids."""

    topics: dict[str, int]
    documents: dict[str, int]


def found_pairs(collection: Collection, pairs: Iterable[tuple[str, str]]) -> FoundPairs:
    """What the collection has of the pairs' topics and documents; a query for every 5000 different docnos.

    Those that came by their ids alone, with judgments made elsewhere, are among them.
    """
    return _look_up(visible_topics(collection), visible_documents(collection), pairs)


def readable_pairs(collection: Collection, pairs: Iterable[tuple[str, str]]) -> FoundPairs:
    """As `found_pairs`, but only topics and documents with a text: what people can be asked to judge."""
    return _look_up(topics_with_text(collection), documents_with_text(collection), pairs)


def _look_up(topics: QuerySet[Topic], documents: QuerySet[Document], pairs: Iterable[tuple[str, str]]) -> FoundPairs:
    rows = list(pairs)
    pk_by_number: dict[str, int] = {}
    pk_by_docno: dict[str, int] = {}
    for numbers in _chunks({number for number, _ in rows}):
        pk_by_number.update(topics.filter(number__in=numbers).values_list("number", "pk"))
    for docnos in _chunks({docno for _, docno in rows}):
        pk_by_docno.update(documents.filter(docno__in=docnos).values_list("docno", "pk"))
    return FoundPairs(pk_by_number, pk_by_docno)


def _chunks(values: set[str]) -> Iterator[list[str]]:
    ordered = sorted(values)
    for start in range(0, len(ordered), CHUNK):
        yield ordered[start : start + CHUNK]
