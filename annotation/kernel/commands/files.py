"""Files of commands: `-` for the standard streams, an output that is written whole or not at all."""

import argparse
import errno
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import BinaryIO

from annotation.formats.atomic_output import Written, write_out
from annotation.kernel.commands.base import MisuseError, RefusedError

STREAM = "-"
STDIN = "standard input"


def add_output(parser: argparse.ArgumentParser, words: str = "the file to write") -> None:
    parser.add_argument("--output", "-o", metavar="FILE", help=f"{words}; without it, or with -, the standard output")
    parser.add_argument("--force", action="store_true", help="replace the file if it is there")


def checked_output(path: str | None, *, force: bool) -> Path | None:
    """The file to write, None for the standard output; refused before anything is done where it would be lost."""
    if path is None or path == STREAM:
        return None
    if not force:
        refuse_taken(Path(path), "; --force replaces it")
    if not Path(path).parent.is_dir():
        raise MisuseError(f"{path}: {os.strerror(errno.ENOENT)}")
    return Path(path)


def refuse_taken(path: Path, remedy: str = "") -> None:
    """Ends the command where a file is there already."""
    if path.exists():
        raise MisuseError(f"{path}: there is such a file already{remedy}.")


def written(pieces: Iterable[bytes], output: Path | None, *, force: bool) -> Written:
    """What was written: to a file whole, or not at all."""
    try:
        return write_out(pieces, output, replace=force)
    except OSError as fault:
        raise RefusedError(f"{fault.filename or output}: {fault.strerror}") from fault


@contextmanager
def opened(file: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """The file to read; `-` is the standard input."""
    if str(file) == STREAM:
        yield sys.stdin.buffer
        return
    with ExitStack() as stack:
        try:
            stream = stack.enter_context(Path(file).open("rb"))
        except OSError as fault:
            raise MisuseError(f"{file}: {fault.strerror}") from fault
        yield stream


def name_of(file: str | os.PathLike[str]) -> str:
    """What a file is called where it is spoken of."""
    return STDIN if str(file) == STREAM else Path(file).name
