"""What must hold for any bytes at all that are read as a run or as qrels. Tests and fuzzers feed it.

1. Nothing but `FormatError` comes out.
2. Read line by line from the start (`carefully`) and read as ever, a file has the same rows, or the same faults in the
   same lines; and where nothing in it is unusual, it is indeed read fast.
3. Good rows behind or before change nothing in that, nor do blocks of a few lines, some read fast and some not.
4. What is accepted evaluates to finite values by every measure, and reads back from what we write of it.
"""

import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import starmap
from typing import TypeAlias
from unittest.mock import patch

import numpy as np

from annotation.formats import lines as lines_format
from annotation.formats.columns import Block, read_blocks
from annotation.formats.problems import FormatError, Problem, Problems
from annotation.formats.qrels import parse_qrels, write_qrels
from annotation.formats.qrels import trec as qrels_format
from evaluation.engine.qrels import Qrels
from evaluation.engine.run import PackedRun, RunTable, load_run, pack_run, to_trec
from evaluation.formats.run import parse_run
from evaluation.formats.run import trec as run_format
from tests.corpus import qrels
from tests.corpus.measuring import check_measures

N_GOOD = 20
LONGEST = 19  # bytes of a field that nothing is unusual in: the fast reading takes no whole number of more digits
MARK, GZIP = b"\xef\xbb\xbf", b"\x1f\x8b"

Texts: TypeAlias = tuple[tuple[str, str, str], ...]
ReadFast: TypeAlias = Callable[[Block], object]


@dataclass(frozen=True)
class Read:
    """Either the rows of a file or its faults. A run has a tag."""

    rows: Texts = ()  # scores by their repr: −0 is not 0
    faults: tuple[Problem, ...] = ()
    tag: str = ""


@dataclass(frozen=True)
class Good:
    """Good rows: as the lines of a file, and as they are read."""

    lines: bytes
    rows: Texts


def check_run(data: bytes) -> None:
    """Raises `AssertionError`, or whatever else comes out that is not `FormatError`."""
    table = check_readings_of_run(data)
    if table is not None:
        _check_packed(load_run(pack_run(table)))


def check_readings_of_run(data: bytes) -> RunTable | None:
    """The first three claims alone. The run, if it is one."""
    careful, table = read_run(data, carefully=True)
    check_readings(data, careful, lambda file: read_run(file)[0], run_format._read_fast, good_run(_tag_of(data)))
    return table


def check_qrels(data: bytes) -> None:
    """Raises `AssertionError`, or whatever else comes out that is not `FormatError`."""
    careful = read_qrels(data, carefully=True)
    check_readings(data, careful, read_qrels, qrels_format._read_fast, good_qrels())
    if careful.rows:
        _check_judged([(number, docno, int(grade)) for number, docno, grade in careful.rows])


def check_readings(data: bytes, careful: Read, read: Callable[[bytes], Read], read_fast: ReadFast, good: Good) -> None:
    """`careful` is what the careful reading makes of the bytes."""
    files = [data]
    assert read(data) == careful
    if not data.startswith(GZIP):
        ended = data if data.endswith(b"\n") else data + b"\n"
        files.append(ended + good.lines)
        _compare(careful, read(files[1]), good.rows, n_lines=ended.count(b"\n"))
        if careful.rows and not data.startswith(MARK):
            files.append((good.lines + data).removesuffix(b"\n"))
            assert read(files[2]).rows == good.rows + careful.rows
        whole = read(files[-1])
        with few_lines_a_block():
            assert read(files[-1]) == whole
    if careful.rows and is_usual(data):
        assert all(is_read_fast(file, read_fast) for file in files)


@contextmanager
def few_lines_a_block() -> Iterator[None]:
    with patch.object(lines_format, "CHUNK", 16), patch.dict(read_blocks.__kwdefaults__, size=80):
        yield


def is_usual(data: bytes) -> bool:
    """Short fields of ASCII that can be printed, and white space between them: the fast reading takes any such file."""
    text = data.replace(b"\r\n", b"\n").translate(None, b" \t\n\x0b\x0c")
    return text.isascii() and text.decode().isprintable() and all(len(field) <= LONGEST for field in data.split())


def is_read_fast(data: bytes, read_fast: ReadFast) -> bool:
    """Whether no block is left to the careful reading. `read_fast` is that of the format."""
    return all(read_fast(block) is not None for block in read_blocks(io.BytesIO(data), Problems("any")))


@cache
def good_qrels() -> Good:
    rows = tuple((f"good-{i % 7}", f"document-{i}", str(i % 5 - 1)) for i in range(N_GOOD))
    return Good("".join(starmap("{} 0 {} {}\n".format, rows)).encode(), rows)


@lru_cache(100)  # a fuzzer makes up tags without end
def good_run(tag: str) -> Good:
    rows = tuple((f"good-{i % 7}", f"document-{i}", repr(i / 4 - 3)) for i in range(N_GOOD))
    return Good("".join(f"{number} Q0 {docno} 1 {score} {tag}\n" for number, docno, score in rows).encode(), rows)


def read_run(data: bytes, *, carefully: bool = False) -> tuple[Read, RunTable | None]:
    try:
        table = parse_run(io.BytesIO(data), Problems("a.run", keep=len(data) + 1), carefully=carefully)
    except FormatError as fault:
        return Read(faults=tuple(fault.problems)), None
    numbers = (table.numbers[topic] for topic in table.topic)
    rows = zip(numbers, table.docno, map(repr, table.score.tolist()), strict=True)
    return Read(rows=tuple(rows), tag=table.tag), table


def read_qrels(data: bytes, *, carefully: bool = False) -> Read:
    try:
        table = parse_qrels(io.BytesIO(data), Problems("a.qrels", keep=len(data) + 1), carefully=carefully)
    except FormatError as fault:
        return Read(faults=tuple(fault.problems))
    return Read(rows=tuple((number, docno, str(grade)) for number, docno, grade in table.rows()))


def _compare(alone: Read, among: Read, rows: Texts, *, n_lines: int) -> None:
    """Faults of the file as a whole (line 0), as that it has no row, say nothing of its lines."""
    if alone.rows:
        assert among.rows == alone.rows + rows
    elif alone.faults[0].line:
        assert tuple(fault for fault in among.faults if 0 < fault.line <= n_lines) == alone.faults


def _tag_of(data: bytes) -> str:
    """The tag of the first line that has one, so that the good rows can be of the same run."""
    lines = data.removeprefix(MARK).split(b"\n")
    fields = next((line.split() for line in lines if len(line.split()) > 5 and not line.startswith(b"#")), [])
    tag = fields[5] if fields else b"me"
    return tag.decode() if _is_tag(tag) else "me"


def _is_tag(tag: bytes) -> bool:
    try:
        return tag.decode().isprintable() and len(tag.decode()) <= 200
    except UnicodeDecodeError:
        return False


def _check_packed(run: PackedRun) -> None:
    """Its own documents judged, by turns −1 … 3, and one that it has not."""
    again = parse_run(io.BytesIO(b"".join(to_trec(run))), Problems("again.run"))
    assert list(to_trec(load_run(pack_run(again)))) == list(to_trec(run))
    number = [run.numbers[topic] for topic in np.repeat(np.arange(run.n_topics), np.diff(run.start))]
    grade = [i % 5 - 1 for i in range(run.n_rows)]
    check_measures(run, Qrels.of([*number, "unseen"], [*run.docno, "unseen"], [*grade, 1]))


def _check_judged(rows: list[qrels.Row]) -> None:
    assert sorted(parse_qrels(io.BytesIO(write_qrels(rows)), Problems("again")).rows()) == sorted(rows)
    lines = starmap("{} Q0 {} 1 {} me\n".format, ((n, d, i % 3) for i, (n, d, _) in enumerate(rows) if i % 4))
    text = "".join(f" {line}" for line in [*lines, "unseen Q0 unseen 1 1 me\n"])
    run = load_run(pack_run(parse_run(io.BytesIO(text.encode()), Problems("made.run"))))
    check_measures(run, Qrels.of(*map(list, zip(*rows, strict=True))))
