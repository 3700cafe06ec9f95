"""Content-addressed files: a file is named by the SHA-256 of its bytes, `root/ab/abcdef…`.

Written before the commit that names it: to a temporary file on the same file system, synced, then
renamed, so that under its name there is either the whole file or none. Writing the same bytes again
makes the file young: whoever clears away what no row names leaves alone what was written lately,
and whose row is about to come.
"""

import contextlib
import fcntl
import hashlib
import io
import os
import re
import secrets
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import BinaryIO

CHUNK = 1 << 20
INCOMING = ".incoming-"  # prefix of files that a crash has left behind, and of no others
_HEX = re.compile(r"[0-9a-f]{64}\Z", re.ASCII)


class Incoming(io.FileIO):
    """A file on its way into the store: written piece by piece, read if need be, then settled under its hash.

    Closed before that, it leaves nothing behind.
    """

    def __init__(self, root: Path) -> None:
        root.mkdir(parents=True, exist_ok=True)
        descriptor, path = tempfile.mkstemp(prefix=INCOMING, dir=root)
        self._path: Path | None = Path(path)
        self._root, self._digest = root, hashlib.sha256()
        super().__init__(descriptor, "r+b")

    def take(self, piece: bytes) -> None:
        """Add to the end. A large piece is hashed beside being written: neither holds the interpreter."""
        if len(piece) < CHUNK:
            self._digest.update(piece)
            self._append(piece)
            return
        hashing = Thread(target=self._digest.update, args=(piece,))
        hashing.start()
        try:
            self._append(piece)
        finally:
            hashing.join()

    def _append(self, piece: bytes) -> None:
        left = memoryview(piece)
        while left:
            left = left[self.write(left) :]

    @property
    def sha256(self) -> str:
        """Of what has come so far."""
        return self._digest.hexdigest()

    def settle(self) -> str:
        """Put the whole file under its SHA-256, and return that; what is open stays readable."""
        if self._path is None:
            raise ValueError("this file is settled already, or was let go")
        os.fsync(self.fileno())
        sha = self.sha256
        _settle(self._path, path_of(self._root, sha))
        self._path.unlink(missing_ok=True)
        self._path = None
        return sha

    def close(self) -> None:
        super().close()
        if self._path is not None:
            self._path.unlink(missing_ok=True)
            self._path = None


def put(root: Path, data: bytes | BinaryIO) -> str:
    """Store `data` (a stream is read to its end, an `Incoming` settled as it is) and return its SHA-256 in hex."""
    if isinstance(data, Incoming):
        return data.settle()
    stream = io.BytesIO(data) if isinstance(data, bytes) else data
    with Incoming(root) as incoming:
        while chunk := stream.read(CHUNK):
            incoming.take(chunk)
        return incoming.settle()


def adopt(root: Path, settled: Path) -> None:
    """Store a file that lies settled under another root, of the same disk without a second copy of its bytes."""
    root.mkdir(parents=True, exist_ok=True)
    beside = root / f"{INCOMING}{secrets.token_hex(8)}"
    try:
        os.link(settled, beside)
    except OSError:  # another disk, or one that knows no links
        with settled.open("rb") as stream:
            put(root, stream)
    else:
        _settle(beside, path_of(root, settled.name))
        beside.unlink(missing_ok=True)  # two names of one file: renaming one to the other leaves both


def remove(root: Path, sha: str, *, older_than: float) -> bool:
    """Take a file away that nobody has stored for `older_than` seconds. False where somebody has, or it is gone.

    Nor one that has a second name, by which whoever adopted it still reads it. Raises `OSError` where the disk knows no
    locks.
    """
    path = path_of(root, sha)
    with _folder_locked(root, fcntl.LOCK_EX):
        try:
            state = path.stat()
            if state.st_mtime > time.time() - older_than or state.st_nlink > 1:
                return False
            path.unlink()
        except FileNotFoundError:
            return False
    return True


def sweep_incoming(root: Path, *, older_than: float) -> int:
    """Delete what crashes have left on the way, untouched for `older_than` seconds; returns how many files."""
    oldest, n_swept = time.time() - older_than, 0
    for left in root.glob(f"{INCOMING}*"):
        with contextlib.suppress(FileNotFoundError):
            if left.stat().st_mtime < oldest:
                left.unlink()
                n_swept += 1
    return n_swept


def path_of(root: Path, sha: str) -> Path:
    """Where the file named `sha` lies. Raises `ValueError` unless `sha` is 64 lower-case hex digits: no path is built
    from anything else."""
    if not _HEX.match(sha):
        raise ValueError("a stored file is named by 64 lower-case hex digits")
    return root / sha[:2] / sha


def verify(root: Path, sha: str) -> bool:
    """True iff the file is there and its bytes still have the hash it is named by."""
    try:
        with path_of(root, sha).open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest() == sha
    except FileNotFoundError:
        return False


def _settle(incoming: Path, path: Path) -> None:
    """Also over a file of the same bytes, which may be old."""
    root = path.parent.parent
    path.parent.mkdir(exist_ok=True)
    incoming.chmod(0o640)
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):  # no locks: nobody takes files away either
            stack.enter_context(_folder_locked(root, fcntl.LOCK_SH))
        incoming.replace(path)
    _sync_folder(path.parent)
    _sync_folder(root)


@contextlib.contextmanager
def _folder_locked(root: Path, how: int) -> Iterator[None]:
    """Together with others who put files under their names, or alone, to take one away."""
    descriptor = os.open(root, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, how)
        yield
    finally:
        os.close(descriptor)


def _sync_folder(folder: Path) -> None:
    """A rename lasts through a power cut only once its folder is synced; file systems that cannot are left alone."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):
            os.fsync(descriptor)
    finally:
        os.close(descriptor)
