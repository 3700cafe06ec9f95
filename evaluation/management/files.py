"""Files of evaluating commands: read and parsed, or refused with file, line and reason; what commands write."""

import io
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO, TypeVar, cast

from annotation.formats.file_formats import UNRECOGNISED, FileFormat, recognise_format
from annotation.formats.problems import FormatError, Problems
from annotation.formats.qrels import FORMATS as QRELS_FORMATS
from annotation.formats.threads import worked_ahead
from annotation.kernel.commands.base import MisuseError, RefusedError
from annotation.kernel.commands.files import written
from annotation.kernel.commands.foundation import OutputWrapper
from evaluation.engine.qrels import Qrels
from evaluation.engine.run import PackedRun
from evaluation.formats.run import FORMATS as RUN_FORMATS

STDIN, STDIN_TITLE = "-", "standard input"
PACKED_ENDINGS, JSON_ENDINGS = (".gz",), (".json", ".jsonl")  # that are no part of a run's name
FAULTS = 20  # problems shown; a wrong file has one a line
EXAMPLES = 3  # topics named of files that share none

Table = TypeVar("Table")


def refuse_two_stdins(names: Sequence[str]) -> None:
    if list(names).count(STDIN) > 1:
        raise MisuseError("The standard input can be read only once.")


def read_qrels(name: str, stderr: OutputWrapper) -> Qrels:
    return read_file(name, parse_judged, stderr)


def read_run(name: str, stderr: OutputWrapper) -> PackedRun:
    return read_file(name, parse_packed, stderr)


def read_runs(names: Sequence[str], stderr: OutputWrapper) -> list[PackedRun]:
    """Several files at a time, notes and problems in their order. No two runs have the same tag."""
    files = worked_ahead(lambda name: _parsed(name, parse_packed), names)
    with _refusals():
        return list(_distinct([(name, _noted(problems, run, stderr)) for name, (run, problems) in files], stderr))


def parse_packed(stream: BinaryIO, problems: Problems) -> PackedRun:
    """A run in any format that imports read; one without a tag is called as its file is."""
    run = _read_any(RUN_FORMATS, stream, problems).packed
    if run.tag:
        return run
    tag = _tag_of(problems.file)
    problems.note(0, f"there is no tag in the file: the run is called {tag}")
    return replace(run, tag=tag)


def parse_judged(stream: BinaryIO, problems: Problems) -> Qrels:
    """Ordinary qrels in any format that imports read."""
    return Qrels.of_table(_read_any(QRELS_FORMATS, stream, problems))


def _read_any(formats: Sequence[FileFormat[Table]], stream: BinaryIO, problems: Problems) -> Table:
    """In the only format that the content fits. Raises `FormatError` where more than one fits, and where none does:
    then with what is wrong with each line of it as the first of the formats, TREC's."""
    try:
        file_format, _ = recognise_format(formats, stream, problems)
    except FormatError as fault:
        if not fault.problems[-1].reason.startswith(UNRECOGNISED):
            raise
        file_format = formats[0]
    return file_format.read(stream, problems, {})


def _tag_of(title: str) -> str:
    """The name of a file as a tag, without white space: runs of pytrec_eval and ranx name none."""
    name = Path(title).name
    for endings in (PACKED_ENDINGS, JSON_ENDINGS):
        name = next((name.removesuffix(end) for end in endings if name.endswith(end)), name)
    return "_".join(name.split()) or "run"


def read_file(name: str, parse: Callable[[BinaryIO, Problems], Table], stderr: OutputWrapper) -> Table:
    """The parsed file, `-` being the standard input.

    Faults, as `file:line: reason`, end the command; notes on rows left aside are written and end nothing.
    """
    with _refusals():
        table, problems = _parsed(name, parse)
        return _noted(problems, table, stderr)


def refuse_strangers(names: Sequence[str], runs: Sequence[PackedRun], qrels: str, numbers: Sequence[str]) -> None:
    """Ends the command for a run without a topic of the judgments: its zeros would say nothing of it. `names` are the
    runs' files, `qrels` is that of the judgments, which have the topics `numbers`."""
    judged = set(numbers)
    for name, run in zip(names, runs, strict=True):
        if judged.isdisjoint(run.numbers):
            topics = f"the run has {_examples(run.numbers)}, the judgments have {_examples(numbers)}"
            raise RefusedError(f"{_title(name)} and {_title(qrels)} have no topic in common: {topics}.")


def _examples(numbers: Sequence[str]) -> str:
    return ", ".join(numbers[:EXAMPLES]) + (" …" if len(numbers) > EXAMPLES else "")


def _title(name: str) -> str:
    return STDIN_TITLE if name == STDIN else name


def _parsed(name: str, parse: Callable[[BinaryIO, Problems], Table]) -> tuple[Table, Problems]:
    title = _title(name)
    problems = Problems(title)
    try:
        with _opened(name) as stream:
            return parse(stream, problems), problems
    except OSError as fault:
        raise MisuseError(f"{title}: {fault.strerror}") from fault


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
def _refusals() -> Iterator[None]:
    """A file that cannot be used ends the command, with its faults."""
    try:
        yield
    except FormatError as fault:
        message = f"{fault.found} problem{'s' if fault.found > 1 else ''}; nothing was evaluated."
        more = [f"… and {fault.found - FAULTS} more"] if fault.found > FAULTS else []
        raise RefusedError(message, problems=fault.problems[:FAULTS], advice=more) from fault


@contextmanager
def _opened(name: str) -> Iterator[BinaryIO]:
    if name == STDIN:
        yield cast("BinaryIO", Piped(sys.stdin.buffer))
        return
    with Path(name).open("rb") as stream:
        yield stream


class Piped:
    """A stream that cannot be rewound: what is read of it is kept until it goes back to its beginning, once."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream, self._start, self._rewound = stream, b"", False

    def read(self, size: int = -1) -> bytes:
        if self._rewound and self._start:
            start, self._start = self._start, b""
            return start
        data = self._stream.read(size)
        self._start += b"" if self._rewound else data
        return data

    def seek(self, offset: int) -> int:
        if offset or self._rewound:
            raise io.UnsupportedOperation("a pipe goes back to its beginning, and once")
        self._rewound = True
        return 0


def write_text(text: str, output: Path | None, stdout: OutputWrapper, *, force: bool = False) -> None:
    """Into the file, or to the standard output where none is named."""
    if output is None:
        stdout.write(text, ending="")
        return
    written([text.encode()], output, force=force)


def safe_name(name: str) -> str:
    """A part of a file's name that every system takes: `nDCG_gains=_exp_@10`."""
    return re.sub(r"[^A-Za-z0-9@.=-]+", "_", name).strip("_")
