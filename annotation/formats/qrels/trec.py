"""TREC qrels: `topic iteration docno grade`, one judged pair a line.

Fields are separated by any ASCII white space; plain or gzip; LF or CR LF; a byte order mark and
blank lines are skipped, and so are lines that start with `#`, as trec_eval 10 does. The second
column is anything (`0`, `Q0`, a group, `4.5`) and is ignored. A grade is a whole number, negative
ones included (in TREC's tracks: pooled but not judged). trec_eval reads the grade `0.7` as 0; here
it is a fault, and so is a pair that occurs twice.
"""

from collections.abc import Iterable
from itertools import chain, pairwise
from typing import BinaryIO

from annotation.formats.columns import Block, Layout, read_blocks
from annotation.formats.file_formats import Columns, FileFormat
from annotation.formats.first_bytes import is_json, usual_fields
from annotation.formats.grade_map import grade_map_of
from annotation.formats.lines import DEFAULT_LIMITS, Limits
from annotation.formats.problems import Problems
from annotation.formats.qrels.cells import is_table
from annotation.formats.qrels.spaced import fast_part, read_spaced
from annotation.formats.qrels.table import Part, QrelsTable

LAYOUT = Layout(names=("topic", "iteration", "docno", "grade"), keep={0: "id", 2: "id", 3: "grade"}, comments=True)


def parse_qrels(
    stream: BinaryIO, problems: Problems, limits: Limits = DEFAULT_LIMITS, *, carefully: bool = False
) -> QrelsTable:
    """Read qrels; raises `FormatError` with every fault found (file, line, reason), and for a file without a pair.

    Grades lie within ±999,999,999. A million rows take about a fifth of a second. `carefully`: line by line from the
    start, with the same outcome many times slower.
    """
    return read_spaced(read_blocks(stream, problems, limits=limits), LAYOUT, problems, carefully=carefully)


def _read_fast(block: Block) -> Part | None:
    return fast_part(block, LAYOUT)


def write_table(table: QrelsTable) -> bytes:
    """As `write_qrels` of the table's rows: a million of them in half a second."""
    order = table.in_order()
    begin = [b"%b 0 " % _number(number.encode()) for number in table.numbers]
    grade = table.grade[order].tolist()
    end = {each: b" %d\n" % each for each in set(grade)}
    columns = (
        map(begin.__getitem__, table.topic[order].tolist()),
        table.text.take(order).raw(),
        map(end.__getitem__, grade),
    )
    return b"".join(chain.from_iterable(zip(*columns, strict=True)))


def write_qrels(rows: Iterable[tuple[str, str, int]]) -> bytes:
    """TREC qrels text of `(number, docno, grade)` rows: the second column is 0, one blank between fields, LF.

    Rows are ordered by topic number, then docno, both as UTF-8 bytes, so that the same pairs give the same bytes. A
    topic number that starts with `#` gets a blank in front of it, or its lines would be comments. Ids
    must be ids as `parse_qrels` accepts them; a pair twice is a `ValueError`.
    """
    ordered = sorted((number.encode(), docno.encode(), grade) for number, docno, grade in rows)
    for (number, docno, _), (other, same, _) in pairwise(ordered):
        if number == other and docno == same:
            raise ValueError(f"document {docno.decode()!r} occurs twice for topic {number.decode()!r}")
    return b"".join(b"%b 0 %b %d\n" % (_number(number), docno, grade) for number, docno, grade in ordered)


def _number(number: bytes) -> bytes:
    return b" " + number if number.startswith(b"#") else number


def _read(stream: BinaryIO, problems: Problems, columns: Columns) -> QrelsTable:
    return read_spaced(read_blocks(stream, problems), LAYOUT, problems, grades=grade_map_of(columns, problems))


FORMAT: FileFormat[QrelsTable] = FileFormat(
    "trec",
    "TREC qrels",
    lambda head: not (is_json(head) or is_table(head)) and usual_fields(head) == len(LAYOUT.names),
    _read,
    lambda head: [("1st", "number"), ("2nd", ""), ("3rd", "docno"), ("4th", "grade")],
    upload_help="TREC qrels (topic, iteration, docno, grade)",
)
