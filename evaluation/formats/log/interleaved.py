"""Clicks on interleaved lists: a row a click, from logs of any form, block by block.

Memory holds one block, and 20 bytes an impression. Two impressions of a list with the same 64-bit
hash would be taken for one: a chance of 3 in a million for ten million impressions.
"""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from annotation.formats.column_names import DOCNO, NUMBER
from annotation.formats.fields import shown
from annotation.formats.mapping import Meaning, find_columns
from annotation.formats.problems import Problems
from evaluation.engine.arrays import Ints, Words
from evaluation.engine.interleaving.lists import Lists
from evaluation.formats.log.columns import MOST_FAULTS, Block, Column, Columns
from evaluation.formats.log.reading import Log, open_log

if TYPE_CHECKING:
    import polars

LIST = Meaning("list", ("list", "list_id", "serial"))
IMPRESSION = Meaning(
    "impression", ("impression", "impression_id", "view", "search_id", "session", "session_id"), needed=False
)
POSITION = Meaning("position", ("position", "pos", "rank", "click_position"), needed=False)
CLICKED = Meaning("clicked", ("clicked", "click", "is_click", "clicks"), needed=False)
MEANINGS = (NUMBER, LIST, IMPRESSION, POSITION, DOCNO, CLICKED)
KINDS = {
    "number": Column("text"),
    "list": Column("whole", least=1),
    "impression": Column("text"),
    "position": Column("whole", least=1),
    "docno": Column("text"),
    "clicked": Column("whole", least=0),
}
_ODD = np.uint64(0x9E3779B97F4A7C15)  # of SplitMix64


def read_clicked(path: Path, problems: Problems, lists: Lists) -> tuple[Ints, Words]:
    """`(list, clicks)` of each impression: the row of its list, and bit i set for a click on position i + 1.

    Without a column of impressions each list was shown once. A row is a click, unless a column `clicked` says 0: then
    the impression is known, and nothing else. Raises `FormatError` for what is malformed, for a list that there is not,
    a position behind its end and a document that is not in it; `OSError` as `open` does.
    """
    log = open_log(path, problems)
    column = _columns(log, problems)
    wanted: Columns = {name: KINDS[meaning] for meaning, name in column.items()}
    keys, rows, bits = list[Words](), list[NDArray[np.int32]](), list[Words]()
    documents = _ShownDocuments(lists, by_document="position" not in column)
    for block in log.blocks(wanted, problems):
        frame = block.frame.rename({name: meaning for meaning, name in column.items()})
        row, bit = documents.match(frame, block, problems)
        if problems.total >= MOST_FAULTS:
            raise problems.stop(0, f"{problems.total} problems; the rest was not read")
        if problems:
            continue
        key = row.astype(np.uint64) * _ODD
        if "impression" in column:
            key ^= frame["impression"].hash().to_numpy()
        for parts, part in zip((keys, rows, bits), _merged(key, row, bit), strict=True):
            parts.append(part)  # type: ignore[attr-defined]
    problems.check()
    if not keys:
        raise problems.stop(0, "there is no row in this file")
    _, row, bit = _merged(np.concatenate(keys), np.concatenate(rows), np.concatenate(bits))
    return row.astype(np.int64), bit


class _ShownDocuments:
    """Where the lists and their documents are found by what rows of a log name."""

    def __init__(self, lists: Lists, *, by_document: bool) -> None:
        import polars as pl  # noqa: PLC0415 -- a web process does not load it at its start

        self.length = lists.length
        number, serial = list(lists.number), lists.serial
        self.lists = pl.DataFrame(
            {"number": number, "list": serial, "row": np.arange(lists.n_lists, dtype=np.int32)},
            schema_overrides={"list": pl.Int64},
        )
        self.documents = None
        if by_document:
            row = np.repeat(np.arange(lists.n_lists, dtype=np.int32), self.length)
            begin = np.cumsum(self.length) - self.length
            position = np.arange(row.size) - np.repeat(begin, self.length) + 1
            docno = [docno for docnos in lists.docno for docno in docnos]
            self.documents = pl.DataFrame({"row": row, "docno": docno, "position": position})

    def match(self, frame: "polars.DataFrame", block: Block, problems: Problems) -> tuple[NDArray[np.int32], Words]:
        """The list of each row and the bit of its click; problems are added for what is not there."""
        there = frame.join(self.lists, on=["number", "list"], how="left", maintain_order="left")
        for at in there["row"].is_null().arg_true().head(MOST_FAULTS).to_list():
            name = shown(str(frame["number"][at]))
            problems.add(block.lines[at], f"there is no list {frame['list'][at]} of topic {name}")
        row = there["row"].fill_null(0)
        if self.documents is not None:
            there = there.with_columns(row).join(self.documents, on=["row", "docno"], how="left", maintain_order="left")
            for at in there["position"].is_null().arg_true().head(MOST_FAULTS).to_list():
                problems.add(block.lines[at], f"the document {shown(str(frame['docno'][at]))} is not in its list")
        position, rows = there["position"].fill_null(1).to_numpy(), row.to_numpy()
        for at in np.flatnonzero(position > self.length[rows])[:MOST_FAULTS].tolist():
            reason = f"position {position[at]} lies behind the end of the list, which has {self.length[rows[at]]}"
            problems.add(block.lines[at], reason)
        shift = np.minimum(position - 1, 62).astype(np.uint64)
        clicked = frame["clicked"].to_numpy() > 0 if "clicked" in frame.columns else np.ones(frame.height, np.bool_)
        return rows, np.left_shift(clicked.astype(np.uint64), shift)


def _columns(log: Log, problems: Problems) -> dict[str, str]:
    column = dict(find_columns(log.names, MEANINGS, {}).column)
    there = ", ".join(map(shown, log.names[:20]))
    for meaning in (NUMBER, LIST):
        if meaning.name not in column:
            raise problems.stop(1, f"no column is called {meaning.name}; there are {there}")
    if "position" not in column and "docno" not in column:
        raise problems.stop(1, f"no column is called position, nor docno; there are {there}")
    if "position" in column:
        column.pop("docno", None)
    return column


def _merged(key: Words, row: NDArray[np.int32], bit: Words) -> tuple[Words, NDArray[np.int32], Words]:
    """Rows of one key as one, with the clicks of all."""
    order = np.argsort(key)
    ascending = key[order]
    first = np.flatnonzero(np.append(True, ascending[1:] != ascending[:-1]))
    return ascending[first], row[order[first]], np.bitwise_or.reduceat(bit[order], first)
