"""Memory that a long-lived process has freed, handed back to the system.

What a page or a result of a large batch takes for a moment lies between what stays, and glibc gives
back no more than the end of its heap: without this a process is as large for good as what it did at
its largest.
"""

import ctypes
import gc
import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

Answering = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]

STEP = 16 << 20  # bytes; to give back costs some milliseconds, up to a hundred in a large process
SMALL_STEP = 4 << 20  # where nobody waits

_last: list[int] = []  # the least that this process held since it gave back


def giving_back(application: Answering, let_go: Callable[[], bool]) -> Answering:
    """A WSGI application that gives memory back after each answer; `let_go` says whether it let anything large go."""

    def answer(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        answered = application(environ, start_response)
        give_back(at_once=let_go())
        return answered

    return answer


def give_back(*, at_once: bool = False, step: int = STEP) -> None:
    """Where this process has grown by `step` bytes, or `at_once`. Does nothing elsewhere than on Linux with glibc."""
    size = resident()
    if at_once or not _last or size >= _last[-1] + step:
        gc.collect()
        with suppress(AttributeError, OSError):  # another C library
            ctypes.CDLL(None).malloc_trim(0)
        _last[:] = [resident()]
    else:
        _last[:] = [min(size, _last[-1])]


def resident() -> int:
    """Bytes of this process in memory, those it shares among them; 0 where the system does not tell."""
    with suppress(OSError):
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0
