"""Power cuts, simulated: what processes write is recorded beside their fsyncs, and files are made as a cut leaves them.

A library of C put before the processes (record.c, LD_PRELOAD) notes each write, fsync, resizing, renaming and removal
in one record. A cut at any place of it is made afterwards, as many as one likes from one run, as CrashMonkey (Mohan et
al., OSDI 2018) makes crash states: of each file there is what was written before its last fsync; of what was written
since, each sector of 512 bytes is there or not as a coin falls, so that pages are torn and later writes may be there
without earlier ones. Sectors themselves are whole. Files of /proc and memory shared by mmap are nobody's to keep.

Not simulated: a disk that lies about fsync; the loss of names (a file that was created, renamed or removed stays so, as
a journal of the file system keeps their order); what is written through C's stdio (PostgreSQL's statistics and
caches, which it makes anew). Linux, 64 bits, a C compiler.
"""

import os
import random
import shutil
import struct
import subprocess
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Self

SOURCE = Path(__file__).with_name("record.c")
COMPILER = shutil.which("cc") or shutil.which("gcc")
HEAD = struct.Struct("=cHQQ")  # kind, length of the path, offset, length of the data
SECTOR = 512  # bytes


class Recording:
    """What is written by the processes that are given `environment`, in a folder of its own until the block ends."""

    def __enter__(self) -> Self:
        assert COMPILER, "what is written is recorded by a library in C, and there is no compiler: install gcc"
        self._folder = Path(tempfile.mkdtemp(prefix="touchstone-record-"))
        self._folder.chmod(0o755)  # PostgreSQL may be somebody else
        self.file, self._library = self._folder / "record", self._folder / "record.so"
        command = [COMPILER, "-O2", "-fPIC", "-shared", "-o", str(self._library), str(SOURCE)]
        subprocess.run(command, check=True)
        self.file.touch()
        self.file.chmod(0o666)
        return self

    def __exit__(self, *_error: object) -> None:
        shutil.rmtree(self._folder)

    def environment(self, of: Path) -> dict[str, str]:
        """Files are recorded whose paths begin so."""
        return {
            "LD_PRELOAD": str(self._library),
            "RECORD_OF": str(of.resolve()),
            "RECORD_IN": str(self.file),
        }

    @property
    def position(self) -> int:
        """The place in the record that has been reached, bytes."""
        return self.file.stat().st_size


@dataclass
class File:
    """Its content after the last fsync, and what was done to it since: data at an offset; None: it was made so long."""

    content: bytearray = field(default_factory=bytearray)
    unsynced: list[tuple[int, bytes | None]] = field(default_factory=list)

    def sync(self) -> None:
        for offset, data in self.unsynced:
            _put(self.content, offset, data)
        self.unsynced = []

    def after_cut(self, rng: random.Random, share: float) -> bytearray:
        """Each sector of what is unsynced is kept with the probability `share`."""
        content = bytearray(self.content)
        for offset, data in self.unsynced:
            for at, sector in _sectors(offset, data):
                if rng.random() < share:
                    _put(content, at, sector)
        return content


class Disk:
    """Files as they were when the recording began, carried along the record."""

    def __init__(self, paths: Iterable[Path], recording: Recording) -> None:
        self.files = {str(path.resolve()): File(bytearray(path.read_bytes())) for path in paths if path.is_file()}
        self._record = recording.file.open("rb")

    def go_to(self, position: int) -> None:
        """Do what is recorded before that place, the record that it falls into left out."""
        while len(head := self._record.read(HEAD.size)) == HEAD.size:
            kind, n_path, offset, n_data = HEAD.unpack(head)
            end = self._record.tell() + n_path + n_data
            if end > position:
                self._record.seek(-HEAD.size, os.SEEK_CUR)
                return
            path = os.fsdecode(self._record.read(n_path))
            self._do(kind, path, offset, self._record.read(n_data))

    def _do(self, kind: bytes, path: str, offset: int, data: bytes) -> None:
        if kind == b"u":
            self.files.pop(path, None)
        elif kind == b"r":
            if path in self.files:  # else it was written through stdio
                self.files[os.fsdecode(data)] = self.files.pop(path)
        elif kind == b"s":
            if path in self.files:  # else it is a folder
                self.files[path].sync()
        else:
            file = self.files.setdefault(path, File())
            if kind == b"w":
                file.unsynced.append((offset, data))
            elif kind in {b"t", b"e"}:
                file.unsynced.append((offset, None))

    def after_cut(self, rng: random.Random, share: float) -> dict[str, bytearray]:
        """Path → content as a cut leaves it here."""
        return {path: file.after_cut(rng, share) for path, file in self.files.items()}

    def whole(self) -> dict[str, bytearray]:
        """Path → content as processes see it here."""
        return self.after_cut(random.Random(0), 1)

    @property
    def n_unsynced(self) -> int:
        """Bytes that a cut may take here."""
        return sum(len(data or b"") for file in self.files.values() for _, data in file.unsynced)


def _put(content: bytearray, offset: int, data: bytes | None) -> None:
    content.extend(bytes(max(0, offset - len(content))))
    if data is None:
        del content[offset:]
    else:
        content[offset : offset + len(data)] = data


def _sectors(offset: int, data: bytes | None) -> list[tuple[int, bytes | None]]:
    if data is None:
        return [(offset, None)]
    edges = [offset, *range(offset - offset % SECTOR + SECTOR, offset + len(data), SECTOR), offset + len(data)]
    return [(at, data[at - offset : end - offset]) for at, end in pairwise(edges)]
