"""What was worked out last from the judgments of large batches, in this process, under the mark of what it rests on.

A mark takes a dozen counts, so that it pays only where the columns of a batch are kept; of others
everything is worked out each time. It changes with every row that the inputs of a policy are made
from, and with every step of the record.
"""

import json
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime
from threading import RLock
from typing import TypeVar, cast

from django.db.models import Count, Max, Model, QuerySet

from annotation.kernel.clock import now
from annotation.kernel.judgment_counts import all_judgments
from annotation.kernel.visible import visible_batches
from annotation.models import (
    Adjudication,
    Annotator,
    AuditEvent,
    Batch,
    Collection,
    ExclusionEvent,
    Feedback,
    GoldEvent,
    KeptColumns,
    Participation,
    PauseEvent,
    Policy,
    Slot,
)

Result = TypeVar("Result")
Mark = tuple[object, ...]
Moment = tuple[datetime, Mark]  # all that was there then is in what has this mark

MOST_CHOICES = 2  # choices of batches whose results are kept; each holds their judgments
MOST_RESULTS = 6  # of each

_memory: OrderedDict[Hashable, tuple[Mark, OrderedDict[Hashable, object]]] = OrderedDict()
_lock = RLock()  # one result at a time: several at once would need the memory several times
_first: ContextVar[dict[Hashable, Moment] | None] = ContextVar("first", default=None)


def remembered(
    collection: Collection,
    batches: Sequence[Batch],
    criterion: str,
    what: Hashable,
    compute: Callable[[], Result],
) -> Result:
    """The result that `what` names, of these batches; computed where there is none, or the mark is another."""
    if not KeptColumns.objects.filter(batch__in=batches).exists():
        return compute()
    with _lock:
        key = _key(collection, batches, criterion)
        _, mark = moment_of(collection, batches, criterion)
        last, results = _memory.pop(key, (mark, OrderedDict()))
        if last != mark:
            results.clear()
        _memory[key] = (mark, results)
        while len(_memory) > MOST_CHOICES:
            _memory.popitem(last=False)
        if what not in results:
            results[what] = compute()
        results.move_to_end(what)
        while len(results) > MOST_RESULTS:
            results.popitem(last=False)
        return cast("Result", results[what])


def one_at_a_time() -> RLock:
    """To be held by whoever works a result out of its own."""
    return _lock


def clear_memory() -> None:
    with _lock:
        _memory.clear()


def drop_from_memory(collection: Collection, batches: Sequence[Batch], criterion: str, what: Hashable) -> None:
    """All of these batches where `what` is among it; without waiting for whoever works something out."""
    key = _key(collection, batches, criterion)
    if what in _memory.get(key, ((), ()))[1]:
        _memory.pop(key, None)


@contextmanager
def as_at_first() -> Iterator[None]:
    """Inside, each choice of batches stands as it did when it was looked at first: several results rest on one reading
    of the judgments, though people go on judging. Each has the mark and the time of that reading, so it is older."""
    token = _first.set({})
    try:
        yield
    finally:
        _first.reset(token)


def moment_of(collection: Collection, batches: Sequence[Batch], criterion: str) -> Moment:
    """Of now, or of the first look."""
    first, key = _first.get(), _key(collection, batches, criterion)
    if first is not None and key in first:
        return first[key]
    moment = now(), mark_of(collection, batches, criterion)
    if first is not None:
        first[key] = moment
    return moment


def _key(collection: Collection, batches: Sequence[Batch], criterion: str) -> Hashable:
    return collection.pk, tuple(sorted(batch.pk for batch in batches)), criterion


def mark_of(collection: Collection, batches: Sequence[Batch], criterion: str) -> Mark:
    """A dozen looks into indexes. What is laid out and planted stands as long as the batch has its state."""
    mine = {"collection": collection}
    chosen = [batch.pk for batch in batches]
    visible = visible_batches(collection).filter(criterion=criterion)
    settings = ("pk", "state", "scale", "judgments_per_item", "most_judgments", "n_items")
    people = Annotator.objects.filter(**mine).order_by("pk")
    return (
        tuple(visible.order_by("pk").values_list(*settings, all_judgments())),
        tuple(people.values_list("pk", "pseudonym", "kind", "gets_cards", "simulated", "user")),
        GoldEvent.objects.filter(**mine).order_by("-pk").values_list("pk", flat=True).first(),
        *(_last(model._default_manager.filter(**mine)) for model in _EVENTS),  # noqa: SLF001 -- public in Django
        _last(Feedback.objects.filter(batch__collection=collection)),
        _last(Participation.objects.filter(batch__in=chosen)),
        _last(Slot.objects.filter(batch__in=[each.pk for each in batches if each.most_judgments is not None])),
        json.dumps([collection.watch, collection.pausing, collection.alerts]),
    )


_EVENTS: tuple[type[Model], ...] = (
    AuditEvent,  # of each step that sets gold, too: so thousands of gold pairs need not be counted
    ExclusionEvent,
    PauseEvent,
    Adjudication,
    Policy,
)


def _last(rows: "QuerySet[Model]") -> tuple[int, int | None]:
    figures = rows.aggregate(n=Count("*"), last=Max("pk"))
    return figures["n"], figures["last"]
