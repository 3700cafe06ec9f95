"""Files of evaluating commands: read and parsed, or refused with file, line and reason; what commands write."""

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO, TypeVar

from django.core.management.base import CommandError, OutputWrapper

from annotation.formats.problems import FormatError, Problems
from annotation.formats.qrels import parse_qrels
from annotation.formats.threads import worked_ahead
from evaluation.engine.qrels import Qrels
from evaluation.engine.run import PackedRun
from evaluation.formats.run import parse_run

STDIN = "-"
FAULTS = 20  # problems shown; a wrong file has one a line

Table = TypeVar("Table")


def refuse_two_stdins(names: Sequence[str]) -> None:
    if list(names).count(STDIN) > 1:
        raise CommandError("The standard input can be read only once.")


def read_qrels(name: str, stderr: OutputWrapper) -> Qrels:
    return read_file(name, parse_judged, stderr)


def read_run(name: str, stderr: OutputWrapper) -> PackedRun:
    return read_file(name, parse_packed, stderr)


def read_runs(names: Sequence[str], stderr: OutputWrapper) -> list[PackedRun]:
    """Several files at a time, notes and problems in their order. No two runs have the same tag."""
    files = worked_ahead(lambda name: _parsed(name, parse_packed), names)
    with _refusals(stderr):
        return list(_distinct([(name, _noted(problems, run, stderr)) for name, (run, problems) in files], stderr))


def parse_packed(stream: BinaryIO, problems: Problems) -> PackedRun:
    return parse_run(stream, problems).packed


def parse_judged(stream: BinaryIO, problems: Problems) -> Qrels:
    """Ordinary qrels, as the scorer reads them."""
    return Qrels.of_table(parse_qrels(stream, problems))


def read_file(name: str, parse: Callable[[BinaryIO, Problems], Table], stderr: OutputWrapper) -> Table:
    """The parsed file, `-` being the standard input.

    Faults, as `file:line: reason`, end the command; notes on rows left aside are written and end nothing.
    """
    with _refusals(stderr):
        table, problems = _parsed(name, parse)
        return _noted(problems, table, stderr)


def _parsed(name: str, parse: Callable[[BinaryIO, Problems], Table]) -> tuple[Table, Problems]:
    title = "standard input" if name == STDIN else name
    problems = Problems(title)
    try:
        with _opened(name) as stream:
            return parse(stream, problems), problems
    except OSError as fault:
        raise CommandError(f"{title}: {fault.strerror}") from fault


def _distinct(runs: Sequence[tuple[str, PackedRun]], stderr: OutputWrapper) -> Iterator[PackedRun]:
    """Many tools write one tag into every run: a second one is called `tag (2)`, which no tag of a file can be."""
    counts: dict[str, int] = {}
    for name, run in runs:
        counts[run.tag] = counts.get(run.tag, 0) + 1
        if counts[run.tag] == 1:
            yield run
            continue
        tag = f"{run.tag} ({counts[run.tag]})"
        stderr.write(f"{name}: another run of the tag {run.tag}; here it is called '{tag}'")
        yield replace(run, tag=tag)


def _noted(problems: Problems, table: Table, stderr: OutputWrapper) -> Table:
    """Write the notes of a file; gives its table back."""
    for note in problems.notes[:FAULTS]:
        stderr.write(str(note))
    return table


@contextmanager
def _refusals(stderr: OutputWrapper) -> Iterator[None]:
    """A file that cannot be used ends the command, with its faults."""
    try:
        yield
    except FormatError as fault:
        for problem in fault.problems[:FAULTS]:
            stderr.write(str(problem))
        if fault.found > FAULTS:
            stderr.write(f"… and {fault.found - FAULTS} more")
        plural = "s" if fault.found > 1 else ""
        raise CommandError(f"{fault.found} problem{plural}; nothing was evaluated.") from fault


@contextmanager
def _opened(name: str) -> Iterator[BinaryIO]:
    if name == STDIN:
        yield sys.stdin.buffer
        return
    with Path(name).open("rb") as stream:
        yield stream


def write_text(text: str, output: Path | None, stdout: OutputWrapper) -> None:
    """Into the file, or to the standard output where none is named."""
    if output is None:
        stdout.write(text, ending="")
        return
    try:
        output.write_text(text, "utf-8")
    except OSError as fault:
        raise CommandError(f"{output}: {fault.strerror}") from fault


def safe_name(name: str) -> str:
    """A part of a file's name that every system takes: `nDCG_gains=_exp_@10`."""
    return re.sub(r"[^A-Za-z0-9@.=-]+", "_", name).strip("_")
