"""Runs in a bundle: packed as they are stored, and packed anew where they arrive."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Annotated

from annotation.exchange.steps.bundles import Part
from annotation.formats.bundle.row_schema import Absent, Length
from annotation.formats.bundle.rows import Count, Milliseconds, Name, Sha256
from annotation.formats.objects import Json
from annotation.formats.problems import FormatError, Problems
from annotation.kernel.store import FileStore, stored_files
from evaluation.models import Run

if TYPE_CHECKING:
    from evaluation.engine.run import PackedRun


@dataclass(frozen=True)
class RunRow:
    tag: Name
    description: str
    sha256: Sha256
    filename: Annotated[str, Length(255)]
    n_topics: Count
    n_rows: Milliseconds
    n_tied: Milliseconds
    created_at: datetime
    origin: Annotated[dict[str, Json], Absent(dict, since=5)] = field(default_factory=dict)


class Runs(Part[RunRow]):
    name, row, model = "runs", RunRow, Run
    preview = ("tag", "description", "n_topics", "n_rows")

    def files(self, row: RunRow) -> Iterable[str]:
        return (row.sha256,)

    def fault(self, row: RunRow) -> str:
        reason = fault_of(row, self.transfer.files)
        return f"the run {row.tag}: {reason}" if reason else ""

    def further_columns(self, _rows: Sequence[RunRow]) -> dict[str, object]:
        return {"created_by": self.transfer.actor}


def fault_of(row: RunRow, files: FileStore) -> str:
    """Why the file is not the run that the row says; empty where it is. Reading and packing it gives its own bytes."""
    from evaluation.engine.packed import PackedError
    from evaluation.engine.run import load_run

    path = files.path_of(row.sha256)
    try:
        run = load_run(path)
        if (run.tag, run.n_topics, run.n_rows, run.n_tied) != (row.tag, row.n_topics, row.n_rows, row.n_tied):
            return "its file says other counts or another tag"
        same = hashlib.sha256(_packed_anew(run)).hexdigest() == row.sha256
        return "" if same else "packing it anew gives other bytes"
    except FormatError as fault:
        return str(fault)
    except (PackedError, ValueError, KeyError, IndexError, TypeError, OverflowError) as fault:
        return f"its file cannot be read ({fault})"


def _packed_anew(run: "PackedRun") -> bytes:
    from evaluation.engine.run import pack_run
    from evaluation.formats.run import parse_run

    with stored_files().nameless_file() as lines:
        for piece in _as_in_file(run):
            lines.write(piece)
        lines.seek(0)
        return pack_run(parse_run(lines, Problems("run")), tag=run.tag)


def _as_in_file(run: "PackedRun") -> Iterator[bytes]:
    """The run as TREC lines, tied rows where the file had them. Raises `ValueError` where that cannot be."""
    import numpy as np

    from evaluation.engine.run import to_trec

    begin = 0
    for topic, piece in enumerate(to_trec(run)):
        lines = piece.split(b"\n")[:-1]
        start = int(run.start[topic])
        tied = run.is_tied(np.arange(start, start + len(lines)))
        place = run.place[begin : begin + int(tied.sum())]
        begin += place.size
        is_used = np.zeros(len(lines), np.bool_)
        is_used[place] = True
        if is_used.sum() != place.size or (place < 0).any():
            raise ValueError("two tied rows have one place")
        row = np.empty(len(lines), np.int64)
        row[place], row[~is_used] = np.flatnonzero(tied), np.flatnonzero(~tied)
        yield b"".join(lines[at] + b"\n" for at in row.tolist())
