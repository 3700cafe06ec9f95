"""Qrels and runs from whatever a program has: paths, mappings, frames, tuples."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias, TypeVar

from annotation.formats.column_names import GRADE
from annotation.formats.problems import Problems
from annotation.formats.threads import keep_freed_memory, worked_ahead
from evaluation.engine.qrels import Qrels
from evaluation.engine.run import PackedRun
from evaluation.formats.files import parse_judged, parse_packed, shares_no_topic, with_distinct_tags
from evaluation.formats.run.objects import SCORE
from touchstone.library.frames import is_frame, table_of_frame, tag_of_frame
from touchstone.library.tables import MemoryTable

QRELS, RUN = "the qrels", "run"  # what errors and notes call what has no name

PathLike: TypeAlias = str | os.PathLike[str]
QrelsSource: TypeAlias = PathLike | Qrels | Mapping[Any, Mapping[Any, Any]] | Iterable[tuple[Any, ...]] | Any
RunSource: TypeAlias = PathLike | PackedRun | Mapping[Any, Mapping[Any, Any]] | Iterable[tuple[Any, ...]] | Any
RunSources: TypeAlias = RunSource | Mapping[str, RunSource] | Iterable[RunSource]
Read = TypeVar("Read")

keep_freed_memory()  # of a program that has loaded this: a quarter less for dicts of some thousand rows


def read_qrels(source: QrelsSource) -> Qrels:
    """Judged pairs, read once for many evaluations.

    `source` is the path of a file in any form that docs/formats.md names for qrels; a mapping of query to a mapping of
    document to grade; a DataFrame of pandas or polars, whose columns are found by their names; or rows of query,
    document and grade. Ids are text; whole numbers are written as text. A grade is a whole number, `1.0` too; a
    negative one is not judged.

    Raises `FormatError`, whose `problems` name file, line and reason, for a file; `ValueError`, which names query and
    document, for what a program holds; `OSError` for a file that cannot be read; `TypeError` for anything else.
    """
    return qrels_with_notes(source)[0]


def read_run(source: RunSource, *, tag: str | None = None) -> PackedRun:
    """A run, read once for many evaluations. `tag` replaces the one it has.

    As `read_qrels`, with scores in place of grades: finite numbers, the higher the better, in any order. Documents of
    one score are ordered as trec_eval does. Raises as `read_qrels` does.
    """
    return _run_with_notes(source, "the run", tag)[0]


def qrels_with_notes(source: QrelsSource) -> tuple[Qrels, list[str]]:
    if isinstance(source, Qrels):
        return source, []
    if isinstance(source, str | os.PathLike):
        return _parsed(source, parse_judged)
    if isinstance(source, Mapping):
        return MemoryTable.of_mapping(QRELS, source).qrels(), []
    if is_frame(source):
        return table_of_frame(QRELS, source, GRADE).qrels(), []
    return MemoryTable.of_rows(QRELS, _rows(source, QRELS), "grade").qrels(), []


def runs_with_notes(source: RunSources) -> tuple[list[PackedRun], list[str]]:
    """One run or several, whose tags differ; several come by tag or one after the other."""
    several = list(_named(source))
    runs, notes = list[PackedRun](), list[str]()
    for _, (run, more) in worked_ahead(lambda one: _run_with_notes(*one), several):
        runs.append(run)
        notes += more
    if not runs:
        raise ValueError("no runs to evaluate")
    distinct = list(with_distinct_tags(runs))
    notes += [
        f"{title}: another run of the tag {run.tag}; here it is called '{again.tag}'"
        for (_, title, _), run, again in zip(several, runs, distinct, strict=True)
        if again is not run
    ]
    return distinct, notes


def refuse_strangers(runs: Sequence[PackedRun], qrels: Qrels) -> None:
    """Raise `ValueError` for a run without a topic of the qrels: its zeros would say nothing of it."""
    for run in runs:
        title = f"run {run.tag}" if run.tag != RUN else "the run"
        if reason := shares_no_topic(title, run, QRELS, qrels.numbers):
            raise ValueError(reason)


def _named(source: RunSources) -> Iterator[tuple[RunSource, str, str | None]]:
    """`(run, what errors call it, its tag)`; the tag is None where the run has its own or none."""
    if isinstance(source, str | os.PathLike | PackedRun) or is_frame(source):
        yield source, "the run", None
    elif isinstance(source, Mapping):
        if _is_run(source):
            yield source, "the run", None
        else:
            yield from ((run, f"run {tag}", str(tag)) for tag, run in source.items())
    else:
        yield from _numbered(_rows(source, "the runs"))


def _numbered(rows: Iterable[Any]) -> Iterator[tuple[RunSource, str, str | None]]:
    """Rows are one run; sources one after the other are several."""
    iterator = iter(rows)
    first = next(iterator, None)
    if first is None:
        return
    everything = chain([first], iterator)
    if _is_row(first):
        yield everything, "the run", None
        return
    for n, run in enumerate(everything, 1):
        is_named = isinstance(run, str | os.PathLike | PackedRun) or (is_frame(run) and tag_of_frame("", run))
        yield run, f"run {n}", None if is_named else f"{RUN} {n}"


def _is_run(source: Mapping[Any, Any]) -> bool:
    """Whether a mapping is of documents to scores by query, and not of runs by tag."""
    for documents in source.values():
        if not isinstance(documents, Mapping):
            return False
        for score in documents.values():
            return not isinstance(score, Mapping)
    return bool(source)


def _is_row(value: object) -> bool:
    """Whether it begins with the id of a query, so that it is a row and no run."""
    inner = (list, tuple, Mapping, os.PathLike)
    return isinstance(value, list | tuple) and len(value) > 0 and not isinstance(value[0], inner)


def _rows(source: object, title: str) -> Iterable[Any]:
    if isinstance(source, Iterable) and not isinstance(source, bytes | bytearray):
        return source
    forms = "a path, a mapping, a DataFrame or rows"
    raise TypeError(f"{title} come as {forms}, not as {type(source).__name__}")


def _run_with_notes(source: RunSource, title: str, tag: str | None) -> tuple[PackedRun, list[str]]:
    if isinstance(source, PackedRun):
        return (source if tag is None else replace(source, tag=tag)), []
    if isinstance(source, str | os.PathLike):
        return _parsed(source, partial(parse_packed, tag=tag or ""))
    if isinstance(source, Mapping):
        return MemoryTable.of_mapping(title, source).run(tag or RUN), []
    if is_frame(source):
        own = tag_of_frame(title, source)
        return table_of_frame(title, source, SCORE).run(tag or own or RUN), []
    return MemoryTable.of_rows(title, _rows(source, title), "score").run(tag or RUN), []


def _parsed(path: PathLike, parse: Callable[[BinaryIO, Problems], Read]) -> tuple[Read, list[str]]:
    problems = Problems(os.fspath(path))
    with Path(path).open("rb") as stream:
        table = parse(stream, problems)
    return table, list(map(str, problems.notes))
