"""Counters of all processes of a machine, for `/metrics`: each process adds in a file that it maps into its memory.

A process takes the first file that no living one holds and goes on with its numbers, so that a sum
over all files never falls when a process ends, however it ends, and there are no more files than
there were processes at once. To add costs a microsecond and no system call. Nothing is counted
unless TOUCHSTONE_MONITOR_TOKEN is set, nor while a file cannot be made: no request and no job fails
for that.
"""

import fcntl
import json
import logging
import mmap
import os
import struct
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from threading import Lock

from django.conf import settings

logger = logging.getLogger(__name__)

PAUSE = 60.0  # seconds until a file that could not be made is tried again
ROOM = 1 << 18  # bytes of a file: some two thousand counters
HEAD, LENGTH, NUMBER = struct.Struct("<Q"), struct.Struct("<Q"), struct.Struct("<d")

BROKEN = (ValueError, TypeError, struct.error)  # what a file that is not ours, or was cut off, raises

Key = tuple[str, tuple[tuple[str, str], ...]]  # a name and its tags


def add(name: str, amount: float = 1.0, **tags: str) -> None:
    """Add to a counter of this process."""
    if settings.TOUCHSTONE_MONITOR_TOKEN and (file := _file()):
        file.add((name, tuple(sorted(tags.items()))), amount)


def observe(name: str, seconds: float, *, bounds: tuple[float, ...], **tags: str) -> None:
    """Add to a histogram: the counters `_bucket` by upper bound (`le`), `_sum` and `_count`, as Prometheus has them."""
    for bound in (*bounds, float("inf")):
        within = float(seconds <= bound)
        add(f"{name}_bucket", within, le="+Inf" if bound == float("inf") else f"{bound:g}", **tags)
    add(f"{name}_sum", seconds, **tags)
    add(f"{name}_count", 1.0, **tags)


def totals() -> dict[Key, float]:
    """The sums over all processes that this machine has or had."""
    sums: defaultdict[Key, float] = defaultdict(float)
    for path in _paths():
        with suppress(OSError, *BROKEN):
            data = path.read_bytes()
            for key, at in list(_entries(data)):
                sums[key] += NUMBER.unpack_from(data, at)[0]
    return dict(sums)


class CounterFile:
    """The file of this process: an entry is a length, a key as JSON filled up to 8 bytes, and a number."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.owner, self._lock = os.getpid(), Lock()
        descriptors = (_locked_descriptor(folder / f"{n}.counters") for n in count())
        self._descriptor = next(descriptor for descriptor in descriptors if descriptor is not None)
        try:
            _take_room(self._descriptor)
            self._data = mmap.mmap(self._descriptor, ROOM)
        except OSError:
            os.close(self._descriptor)
            raise
        try:
            self._offsets = dict(_entries(self._data))
        except BROKEN:
            HEAD.pack_into(self._data, 0, 0)
            self._offsets = {}

    def add(self, key: Key, amount: float) -> None:
        with self._lock:
            at = self._offsets.get(key) or self._new(key)
            if at:
                NUMBER.pack_into(self._data, at, NUMBER.unpack_from(self._data, at)[0] + amount)

    def _new(self, key: Key) -> int:
        """The place of a number that begins at 0; 0 where there is no room. The end moves last: a reader sees all or
        nothing of an entry."""
        text = json.dumps([key[0], key[1]]).encode()
        begin: int = max(HEAD.size, HEAD.unpack_from(self._data)[0])
        at = begin + LENGTH.size + -(-len(text) // 8) * 8
        if at + NUMBER.size > ROOM:
            return 0
        LENGTH.pack_into(self._data, begin, len(text))
        self._data[begin + LENGTH.size : begin + LENGTH.size + len(text)] = text
        NUMBER.pack_into(self._data, at, 0.0)
        HEAD.pack_into(self._data, 0, at + NUMBER.size)
        self._offsets[key] = at
        return at


_mine: CounterFile | None = None
_failed_at: float | None = None  # by the monotonic clock; what went wrong then is said once
_taking = Lock()


def _file() -> CounterFile | None:
    """That of this process: a child begins one of its own. None where it cannot be made, for a while."""
    global _mine, _failed_at  # noqa: PLW0603 -- one a process
    with _taking:
        if _mine is not None and _mine.owner == os.getpid():
            return _mine
        _mine = None
        if _failed_at is None or time.monotonic() - _failed_at >= PAUSE:
            try:
                _mine, _failed_at = CounterFile(_folder()), None
            except OSError as fault:
                if _failed_at is None:
                    logger.error("nothing is counted for /metrics: %s", fault)
                _failed_at = time.monotonic()
        return _mine


def _folder() -> Path:
    return Path(settings.TOUCHSTONE_VAR) / "metrics"


def _paths() -> list[Path]:
    with suppress(OSError):
        return sorted(_folder().glob("*.counters"))
    return []


def _take_room(descriptor: int) -> None:
    """All of it, on the disk: where a hole of a mapped file finds no room when it is written, a signal (SIGBUS) ends
    the process."""
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(descriptor, 0, ROOM)
    os.ftruncate(descriptor, ROOM)


def _locked_descriptor(path: Path) -> int | None:
    """A descriptor that holds the file until the process ends; None where another process does."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as fault:
        os.close(descriptor)
        if isinstance(fault, BlockingIOError):
            return None
        raise
    return descriptor


def _entries(data: "bytes | mmap.mmap") -> Iterator[tuple[Key, int]]:
    """Each key, and where its number stands. Raises what is in `BROKEN`."""
    if len(data) < HEAD.size:
        return
    at, end = HEAD.size, HEAD.unpack_from(data)[0]
    while at < end:
        (length,) = LENGTH.unpack_from(data, at)
        begin = at + LENGTH.size
        name, tags = json.loads(data[begin : begin + length])
        number = begin + -(-length // 8) * 8
        yield (name, tuple((each, value) for each, value in tags)), number
        at = number + NUMBER.size
