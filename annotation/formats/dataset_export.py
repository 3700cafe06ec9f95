"""A snapshot as a folder that `datasets` and MTEB's retrieval tasks load from disk, in a zip made while it is sent.

    qrels/test.jsonl   query-id, corpus-id, score: the judged pairs
    queries.jsonl      _id, text (the title of the topic)
    corpus.jsonl       _id, title, text
    README.md          which configuration is which file; what is left out
    croissant.json     the datasheet, with the hash of each of these files
    CITATION.bib       how to cite it
    tsv/               the same as ir_datasets reads local files: queries.tsv, docs.tsv, qrels.txt

Negative grades (pooled, not judged) are left out of `qrels/`, and stand in `tsv/qrels.txt` as they
are.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from annotation.formats.beir_export import Entry, Query
from annotation.formats.citation import Cited, bibtex, citation
from annotation.formats.croissant import Table, croissant
from annotation.formats.streaming import gathered, zipped

QRELS, QUERIES, CORPUS = "qrels/test.jsonl", "queries.jsonl", "corpus.jsonl"
CONFIGS = {"corpus": (CORPUS, "corpus"), "queries": (QUERIES, "queries"), "default": (QRELS, "test")}
COLUMNS = {
    QRELS: {"query-id": "Text", "corpus-id": "Text", "score": "Integer"},
    QUERIES: {"_id": "Text", "text": "Text"},
    CORPUS: {"_id": "Text", "title": "Text", "text": "Text"},
}
SAYS = {
    QRELS: "Judged pairs of a topic and a document, with their grade.",
    QUERIES: "Topics, by the title that stands for what is asked.",
    CORPUS: "Documents.",
}
NAMES = {QRELS: "qrels", QUERIES: "queries", CORPUS: "corpus"}


@dataclass(frozen=True, kw_only=True)
class Source:
    """Where the rows come from; each is read as often as a file needs it."""

    cited: Cited
    description: str
    language: str
    pairs: Callable[[], Iterable[tuple[str, str, int]]]  # number, docno, grade
    queries: Callable[[], Iterable[Query]]
    corpus: Callable[[], Iterable[Entry]]


@dataclass
class _Written:
    """Of the files so far: their hashes, and how many rows they have."""

    sha256: dict[str, str] = field(default_factory=dict)
    n_rows: dict[str, int] = field(default_factory=dict)


def dataset_zip(source: Source) -> Iterator[bytes]:
    """Texts pass through one at a time."""
    return zipped(_files(source, _Written()))


def _files(source: Source, written: _Written) -> Iterator[tuple[str, Iterable[bytes]]]:
    pairs = (_line({"query-id": n, "corpus-id": d, "score": grade}) for n, d, grade in source.pairs() if grade >= 0)
    queries = (_line({"_id": one.number, "text": one.title}) for one in source.queries())
    corpus = (_line({"_id": one.docno, "title": one.title, "text": one.text}) for one in source.corpus())
    for name, lines in ((QRELS, pairs), (QUERIES, queries), (CORPUS, corpus)):
        yield name, gathered(_noted(name, lines, written))
    yield "tsv/qrels.txt", gathered(f"{n} 0 {d} {grade}\n".encode() for n, d, grade in source.pairs())
    yield "tsv/queries.tsv", gathered(_tab_separated([one.number, one.title]) for one in source.queries())
    yield "tsv/docs.tsv", gathered(_tab_separated([one.docno, one.title, one.text]) for one in source.corpus())
    yield "README.md", [_readme(source, written).encode()]
    yield "croissant.json", [_datasheet(source, written).encode()]
    yield "CITATION.bib", [bibtex(source.cited).encode()]


def _noted(name: str, lines: Iterable[bytes], written: _Written) -> Iterator[bytes]:
    digest, n = hashlib.sha256(), 0
    for line in lines:
        digest.update(line)
        n += 1
        yield line
    written.sha256[name], written.n_rows[name] = digest.hexdigest(), n


def _line(values: dict[str, object]) -> bytes:
    return json.dumps(values, ensure_ascii=False).encode() + b"\n"


def _tab_separated(cells: Iterable[str]) -> bytes:
    """White space within a cell becomes one blank: no cell holds a tab or the end of a line."""
    return "\t".join(" ".join(cell.split()) for cell in cells).encode() + b"\n"


def _readme(source: Source, written: _Written) -> str:
    """A file without rows has no configuration: what loads it could not tell its columns."""
    configs = "".join(
        f"- config_name: {name}\n  data_files:\n  - split: {split}\n    path: {file}\n"
        for name, (file, split) in CONFIGS.items()
        if written.n_rows[file]
    )
    counts = "\n".join(f"- {NAMES[file]}: {n}" for file, n in written.n_rows.items())
    return (
        f"---\nconfigs:\n{configs}---\n\n# {source.cited.collection}, {source.cited.snapshot}\n\n"
        f"{source.description}\n\n{citation(source.cited)}\n\n{counts}\n\n"
        "Topics and documents without a text are left out of their files, negative grades (pooled, not judged) out of "
        "the qrels. `tsv/` has the same for ir_datasets, with all grades.\n"
    )


def _datasheet(source: Source, written: _Written) -> str:
    cited = source.cited
    return croissant(
        name=f"{cited.slug}-{cited.snapshot}",
        description=source.description or f"{cited.collection}, snapshot {cited.snapshot}.",
        version="1.0.0",  # a snapshot never changes
        published=cited.date,
        cite=bibtex(cited),
        language=source.language,
        lineage=cited.lineage,
        tables=[
            Table(NAMES[file], file, written.sha256[file], SAYS[file], COLUMNS[file])
            for file, n in written.n_rows.items()
            if n
        ],
    )
