"""Output to a file that is written whole or not at all, or to the standard output."""

import errno
import hashlib
import json
import os
import secrets
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO


@dataclass(frozen=True)
class Written:
    """What was written; `path` is None for the standard output."""

    path: Path | None
    size: int  # bytes
    sha256: str

    def in_words(self) -> str:
        return f"written: {self.path or 'standard output'}, {self.size} bytes, SHA-256 {self.sha256}"

    def as_json(self) -> str:
        file = None if self.path is None else str(self.path)
        return json.dumps({"file": file, "bytes": self.size, "sha256": self.sha256}, ensure_ascii=False)


def write_out(pieces: Iterable[bytes], path: Path | None, *, replace: bool = False) -> Written:
    """Into a `whole_file`, or to the standard output where no path is given."""
    with standard_output() if path is None else whole_file(path, replace=replace) as out:
        size, digest = 0, hashlib.sha256()
        for piece in pieces:
            out.write(piece)
            digest.update(piece)
            size += len(piece)
    return Written(path, size, digest.hexdigest())


@contextmanager
def whole_file(path: Path, *, replace: bool = False) -> Iterator[BinaryIO]:
    """What is written stands under `path` once the block has ended well; after a fault there is nothing new.

    Raises `FileExistsError` where something stands there already, unless `replace`. A block that leaves by a fault, or
    is interrupted, leaves nothing behind.
    """
    _refuse(path, replace=replace)
    incoming = path.with_name(f".{path.name[:100]}-{secrets.token_hex(4)}")
    try:
        with incoming.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        _refuse(path, replace=replace)  # something may have come meanwhile
        incoming.replace(path)
    finally:
        incoming.unlink(missing_ok=True)


@contextmanager
def standard_output() -> Iterator[BinaryIO]:
    """The standard output in bytes. A reader that has seen enough, as `head` has, is no fault."""
    try:
        yield sys.stdout.buffer
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python complains when it ends


def _refuse(path: Path, *, replace: bool) -> None:
    if path.exists() and not replace:
        raise FileExistsError(errno.EEXIST, "there is such a file already", str(path))
