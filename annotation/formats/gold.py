"""Gold: pairs whose grade is known → rows.

Two formats without names of columns, recognised by the first line of data and not to be mixed in
one file:

- `number docno grade [reason [explanation]]`: tabs between the columns; without a reason any white space will do. A
  first line of exactly these names is a header. A grade below 0 is a problem.
- TREC qrels, `number iteration docno grade`: recognised by four columns of which the last is a whole number. Grades
  below 0 mean unjudged there; such rows are left aside and a note counts them.

Or columns with names: a table with another header, or JSONL. There, too, grades below 0 are left
aside; the grades that are accepted besides may stand under `accepted`: as an array in JSONL, with
commas or blanks between them in a table.

Blank lines and lines that start with `#` are skipped (not in tables and JSONL). Whether a grade
belongs to the collection's scale is checked by the importer, which knows the scale.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import BinaryIO

from annotation.formats.column_names import GOLD
from annotation.formats.duplicates import OncePerFile
from annotation.formats.fields import WHITE, id_fault, is_header, shown, split_blanks, text_fault, whole_number
from annotation.formats.file_formats import Columns, FileFormat
from annotation.formats.first_bytes import head_lines, is_json, is_objects
from annotation.formats.grade_map import CANNOT_JUDGE, NO_MAP, GradeMap, grade_map_of
from annotation.formats.lines import DEFAULT_LIMITS, Limits, read_lines
from annotation.formats.mapped import (
    Cells,
    columns_of_objects,
    columns_of_table,
    has_header,
    rows_of_objects,
    rows_of_table,
)
from annotation.formats.objects import Json, read_objects
from annotation.formats.problems import Problems
from annotation.formats.tab_separated import ORDINALS
from annotation.formats.tables import COMMAS, TAB

COLUMNS = ("number", "docno", "grade", "reason", "explanation")
_BETWEEN = re.compile(f"[,;{WHITE}]+")


@dataclass(frozen=True)
class GoldRow:
    """One gold pair as a file has it. No annotator sees `reason`; who has judged the pair may see `explanation`.

    `accepted`: the grades that are right, the known one perhaps among them; None where the file does not say.
    """

    number: str
    docno: str
    grade: int
    reason: str
    line: int
    explanation: str = ""
    accepted: tuple[int, ...] | None = None


def read_gold(
    stream: BinaryIO, problems: Problems, limits: Limits = DEFAULT_LIMITS, *, grades: GradeMap = NO_MAP
) -> Iterator[GoldRow]:
    """The gold of a file in its order. Faulty lines and repeated pairs go to `problems` and are left out."""
    once, unjudged, read = OncePerFile(problems), Counter[bool](), None
    for line, text in _data(read_lines(stream, problems, limits)):
        if read is None:
            read = _from_qrels if _looks_like_qrels(text) else _from_columns
            if read is _from_columns and is_header(_columns(text), COLUMNS, least=3):
                continue
        row = read(text, line, problems, grades)
        if not row or not once.accepts((row.number, row.docno), line, f"topic {row.number}, document {row.docno}"):
            continue
        if row.grade < 0:
            unjudged[row.grade == CANNOT_JUDGE] += 1
            continue
        yield row
    if read is None:
        problems.add(0, "there is no gold in this file")
    _note_unjudged(unjudged, problems)


def _note_unjudged(unjudged: Counter[bool], problems: Problems) -> None:
    """How many rows have no grade, by whether the map of grades says so."""
    for by_map, n in sorted(unjudged.items()):
        why = "that nobody can judge, as the map says," if by_map else "with a grade below 0 (unjudged)"
        problems.note(0, f"{n} rows {why} were left aside" if n > 1 else f"1 row {why} was left aside")


def _data(lines: Iterator[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    return ((line, text) for line, text in lines if text.strip(WHITE) and not text.startswith("#"))


def _looks_like_qrels(text: str) -> bool:
    fields = split_blanks(text)
    return len(fields) == 4 and whole_number(fields[3]) is not None


def _columns(text: str) -> list[str]:
    return [field.strip(WHITE) for field in text.split("\t")] if "\t" in text else split_blanks(text)


def _from_columns(text: str, line: int, problems: Problems, grades: GradeMap) -> GoldRow | None:
    fields = _columns(text)
    if not 3 <= len(fields) <= len(COLUMNS) or ("\t" not in text and len(fields) != 3):
        expected = "number, docno, grade, perhaps a reason and an explanation (with tabs) expected"
        problems.add(line, f"{len(fields)} columns; {expected}")
        return None
    row = _row(*fields, grades=grades, line=line, problems=problems)
    if row and row.grade < 0 and row.grade != CANNOT_JUDGE:
        problems.add(line, f"the grade {row.grade} is below 0")
        return None
    return row


def _from_qrels(text: str, line: int, problems: Problems, grades: GradeMap) -> GoldRow | None:
    fields = split_blanks(text)
    if len(fields) != 4:
        problems.add(line, f"{len(fields)} columns, four expected (number iteration docno grade)")
        return None
    return _row(fields[0], fields[2], fields[3], grades=grades, line=line, problems=problems)


def _row(
    number: str,
    docno: str,
    grade: str,
    reason: str = "",
    explanation: str = "",
    *,
    grades: GradeMap,
    line: int,
    problems: Problems,
) -> GoldRow | None:
    fault = id_fault(number, "topic number") or id_fault(docno, "docno")
    value = grades.grade(grade)
    if fault or value is None:
        problems.add(line, fault or f"the grade {shown(grade)} is not a whole number")
        return None
    return GoldRow(number, docno, value, reason, line, explanation)


def _first_line(head: bytes) -> str:
    lines = [] if is_json(head) else head_lines(head)
    return lines[0].decode(errors="replace").rstrip("\r") if lines else ""


def _are_columns(head: bytes) -> bool:
    """The first line is the header, or ends its first three columns with a whole number."""
    fields = _columns(_first_line(head))
    if _looks_like_qrels(_first_line(head)) or len(fields) < 3:
        return False
    return is_header(fields, COLUMNS, least=3) or whole_number(fields[2]) is not None


def _is_table(head: bytes) -> bool:
    """A header in which at least docno and grade are recognised, and not our own."""
    return has_header(head, GOLD, ("docno", "grade")) and not _are_columns(head)


def _mapped(rows: Iterable[tuple[int, Cells]], problems: Problems, grades: GradeMap) -> Iterator[GoldRow]:
    once, empty, unjudged = OncePerFile(problems), True, Counter[bool]()
    for line, cells in rows:
        empty = False
        number, docno, grade = cells["number"].strip(WHITE), cells["docno"].strip(WHITE), cells["grade"].strip(WHITE)
        words = {name: cells.get(name, "").strip(WHITE) for name in ("reason", "explanation")}
        fault = next(filter(None, (text_fault(text, name) for name, text in words.items())), None)
        accepted, no_grades = _accepted(cells.get("accepted", ""), grades)
        row = _row(number, docno, grade, **words, grades=grades, line=line, problems=problems)
        if fault or no_grades:
            problems.add(line, fault or no_grades)
        elif row and once.accepts((number, docno), line, f"topic {number}, document {docno}"):
            if row.grade < 0:
                unjudged[row.grade == CANNOT_JUDGE] += 1
            else:
                yield replace(row, accepted=accepted)
    if empty and not problems:
        problems.add(0, "there is no gold in this file")
    _note_unjudged(unjudged, problems)


def _accepted(text: str, grades: GradeMap) -> tuple[tuple[int, ...] | None, str]:
    """The grades, and why there are none."""
    try:
        return _accepted_in(text, grades), ""
    except ValueError as fault:
        return None, str(fault)


def _accepted_in(text: str, grades: GradeMap) -> tuple[int, ...] | None:
    """The grades of a cell such as `2 3`, `2,3` or `[2, 3]` in their order, each once; None where nothing is said.

    Empty brackets say that there are none besides. Raises `ValueError` for what is no whole number.
    """
    inner = text.strip(WHITE)
    if not inner:
        return None
    if inner.startswith("[") and inner.endswith("]"):
        inner = inner[1:-1].strip(WHITE)
    numbers = [grades.grade(word) for word in _BETWEEN.split(inner) if word]
    if None in numbers:
        raise ValueError(f"the accepted grades {shown(text)} are not whole numbers")
    return tuple(sorted({grade for grade in numbers if grade is not None and grade != CANNOT_JUDGE}))


def _from_lines(stream: BinaryIO, problems: Problems, columns: Columns) -> Iterator[GoldRow]:
    yield from read_gold(stream, problems, grades=grade_map_of(columns, problems))


def _from_table(stream: BinaryIO, problems: Problems, columns: Columns) -> Iterator[GoldRow]:
    rows = rows_of_table(stream, problems, columns, GOLD, delimiters=TAB + COMMAS)
    yield from _mapped(rows, problems, grade_map_of(columns, problems))


def _from_objects(stream: BinaryIO, problems: Problems, columns: Columns) -> Iterator[GoldRow]:
    objects = ((line, _with_lists(value)) for line, value in read_objects(stream, problems))
    yield from _mapped(rows_of_objects(objects, problems, columns, GOLD), problems, grade_map_of(columns, problems))


def _with_lists(row: dict[str, Json]) -> dict[str, Json]:
    """Arrays as they are written: a cell is a text or a number."""
    if not any(isinstance(cell, list) for cell in row.values()):
        return row
    return {key: json.dumps(cell) if isinstance(cell, list) else cell for key, cell in row.items()}


FORMATS: tuple[FileFormat[Iterator[GoldRow]], ...] = (
    FileFormat(
        "columns",
        "Columns: number docno grade [reason [explanation]]",
        _are_columns,
        _from_lines,
        lambda head: list(zip(ORDINALS, COLUMNS, strict=False)),
    ),
    FileFormat(
        "trec",
        "TREC qrels",
        lambda head: _looks_like_qrels(_first_line(head)),
        _from_lines,
        lambda head: [("1st", "number"), ("2nd", ""), ("3rd", "docno"), ("4th", "grade")],
    ),
    FileFormat(
        "table",
        "Table with a header (CSV or TSV)",
        _is_table,
        _from_table,
        lambda head: columns_of_table(head, GOLD),
        mapped=True,
    ),
    FileFormat(
        "jsonl",
        "JSONL, a pair a line",
        is_objects,
        _from_objects,
        lambda head: columns_of_objects(head, GOLD),
        mapped=True,
    ),
)
