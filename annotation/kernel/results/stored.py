"""Rows and files of kept results: finding one, reading it, keeping a new one, asking for a newer one."""

import hashlib
import json
import logging
from collections import OrderedDict
from datetime import datetime, timedelta
from threading import Lock
from time import monotonic
from typing import Any, NamedTuple

from django.db.models import Q

from annotation.kernel.clock import now
from annotation.kernel.results.form import ResultFormError, from_bytes, to_bytes
from annotation.kernel.results.recipes import BatchChoice, Parameters, Recipe, Result
from annotation.kernel.store import path_of, put, stored_files
from annotation.models import KeptResult

logger = logging.getLogger(__name__)

SEEN = timedelta(minutes=15)  # between two notes that a result was seen
HELD = 20.0  # seconds after it was last read, for which a process holds a result
IN_USE = 20.0  # seconds for which the file of a result stays after it was stored: whoever knows of it opens it
MOST_BYTES = 32_000_000  # of files whose results this process holds; the last one is held whatever its size

_held: "OrderedDict[str, Held]" = OrderedDict()  # by the row's key: of each result the newest that was read
_lock = Lock()


class Held(NamedTuple):
    sha256: str
    size: int  # bytes of the file
    result: Any
    read_at: float  # by `monotonic`, the last time


def key_of(kind: str, choice: BatchChoice, parameters: Parameters) -> str:
    return digest([kind, choice.collection.pk, choice.keys, choice.criterion, parameters])


def digest(value: object) -> str:
    """Of anything that JSON or `str` can write."""
    return hashlib.sha256(json.dumps(value, sort_keys=True, default=str).encode()).hexdigest()


def row_of(kind: str, choice: BatchChoice, parameters: Parameters) -> KeptResult | None:
    return KeptResult.objects.filter(key=key_of(kind, choice, parameters)).first()


def read_result(row: KeptResult) -> Any:
    """None where nothing is made yet, or its file is not as it was written. What was read last is held."""
    sha = row.made.get("sha256")
    if not sha:
        return None
    with _lock:
        newest = _held.pop(row.key, None)
        if newest is None or newest.sha256 != sha:
            newest = None  # goes before the file is read: both at once need not have room
            while _held and sum(each.size for each in _held.values()) + row.made["size"] > MOST_BYTES:
                _held.popitem(last=False)
            newest = Held(sha, row.made["size"], _read(sha), 0.0)
            if newest.result is None:
                return None
        _held[row.key] = newest._replace(read_at=monotonic())
        return newest.result


def let_go() -> None:
    """Hold nothing."""
    with _lock:
        _held.clear()


def let_go_unread() -> bool:
    """Hold no more what has not been read for a while: a result takes four times the memory that its file has bytes, so
    a process that is asked for other pages need not keep room for it. Whether anything went."""
    with _lock:
        unread = [key for key, each in _held.items() if monotonic() - each.read_at > HELD]
        for key in unread:
            del _held[key]
    return bool(unread)


def keep_result(
    recipe: Recipe[Result],
    choice: BatchChoice,
    parameters: Parameters,
    result: Result,
    *,
    mark: str,
    as_of: datetime,
    began: datetime,
) -> None:
    """Keep what was made of the state of `mark`, which was read at `as_of`; in place of what was kept before."""
    recipe.settle(result)
    data = to_bytes(result, recipe.lets_go)
    moment = now()
    facts = {
        "sha256": put(data),
        "mark": mark,
        "seconds": (moment - began).total_seconds(),
        "size": len(data),
    }
    row = expect(recipe.kind, choice, parameters)
    KeptResult.objects.filter(pk=row.pk).update(made=facts, as_of=as_of, asked_at=None, begun_at=None)
    if row.made and row.made["sha256"] != facts["sha256"]:
        _remove(row.made["sha256"])


def expect(kind: str, choice: BatchChoice, parameters: Parameters) -> KeptResult:
    """The row of a result that is still to be made; a new one asks for it."""
    of_choice = {"collection": choice.collection, "batches": choice.keys, "criterion": choice.criterion}
    named = {"kind": kind, "parameters": parameters, "seen_at": now(), "asked_at": now()}
    return KeptResult.objects.get_or_create(key=key_of(kind, choice, parameters), defaults={**of_choice, **named})[0]


def ask(row: KeptResult) -> None:
    """For a newer one."""
    KeptResult.objects.filter(pk=row.pk, asked_at=None).update(asked_at=now())


def note_seen(row: KeptResult) -> None:
    if (moment := now()) - row.seen_at > SEEN:
        KeptResult.objects.filter(pk=row.pk).update(seen_at=moment)


def begin(row: KeptResult, *, again_after: timedelta) -> bool:
    """Whether it is for this worker to make it; another may have begun, and not so long ago that it must be lost."""
    moment = now()
    is_free = Q(begun_at=None) | Q(begun_at__lt=moment - again_after)
    return KeptResult.objects.filter(is_free, pk=row.pk).update(begun_at=moment) == 1


def give_up(kind: str, choice: BatchChoice, parameters: Parameters) -> None:
    """The worker could not make or keep it: whoever asks does it, rather than wait. What is kept stays."""
    unmade = KeptResult.objects.filter(key=key_of(kind, choice, parameters), as_of=None)
    unmade.update(asked_at=None, begun_at=None)


def forget(row: KeptResult) -> None:
    row.delete()
    if row.made:
        _remove(row.made["sha256"])


def _remove(sha: str) -> None:
    try:
        stored_files().remove(sha, older_than=IN_USE)
    except OSError:  # a disk without locks: it stays until somebody tidies up
        logger.info("the file of an older result stays: %s", sha)


def _read(sha: str) -> Any:
    try:
        data = path_of(sha).read_bytes()
        if hashlib.sha256(data).hexdigest() != sha:
            raise ResultFormError("its bytes are not those that were written")
        return from_bytes(data)
    except (OSError, ValueError, ResultFormError) as fault:
        logger.warning("a kept result is broken and made anew: %s: %s", sha, fault)
        return None
