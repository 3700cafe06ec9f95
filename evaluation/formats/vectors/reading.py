"""A file of vectors with its ids, or every row that is wrong."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from annotation.formats.fields import id_fault, shown
from annotation.formats.file_formats import NOTHING
from annotation.formats.id_files import ids_beside
from annotation.formats.lines import read_lines
from annotation.formats.problems import Problems
from evaluation.formats.vectors import FORMATS
from evaluation.formats.vectors.vector_format import VectorTable

HEAD = 64
ROWS = 1 << 14  # looked at in one go
NO_VECTOR = "there is no vector in this file"  # which a part of a corpus may be, and nothing else


def read_vectors(path: Path, ids: Path | None = None, *, zero_rows: bool = True) -> VectorTable:
    """Vectors and ids from `path`; of forms without ids these are lines of `ids`, or of a file beside `path`.

    A file may have no rows. Raises `FormatError` for every row that is not finite, or zero where `zero_rows` may not
    be; for ids that are missing, stand twice or cannot stand in a run; for a form that is not known. `OSError` where a
    file is not there.
    """
    problems = Problems(path.name)
    with path.open("rb") as stream:
        head = stream.read(HEAD)
    form = next((each for each in FORMATS if each.fits(head)), None)
    if not head:
        raise problems.stop(0, NOTHING)
    if form is None:
        raise problems.stop(0, f"not recognised as any of {', '.join(each.title for each in FORMATS)}")
    table = form.read(path, problems)
    problems.check()
    names, source = (table.ids, problems) if table.ids is not None else _ids_of(path, ids, problems)
    if table.ids is not None and ids is not None:
        raise problems.stop(0, "the file has ids of its own, and another file of ids is named")
    if len(names) != len(table.vector):
        raise source.stop(0, f"{len(names)} ids for {len(table.vector)} vectors")
    for line, fault in _faults_of_ids(names, table.line):
        source.add(line, fault)
    source.check()
    for row, fault in _faults_of_rows(table.vector, zero_rows=zero_rows):
        problems.add(table.line[row] if table.line else row + 1, fault)
    problems.check()
    return VectorTable(table.vector, names, table.line, table.numbers)


def _ids_of(path: Path, ids: Path | None, problems: Problems) -> tuple[list[str], Problems]:
    """`docs.f32.npy` has its ids in `docs.f32.ids.txt` or `docs.ids.txt`, one a line."""
    tried = [ids] if ids else ids_beside(path)
    file = next((each for each in tried if each.exists()), None)
    if file is None:
        raise problems.stop(0, f"no file of ids: {' or '.join(each.name for each in tried)} is expected, an id a line")
    source = Problems(file.name)
    with file.open("rb") as stream:
        names = [text for _, text in read_lines(stream, source)]
    source.check()
    return names, source


def _faults_of_ids(names: list[str], line: Sequence[int] | None) -> Iterator[tuple[int, str]]:
    first: dict[str, int] = {}
    for row, name in enumerate(names):
        number = line[row] if line else row + 1
        if fault := id_fault(name, "id"):
            yield number, fault
        elif first.setdefault(name, number) != number:
            yield number, f"the id {shown(name)} stands in {'line' if line else 'row'} {first[name]} already"


def _faults_of_rows(vector: np.ndarray, *, zero_rows: bool) -> Iterator[tuple[int, str]]:
    for a in range(0, len(vector), ROWS):
        part = vector[a : a + ROWS]
        finite = np.isfinite(part)
        for row in np.nonzero(~finite.all(1))[0]:
            column = int(np.argmin(finite[row]))
            what = "not a number" if np.isnan(part[row, column]) else "infinite in float32"
            yield a + int(row), f"number {column + 1} of the vector is {what}"
        if not zero_rows:
            for row in np.nonzero(~part.any(1))[0]:
                yield a + int(row), "the vector is zero: it has no cosine with any other"
