"""Sources as the engine wants them. `FormatError`: a file is malformed; `PackedError`: a stored one is damaged."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from annotation.formats.problems import Problems
from annotation.kernel.store import path_of
from evaluation.beyond.steps.asking import Source
from evaluation.engine.interleaving.lists import Lists
from evaluation.engine.packed_vectors import load_vectors
from evaluation.engine.qrels import Qrels
from evaluation.engine.run import PackedRun, load_run
from evaluation.formats.files import parse_judged, parse_packed
from evaluation.formats.interleaving import read_lists

Table = TypeVar("Table")


def table_in(source: Source | None, read: Callable[[Path, Problems], Table]) -> Table | None:
    return read(_path(source), Problems(source.name)) if source else None


def run_in(source: Source) -> PackedRun:
    if source.origin == "run":
        return load_run(_path(source))
    with _path(source).open("rb") as stream:
        return parse_packed(stream, Problems(source.name))


def qrels_in(source: Source) -> Qrels:
    with _path(source).open("rb") as stream:
        return parse_judged(stream, Problems(source.name))


def interleaved_in(source: Source) -> Lists:
    with _path(source).open("rb") as stream:
        return read_lists(stream, Problems(source.name))


def vectors_in(source: Source | None) -> tuple[list[str], NDArray[np.float32]] | None:
    """`(ids, rows)`, mapped."""
    if source is None:
        return None
    stored = load_vectors(_path(source))
    return stored.names, stored.vector


def _path(source: Source) -> Path:
    return path_of(source.sha256)
