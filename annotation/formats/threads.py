"""Work in threads ahead of who consumes it: numpy lets go of the interpreter while it computes."""

import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from itertools import chain, islice
from typing import TypeVar

import numpy as np

Item = TypeVar("Item")
Result = TypeVar("Result")

THREADS = 2
KEPT = 16 << 20  # bytes
_thread = threading.local()


def worked_ahead(work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[tuple[Item, Result]]:
    """`(item, work(item))` in the order of the items; a few of them are worked on before they are asked for.

    `work` shares nothing between items. What it raises is raised here, in its turn. A single item is worked on without
    a thread; so is everything where `work` comes here again: its thread may not wait for others of the few there are.
    """
    rest = iter(items)
    first = list(islice(rest, 2))
    if len(first) < 2 or getattr(_thread, "is_ours", False):
        yield from ((item, work(item)) for item in chain(first, rest))
        return
    waiting: deque[tuple[Item, Future[Result]]] = deque()
    try:
        for item in chain(first, rest):
            waiting.append((item, _threads().submit(work, item)))
            if len(waiting) > 2 * THREADS:
                done, result = waiting.popleft()
                yield done, result.result()
        while waiting:
            done, result = waiting.popleft()
            yield done, result.result()
    finally:
        for _, result in waiting:
            result.cancel()


def keep_freed_memory() -> None:
    """Blocks come and go. After a large allocation has been freed, the C library keeps what is freed later for the next
    block instead of giving it back to the system: a fourth of the time goes into taking it back.
    """
    np.empty(KEPT, np.uint8)


@cache
def _threads() -> ThreadPoolExecutor:
    """Kept for the life of the process: starting threads for every small file would cost more than it saves."""
    keep_freed_memory()
    return ThreadPoolExecutor(THREADS, initializer=_mark)


def _mark() -> None:
    _thread.is_ours = True


os.register_at_fork(after_in_child=_threads.cache_clear)  # a child has the pool, but none of its threads
