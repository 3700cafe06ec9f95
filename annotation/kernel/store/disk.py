"""Files in a folder of this machine, or of a share that all machines write to."""

import contextlib
import os
import re
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Self, cast

from annotation.formats import store

_NAME = re.compile(r"[0-9a-f]{64}", re.ASCII)


def is_name(folder: str, name: str) -> bool:
    """Whether a stored file may be called so in such a folder."""
    return _NAME.fullmatch(name) is not None and folder == name[:2]


class StoreError(OSError):
    """`strerror` has the message, too: whoever names the file that was to be written quotes that."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.strerror = message

    def __str__(self) -> str:
        return str(self.strerror)


class DamagedError(StoreError, ValueError):
    """A stored file has not the bytes that it is named by. Nothing is worked out from it."""

    def __init__(self, sha: str) -> None:
        super().__init__(f"the stored file {sha} is damaged: its bytes are not those it is named by")


class MissingError(StoreError, FileNotFoundError):
    """A row names a stored file that is nowhere."""

    def __init__(self, sha: str) -> None:
        super().__init__(f"the stored file {sha} is missing")


@dataclass(frozen=True)
class Facts:
    """Of a stored file: bytes, and when it was last stored, in seconds since 1970."""

    size: int
    stored_at: float


@dataclass(frozen=True)
class DiskStore:
    """`root` is also where this machine keeps what is written piece by piece."""

    root: Path

    def put(self, data: bytes | BinaryIO) -> str:
        """Keep `data` (a stream is read to its end, an `Incoming` settled as it is); returns its SHA-256 in hex.

        Keeping the same bytes again makes the file young, for `remove`.
        """
        return store.put(self.root, data)

    def adopt(self, settled: Path) -> None:
        """Keep a file that lies under its hash in another folder."""
        store.adopt(self.root, settled)

    def path_of(self, sha: str) -> Path:
        """The file on this machine. Where there is none, opening it raises `FileNotFoundError`, as this call may."""
        return store.path_of(self.root, sha)

    def replace_damaged(self, sha: str) -> None:
        """Nothing here is better. Raises `DamagedError`; `FileNotFoundError` where the file has gone meanwhile."""
        self.facts_of(sha)
        raise DamagedError(sha)

    def facts_of(self, sha: str) -> Facts:
        """Raises `FileNotFoundError`."""
        state = store.path_of(self.root, sha).stat()
        return Facts(state.st_size, state.st_mtime)

    def exists(self, sha: str) -> bool:
        return store.path_of(self.root, sha).exists()

    def verify(self, sha: str) -> bool:
        """Whether the file is there and has the bytes that it is named by; all of it is read."""
        return store.verify(self.root, sha)

    def all_facts(self) -> dict[str, Facts]:
        """Of all files that are there, whole or not, by SHA-256 and in its order."""
        facts = {}
        for path in sorted(self.root.glob("??/*")):
            if is_name(path.parent.name, path.name):
                with contextlib.suppress(FileNotFoundError):  # somebody else removes, too
                    facts[path.name] = self.facts_of(path.name)
        return facts

    def remove(self, sha: str, *, older_than: float) -> bool:
        """Take a file away unless somebody has stored it in the last so many seconds; False then, and where it is gone.

        Whoever stores it meanwhile has it. Raises `OSError` where the disk knows no locks.
        """
        return store.remove(self.root, sha, older_than=older_than)

    def discard(self, sha: str) -> None:
        """Take a file away at once: one that no row names."""
        store.path_of(self.root, sha).unlink(missing_ok=True)

    def renew(self, sha: str) -> None:
        """Stored now, by the clock of this machine."""
        now = time.time()
        os.utime(store.path_of(self.root, sha), (now, now))

    def incoming(self) -> store.Incoming:
        """A file to be written piece by piece, for `put`; closed before that, it leaves nothing."""
        return store.Incoming(self.root)

    def left_incoming(self, *, older_than: float) -> list[Path]:
        """What writing that was cut short has left here, untouched for so many seconds."""
        oldest, left = time.time() - older_than, []
        for path in sorted(self.root.glob(f"{store.INCOMING}*")):
            with contextlib.suppress(FileNotFoundError):
                if path.stat().st_mtime < oldest:
                    left.append(path)
        return left

    def sweep_incoming(self, *, older_than: float) -> int:
        """Delete what crashes have left on this machine on the way; returns how many files."""
        return store.sweep_incoming(self.root, older_than=older_than)

    @contextmanager
    def nameless_file(self) -> Iterator[BinaryIO]:
        """A file without a name, on the disk where stored files come in, that is gone with the block."""
        self.root.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=self.root) as file:
            yield cast("BinaryIO", file)

    def within(self, folder: str) -> Self:
        """The store in a folder of this one."""
        return type(self)(self.root / folder)
