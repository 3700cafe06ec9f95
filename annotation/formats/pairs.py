"""Pairs to judge: `number docno`, two columns separated by white space → rows.

Blank lines and lines that start with `#` are skipped; a first line `number docno` is a header. Qrels have four columns
and are refused here with a hint, so that nobody loses grades without noticing.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from annotation.formats.fields import id_fault, is_header, split_blanks
from annotation.formats.forms import Form
from annotation.formats.heads import is_json, usual_fields
from annotation.formats.lines import DEFAULT_LIMITS, Limits, read_lines
from annotation.formats.once import OncePerFile
from annotation.formats.problems import Problems

COLUMNS = ("number", "docno")


@dataclass(frozen=True)
class PairRow:
    """One topic–document pair as a file has it."""

    number: str
    docno: str
    line: int


def read_pairs(stream: BinaryIO, problems: Problems, limits: Limits = DEFAULT_LIMITS) -> Iterator[PairRow]:
    """The pairs of a file in its order. Faulty lines and repeated pairs go to `problems` and are left out."""
    once, seen = OncePerFile(problems), 0
    for line, text in read_lines(stream, problems, limits):
        fields = split_blanks(text)
        if not fields or text.startswith("#"):
            continue
        seen += 1
        if seen == 1 and is_header(fields, COLUMNS, least=2):
            continue
        row = _row(fields, line, problems)
        if row and once.accepts((row.number, row.docno), line, f"topic {row.number}, document {row.docno}"):
            yield row
    if not seen:
        problems.add(0, "there is no pair in this file")


def _row(fields: list[str], line: int, problems: Problems) -> PairRow | None:
    if len(fields) != len(COLUMNS):
        hint = "; which look like qrels: keep the first and third" if len(fields) == 4 else ""
        problems.add(line, f"2 columns expected (number docno), {len(fields)} found{hint}")
        return None
    fault = id_fault(fields[0], "topic number") or id_fault(fields[1], "docno")
    if fault:
        problems.add(line, fault)
        return None
    return PairRow(fields[0], fields[1], line)


FORMS: tuple[Form[Iterator[PairRow]], ...] = (
    Form(
        "columns",
        "Two columns: number docno",
        lambda head: not is_json(head) and usual_fields(head) == len(COLUMNS),
        lambda stream, problems, columns: read_pairs(stream, problems),
        lambda head: [("1st", "number"), ("2nd", "docno")],
    ),
)
