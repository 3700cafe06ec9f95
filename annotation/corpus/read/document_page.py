"""A page of documents by keyset: it costs the same wherever it is, and rows that come in meanwhile shift nothing."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import F

from annotation.corpus.read.document_counts import kept_documents
from annotation.corpus.read.texts import found_documents, visible_documents
from annotation.models import Collection, DocumentVersion

PAGE = 100
AS_SORTED = F("document_id") + 0  # for few: PostgreSQL, which thinks them many, would walk past all documents in order
COUNTED = 10_000  # so many documents that are found are counted: beyond, "more than"


@dataclass(frozen=True)
class DocumentPage:
    """Some documents in the order they came in. `before` and `after` are docnos for the pages around; "" for none."""

    rows: Sequence[DocumentVersion]
    n_found: int  # at most `COUNTED` where words are looked for
    n_without_text: int
    before: str
    after: str
    has_more: bool = False  # than `n_found`


def document_page(
    collection: Collection, words: str = "", *, after: str = "", before: str = "", size: int = PAGE
) -> DocumentPage:
    """The documents after this docno, or the ones before it; the first page where neither is here."""
    anchor = _key_of(collection, after or before)
    backwards = bool(before and not after and anchor)
    kept = kept_documents(collection)
    n_found = n_found_by(collection, words) if words else kept.n_with_text
    has_more = bool(words) and n_found > COUNTED
    documents = found_documents(collection, words)
    by = AS_SORTED if words and n_found <= COUNTED else F("document_id")
    documents = documents.order_by(by.desc() if backwards else by.asc())
    if anchor:
        documents = documents.filter(document_id__lt=anchor) if backwards else documents.filter(document_id__gt=anchor)
    rows = list(documents[: size + 1])
    if anchor and not rows:
        return document_page(collection, words, size=size)
    more, rows = len(rows) > size, rows[:size]
    rows = rows[::-1] if backwards else rows
    first, last = (rows[0].document.docno, rows[-1].document.docno) if rows else ("", "")
    has_earlier, has_later = (more, True) if backwards else (bool(anchor), more)
    before, after = first if has_earlier else "", last if has_later else ""
    return DocumentPage(rows, n_found - has_more, kept.n_without_text, before=before, after=after, has_more=has_more)


def n_found_by(collection: Collection, words: str) -> int:
    """How many are found; `COUNTED` + 1 for more than so many, whose count would take longer than the page."""
    return found_documents(collection, words).order_by()[: COUNTED + 1].count()


def _key_of(collection: Collection, docno: str) -> int | None:
    if not docno:
        return None
    return visible_documents(collection).filter(docno=docno).values_list("pk", flat=True).first()


class ListedDocuments:
    """`found_documents` for a paginator that goes by number: without words it need not count the rows."""

    def __init__(self, collection: Collection, words: str) -> None:
        self.collection, self.words, self.documents = collection, words, found_documents(collection, words)
        if words:
            self.documents = self.documents.order_by(AS_SORTED)

    def count(self) -> int:
        return self.documents.count() if self.words else kept_documents(self.collection).n_with_text

    def __len__(self) -> int:
        return self.count()

    def __getitem__(self, part: slice) -> Sequence[DocumentVersion]:
        return list(self.documents[part])
