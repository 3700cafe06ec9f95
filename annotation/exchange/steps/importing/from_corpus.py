"""Documents that a pool needs, out of a corpus that stays outside: an import like any other, of those lines alone."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from annotation.corpus.read.pairs import readable_pairs
from annotation.exchange.steps.importing.flow import publish_here, upload_here
from annotation.formats.problems import Problems
from annotation.kernel.store import stored_files
from annotation.models import Collection, Import, User
from annotation.text.watch import Watch

if TYPE_CHECKING:
    from annotation.formats.documents.corpus_index import CorpusIndex


def bring_documents(
    collection: Collection,
    corpus: "CorpusIndex",
    docnos: Iterable[str],
    *,
    need_all: bool,
    filename: str,
    created_by: User | None,
    watch: Watch,
) -> Import | None:
    """Bring in those of the documents that the collection has no text of and the corpus has; None where there are none.
    `filename`: what the import is called.

    The import says what it found wrong with them; nothing is stored then. Raises `FormatError` for a docno that stands
    in the corpus more than once, and with `need_all` for each that stands in neither.
    """
    lacking = set(docnos)
    lacking -= readable_pairs(collection, [("", docno) for docno in lacking]).documents.keys()
    problems = Problems(corpus.corpus.name)
    with stored_files().nameless_file() as lines:
        for docno, line in corpus.lines_of(frozenset(lacking), problems):
            lacking.discard(docno)
            lines.write(line if line.endswith(b"\n") else line + b"\n")
        for docno in sorted(lacking if need_all else ()):
            problems.add(0, f"neither the collection nor the corpus has document {docno}")
        problems.check()
        if not lines.tell():
            return None
        lines.seek(0)
        record = upload_here(
            collection,
            kind=Import.Kind.DOCUMENTS,
            stream=lines,
            filename=filename,
            created_by=created_by,
            watch=watch,
            on_conflict="refuse",
            columns=corpus.columns,
        )
    return record if record.n_problems else publish_here(record, actor=created_by, watch=watch)
