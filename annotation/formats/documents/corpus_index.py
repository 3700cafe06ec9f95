"""Documents of a corpus that stays outside: where each stands in a JSONL file, so that a few are read without the rest.

The index is a file beside the corpus: a NumPy array of two rows of uint64, the hash of each docno
and the byte where its line begins, by hash. Its first column is the size of the corpus and when it
was changed (ns): an old one is known.
"""

import json
import os
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import BinaryIO, TypeAlias

import numpy as np
import numpy.typing as npt

from annotation.formats.documents.jsonl import MOST_MAPPINGS
from annotation.formats.documents.rows import DOCNO, MEANINGS
from annotation.formats.fields import WHITE
from annotation.formats.file_formats import Columns
from annotation.formats.lines import DEFAULT_LIMITS
from annotation.formats.mapping import find_columns
from annotation.formats.objects import id_of
from annotation.formats.problems import Problems
from annotation.text.watch import WordlessWatch

BEIR = "corpus.jsonl"
ENDING = ".offsets.npy"
PORTION = 1 << 20  # lines between two words of progress
_BOM = b"\xef\xbb\xbf"

Offsets: TypeAlias = npt.NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class CorpusIndex:
    """`hashes`, `starts`: (n,), of the documents of `corpus`, by hash; read from the disk as they are asked for."""

    corpus: Path
    columns: Columns
    hashes: Offsets
    starts: Offsets

    def lines_of(self, docnos: Iterable[str], problems: Problems) -> Iterator[tuple[str, bytes]]:
        """Docno and line of those documents that the corpus has, in the order of the file; a second one of the same
        docno is a problem."""
        with self.corpus.open("rb") as stream:
            docno_at: dict[str, int] = {}
            for start, docno, line in self._candidates(stream, sorted(set(docnos))):
                if docno_at.setdefault(docno, start) != start:
                    problems.add(0, f"document {docno} stands at the bytes {docno_at[docno]} and {start}")
                    continue
                yield docno, line

    def _candidates(self, stream: BinaryIO, docnos: Sequence[str]) -> Iterator[tuple[int, str, bytes]]:
        docno_of, asked = _Docnos(self.columns).of, set(docnos)
        hashes = np.array([_hash(docno) for docno in docnos], dtype=np.uint64)
        first, end = (np.searchsorted(self.hashes, hashes, side) for side in ("left", "right"))
        starts_of = [self.starts[low:high] for low, high in zip(first, end, strict=True)]
        for start in sorted({int(start) for starts in starts_of for start in starts}):
            stream.seek(start)
            line = stream.readline(DEFAULT_LIMITS.line)
            docno = docno_of(line)
            if docno in asked:  # two docnos may have one hash
                yield start, docno, line


def corpus_file(path: Path) -> Path:
    """The file of documents: of a BEIR folder the one in it."""
    return path / BEIR if path.is_dir() else path


def open_index(
    corpus: Path,
    problems: Problems,
    *,
    index: Path | None = None,
    columns: Columns | None = None,
    watch: WordlessWatch | None = None,
) -> CorpusIndex:
    """The index of a corpus, made where there is none or the corpus has changed since: the corpus is then read once,
    with 40 bytes of memory a document.

    Raises `OSError` where a file cannot be read or written, `FormatError` with the lines that are no document.
    """
    path = index or corpus.with_name(corpus.name + ENDING)
    columns = columns or {}
    state = corpus.stat()
    mark = np.array([state.st_size, state.st_mtime_ns], dtype=np.uint64)
    offsets = _kept(path, mark)
    if offsets is None:
        _write(path, np.column_stack([mark, _offsets(corpus, columns, problems, watch)]))
        offsets = _kept(path, mark)
        assert offsets is not None
    return CorpusIndex(corpus, columns, offsets[0, 1:], offsets[1, 1:])


def _kept(path: Path, mark: Offsets) -> Offsets | None:
    try:
        offsets: Offsets = np.load(path, mmap_mode="r", allow_pickle=False)
    except (FileNotFoundError, ValueError, EOFError):
        return None
    fits = offsets.dtype == np.uint64 and offsets.ndim == 2 and offsets.shape[0] == 2 and offsets.shape[1] > 0
    return offsets if fits and np.array_equal(offsets[:, 0], mark) else None


def _write(path: Path, offsets: Offsets) -> None:
    """Whole or not at all."""
    beside = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        with beside.open("wb") as stream:
            np.save(stream, offsets, allow_pickle=False)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def _offsets(corpus: Path, columns: Columns, problems: Problems, watch: WordlessWatch | None) -> Offsets:
    """(2, n), by hash."""
    hashes, starts, docnos, total = array("Q"), array("Q"), _Docnos(columns), corpus.stat().st_size
    start = 0
    with corpus.open("rb") as stream:
        for number, line in enumerate(iter(lambda: stream.readline(DEFAULT_LIMITS.line), b""), start=1):
            if number == 1 and line.startswith(b"\x1f\x8b"):
                raise problems.stop(0, "it is gzip: a document can be found alone only in a file that is unpacked")
            if line.strip():
                docno = docnos.of(line.removeprefix(_BOM) if number == 1 else line)
                if docno is None:
                    problems.add(number, f"no object with a docno under one of {', '.join(DOCNO.names)}")
                else:
                    hashes.append(_hash(docno))
                    starts.append(start)
            start += len(line)
            if watch and number % PORTION == 0:
                watch(start, total)
    problems.check()
    keys = np.frombuffer(hashes, dtype=np.uint64) if hashes else np.empty(0, dtype=np.uint64)
    at = np.frombuffer(starts, dtype=np.uint64) if starts else np.empty(0, dtype=np.uint64)
    order = np.argsort(keys, kind="stable")
    return np.stack([keys[order], at[order]])


class _Docnos:
    """The docno of a line, as the import reads it: which key holds it is remembered for lines with the same keys."""

    def __init__(self, columns: Columns) -> None:
        self._columns = columns
        self._keys: dict[tuple[str, ...], str] = {}

    def of(self, line: bytes) -> str | None:
        """None where the line has none."""
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            return None
        if not isinstance(value, dict):
            return None
        keys = tuple(key for key, inner in value.items() if inner is not None)
        key = self._keys.get(keys)
        if key is None:
            key = find_columns(keys, MEANINGS, self._columns).column.get(DOCNO.name, "")
            if len(self._keys) < MOST_MAPPINGS:
                self._keys[keys] = key
        docno = id_of(value[key]) if key else None
        return docno.strip(WHITE) if docno else None


def _hash(docno: str) -> int:
    return int.from_bytes(blake2b(docno.encode(errors="surrogatepass"), digest_size=8).digest(), "little")
