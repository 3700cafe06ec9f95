"""Which topics and documents, by their names, have a page of their own: qrels and runs may name others, too."""

from collections.abc import Iterable

from annotation.corpus.read.texts import visible_documents, visible_topics
from annotation.models import Collection


def numbers_here(collection: Collection, numbers: Iterable[str]) -> set[str]:
    """Of these numbers of topics; a page of them, not thousands."""
    return set(visible_topics(collection).filter(number__in=set(numbers)).values_list("number", flat=True))


def docnos_here(collection: Collection, docnos: Iterable[str]) -> set[str]:
    return set(visible_documents(collection).filter(docno__in=set(docnos)).values_list("docno", flat=True))
