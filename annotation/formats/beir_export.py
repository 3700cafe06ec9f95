"""A collection as a BEIR folder, in a zip that is made while it is sent.

    qrels/test.tsv   query-id, corpus-id, score: the judged pairs, with a header line and tabs
    queries.jsonl    _id, text (the title of the topic), description and narrative where it has them, metadata
    corpus.jsonl     _id, title, text, metadata (further fields)
    README.txt       what this is made from, and what is left out

Negative grades (pooled, not judged) are left out: what reads BEIR folders takes every line for a
judgment. Nothing is quoted, as ids hold neither tabs nor line ends; one that starts with `"` is
read differently by Python's csv.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields

from annotation.formats.streaming import gathered, zipped

HEADER = b"query-id\tcorpus-id\tscore\n"


@dataclass(frozen=True, slots=True)
class Query:
    """A topic. The fields are those of its text, but the first, which is the topic's own."""

    number: str
    title: str
    description: str
    narrative: str


@dataclass(frozen=True, slots=True)
class Entry:
    """A document of the corpus, with fields as `Query`."""

    docno: str
    title: str
    text: str
    fields: dict[str, object]


QUERY_KEYS = {"number": "_id", "title": "text"}  # by field, where the file has another key
ENTRY_KEYS = {"docno": "_id", "fields": "metadata"}
ALWAYS = ("_id", "title", "text", "metadata")  # keys that stand there even with nothing behind them


@dataclass
class _Seen:
    """What the README tells: ids that the qrels name and no text has been found for yet, and counts."""

    numbers: set[str] = field(default_factory=set)
    docnos: set[str] = field(default_factory=set)
    n_pairs: int = 0
    n_negative: int = 0


def beir_zip(
    name: str, pairs: Iterable[tuple[str, str, int]], queries: Iterable[Query], corpus: Iterable[Entry]
) -> Iterator[bytes]:
    """`pairs` are `(number, docno, grade)`. Each iterable is read once, in this order, as the zip goes out.

    Texts pass through one at a time; the ids of judged topics and documents are held, to tell which have no text.
    """
    seen = _Seen()
    return zipped(_files(name, pairs, queries, corpus, seen))


def _files(
    name: str,
    pairs: Iterable[tuple[str, str, int]],
    queries: Iterable[Query],
    corpus: Iterable[Entry],
    seen: _Seen,
) -> Iterator[tuple[str, Iterable[bytes]]]:
    yield "qrels/test.tsv", gathered(_qrels_lines(pairs, seen))
    yield "queries.jsonl", gathered(_query_lines(queries, seen))
    yield "corpus.jsonl", gathered(_document_lines(corpus, seen))
    yield "README.txt", [_readme(name, seen).encode()]


def _qrels_lines(pairs: Iterable[tuple[str, str, int]], seen: _Seen) -> Iterator[bytes]:
    yield HEADER
    for number, docno, grade in pairs:
        if grade < 0:
            seen.n_negative += 1
            continue
        seen.n_pairs += 1
        seen.numbers.add(number)
        seen.docnos.add(docno)
        yield f"{number}\t{docno}\t{grade}\n".encode()


def _query_lines(queries: Iterable[Query], seen: _Seen) -> Iterator[bytes]:
    for query in queries:
        seen.numbers.discard(query.number)
        yield _line({**_members(query, QUERY_KEYS), "metadata": {}})


def _document_lines(corpus: Iterable[Entry], seen: _Seen) -> Iterator[bytes]:
    for entry in corpus:
        seen.docnos.discard(entry.docno)
        yield _line(_members(entry, ENTRY_KEYS))


def _members(row: Query | Entry, keys: Mapping[str, str]) -> dict[str, object]:
    members = {keys.get(each.name, each.name): getattr(row, each.name) for each in fields(row)}
    return {key: value for key, value in members.items() if value or key in ALWAYS}


def _line(values: dict[str, object]) -> bytes:
    return json.dumps(values, ensure_ascii=False).encode() + b"\n"


def _readme(name: str, seen: _Seen) -> str:
    return (
        f"{name}\n\n"
        f"Judged pairs: {seen.n_pairs}\n"
        f"Pairs left out, their grade is negative (pooled, not judged): {seen.n_negative}\n"
        f"Judged topics left out of queries.jsonl, they have no text: {len(seen.numbers)}\n"
        f"Judged documents left out of corpus.jsonl, they have no text: {len(seen.docnos)}\n"
    )
