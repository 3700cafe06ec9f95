"""Files of evaluating commands: read and parsed, or refused with file, line and reason; what commands write."""

import io
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, TypeVar, cast

from annotation.formats.problems import FormatError, Problems
from annotation.formats.threads import worked_ahead
from annotation.kernel.commands.base import MisuseError, RefusedError
from annotation.kernel.commands.files import written
from annotation.kernel.commands.foundation import OutputWrapper
from annotation.kernel.commands.progress import Progress
from evaluation.engine.qrels import Qrels
from evaluation.engine.run import PackedRun
from evaluation.formats.files import parse_judged, parse_packed, shares_no_topic, with_distinct_tags

STDIN, STDIN_TITLE = "-", "standard input"
FAULTS = 20  # problems shown; a wrong file has one a line

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
        with Progress(stderr) as bar:
            parsed = list(_watched(files, len(names), bar))
        return list(_distinct([(name, _noted(problems, run, stderr)) for name, (run, problems) in parsed], stderr))


def _watched(files: Iterator[Table], total: int, bar: Progress) -> Iterator[Table]:
    for done, file in enumerate(files, 1):
        bar(done, total, f"{done} of {total} runs read")
        yield file


def read_judged_runs(qrels: str, runs: Sequence[str], stderr: OutputWrapper) -> tuple[Qrels, list[PackedRun]]:
    """The judgments, and runs of which each has a topic of theirs."""
    reference, packed = read_qrels(qrels, stderr), read_runs(runs, stderr)
    refuse_strangers(runs, packed, qrels, reference.numbers)
    return reference, packed


def read_file(name: str, parse: Callable[[BinaryIO, Problems], Table], stderr: OutputWrapper) -> Table:
    """The parsed file, `-` being the standard input.

    Faults, as `file:line: reason`, end the command; notes on rows left aside are written and end nothing.
    """
    with _refusals():
        table, problems = _parsed(name, parse)
        return _noted(problems, table, stderr)


def read_beside_log(name: str, parse: Callable[[BinaryIO, Problems], Table], stderr: OutputWrapper) -> Table:
    """As `read_file`, of a file that belongs to a log: faults name both without their folders."""
    with _refusals():
        table, problems = _parsed(name, parse, title=_title(Path(name).name))
        return _noted(problems, table, stderr)


def refuse_strangers(names: Sequence[str], runs: Sequence[PackedRun], qrels: str, numbers: Sequence[str]) -> None:
    """Ends the command for a run without a topic of the judgments: its zeros would say nothing of it. `names` are the
    runs' files, `qrels` is that of the judgments, which have the topics `numbers`."""
    for name, run in zip(names, runs, strict=True):
        if reason := shares_no_topic(_title(name), run, _title(qrels), numbers):
            raise RefusedError(reason)


def _title(name: str) -> str:
    return STDIN_TITLE if name == STDIN else name


def _parsed(name: str, parse: Callable[[BinaryIO, Problems], Table], *, title: str = "") -> tuple[Table, Problems]:
    title = title or _title(name)
    problems = Problems(title)
    try:
        with _opened(name) as stream:
            return parse(stream, problems), problems
    except OSError as fault:
        raise MisuseError(f"{title}: {fault.strerror}") from fault


def _distinct(runs: Sequence[tuple[str, PackedRun]], stderr: OutputWrapper) -> Iterator[PackedRun]:
    for (name, run), again in zip(runs, with_distinct_tags([run for _, run in runs]), strict=True):
        if again is not run:
            stderr.write(f"{name}: another run of the tag {run.tag}; here it is called '{again.tag}'")
        yield again


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
        message = f"{fault.total} problem{'s' if fault.total > 1 else ''}; nothing was evaluated."
        more = [f"… and {fault.total - FAULTS} more"] if fault.total > FAULTS else []
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
