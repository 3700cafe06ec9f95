"""Points from a file: all of them, or none."""

import shutil
import tempfile
from pathlib import Path
from typing import BinaryIO

from annotation.formats.problems import Problems
from annotation.models import User
from evaluation.models import Series
from evaluation.series.steps.points import Added, NewPoint, add_points

PACKED = (b"\x1f\x8b", b"PAR1")  # how gzip and Parquet begin
MOST_BYTES = 2 << 20  # of a file that is read in a web process


def add_file(series: Series, stream: BinaryIO, *, name: str, source: str, actor: User | None) -> Added:
    """CSV, TSV, JSONL or Parquet, gzip too. Raises `FormatError` by line, and as `add_points` does."""
    from evaluation.formats.log.points import read_points

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "points"
        with path.open("wb") as file:
            shutil.copyfileobj(stream, file)
        problems = Problems(name)
        rows = read_points(path, problems)
    if not rows:
        raise problems.stop(0, "there is no point in this file")
    points = [NewPoint(row.time, row.value, row.low, row.high, rests_on=name[:500]) for row in rows]
    lines = [row.line for row in rows]
    return add_points(series, points, source=source, actor=actor, problems=problems, lines=lines)
