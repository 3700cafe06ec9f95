"""TREC runs: `topic iteration docno rank score tag`, one retrieved document a line.

Fields are separated by any ASCII white space, further fields are ignored; plain or gzip; LF or CR
LF; lines in any order, topics interleaved. Blank lines and lines that start with `#` are skipped.
The iteration and the rank are ignored: the order is that of the scores. Scores are finite decimal
numbers, with or without an exponent.

A file holds one run: a second tag is a fault (trec_eval ignores it, and would evaluate two runs as
one). So is a document that occurs twice in a topic.
"""

from typing import BinaryIO

import numpy as np

from annotation.formats.columns import Block, Layout, read_blocks, read_carefully, read_fast, read_nothing
from annotation.formats.lines import DEFAULT_LIMITS, Limits
from annotation.formats.problems import Problems
from annotation.formats.threads import worked_ahead
from evaluation.engine.run import RunTable
from evaluation.formats.run.table import Parts, Rows, Tag, table_of

LAYOUT = Layout(
    names=("topic", "iteration", "docno", "rank", "score", "tag"),
    keep={0: "id", 2: "id", 4: "score", 5: "id"},
    extra=True,
    comments=True,
)


def parse_run(
    stream: BinaryIO, problems: Problems, limits: Limits = DEFAULT_LIMITS, *, carefully: bool = False
) -> RunTable:
    """Read a run; raises `FormatError` with every fault found (file, line, reason), and for a file without a row.

    Rows keep the order of the file. Ten million rows take a second or two and well under 1 GB. `carefully`: line by
    line from the start, with the same outcome many times slower.
    """
    parts, tag = list[Rows](), Tag()
    parse_block = read_nothing if carefully else _read_fast
    for block, rows in worked_ahead(parse_block, read_blocks(stream, problems, limits=limits)):
        if rows and rows.tag == (tag.tag or rows.tag):
            tag.meet(rows.tag, int(rows.lines()[0]), problems)
            parts.append(rows)
        else:
            parts += _read_carefully(block, tag, problems)
    if not tag.line and not problems:
        problems.add(0, "no row in the file")
    return table_of(parts, tag.tag, problems)


def _read_fast(block: Block) -> Rows | None:
    """None where the careful reading has to do it."""
    tokens = read_fast(block, LAYOUT)
    if tokens is None:
        return None
    number, docno, score, tag = tokens.ids(0), tokens.ids(2), tokens.scores(4), tokens.ids(5)
    if number is None or docno is None or score is None or tag is None or tag.begins().size > 1:
        return None
    begins = number.begins()
    length = np.diff(begins, append=score.size)
    line = block.line if tokens.line is None else (block.line + tokens.line).astype(np.int32)
    return Rows(number.take(begins), length, docno, score, line, tag[0])


def _read_carefully(block: Block, tag: Tag, problems: Problems) -> list[Rows]:
    parts = Parts()
    for line, fields in read_carefully(block, LAYOUT, problems):
        parts.add(fields[0], fields[2], float(fields[4]), line)
        tag.meet(fields[5], line, problems)
    return parts.packed()
