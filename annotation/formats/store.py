"""Content-addressed files: a file is named by the SHA-256 of its bytes, `root/ab/abcdef…`.

Written before the commit that names it: to a temporary file on the same file system, synced, then renamed, so that
under its name there is either the whole file or none. Writing the same bytes again changes nothing.
"""

import contextlib
import hashlib
import io
import os
import re
import tempfile
import time
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
    path = path_of(root, settled.name)
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(settled, path)
    except FileExistsError:
        return
    except OSError:  # another disk, or one that knows no links
        with settled.open("rb") as stream:
            put(root, stream)
    _sync_folder(path.parent)
    _sync_folder(root)


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
    path.parent.mkdir(exist_ok=True)
    if not path.exists():
        incoming.chmod(0o640)
        incoming.replace(path)
        _sync_folder(path.parent)
        _sync_folder(path.parent.parent)


def _sync_folder(folder: Path) -> None:
    """A rename lasts through a power cut only once its folder is synced; file systems that cannot are left alone."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):
            os.fsync(descriptor)
    finally:
        os.close(descriptor)
