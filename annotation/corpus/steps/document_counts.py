"""Keeping the number of documents, in the transaction that makes them visible."""

from dataclasses import asdict

from django.db.models import F

from annotation.corpus.read.document_counts import counted_documents
from annotation.models import Collection, DocumentCount


def add_documents(collection: Collection, *, n_documents: int, n_texts: int) -> None:
    """Count what an import makes visible: new documents, and documents that get their first text.

    In the transaction of its flip, before anything of it is visible. The first time, what is here is counted.
    """
    if not n_documents and not n_texts:
        return
    kept = DocumentCount.objects.filter(collection=collection)
    more = {"n_documents": F("n_documents") + n_documents, "n_with_text": F("n_with_text") + n_texts}
    if not kept.update(**more):
        recount_documents(collection)
        kept.update(**more)


def recount_documents(collection: Collection) -> None:
    """Keep what a count over the rows says."""
    DocumentCount.objects.update_or_create(collection=collection, defaults=asdict(counted_documents(collection)))
