"""Keeping the columns of batches near what their tables hold: the worker's part."""

import contextlib
import logging
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

import numpy as np
from django.db.models import Count, Max

from annotation.kernel.clock import now
from annotation.kernel.judged.parts import (
    BrokenPartError,
    Part,
    check_part,
    parts_of,
    rows_of,
    stored_form,
    write_part,
)
from annotation.kernel.judged.reading import rows_covered
from annotation.kernel.judged.rows import ITEM, JUDGMENT, Rows, item_rows, judgment_rows, microseconds
from annotation.kernel.store import stored_files
from annotation.kernel.visible import CLOSING, STAGED
from annotation.models import Batch, Item, Job, Judgment, KeptColumns

logger = logging.getLogger(__name__)

LEAST = 2000  # judgments of a batch; with fewer, reading the table is as quick
BEHIND = 500  # judgments more, before a batch gets another part
SETTLED = 60_000_000  # microseconds after which no judgment with a lower key can still come
AGAIN = 180.0  # seconds after which what had just come is settled
HOUR = 3600.0
MOST_PARTS = 16  # of items

_looks: list[tuple[float, int]] = []  # when this process has looked, and the newest judgment it saw then


def sweep_columns() -> int:
    """Keep what has come in the meantime, while no job waits; returns how many batches were written.

    At first, and each hour again, all batches are looked at; then those with judgments since the look of some minutes
    ago: what had just come then is kept now.
    """
    began = time.monotonic()
    newest = Judgment.objects.aggregate(last=Max("pk"))["last"] or 0
    n_written = 0
    for batch in _with_news(_seen(began)):
        n_written += keep_columns(batch)
        if Job.objects.filter(state=Job.State.QUEUED).exists():
            return n_written
    _looks.append((began, newest))
    return n_written


def _seen(moment: float) -> int:
    """The newest judgment of a look long enough ago; 0 where all batches are to be looked at."""
    if _looks and moment - _looks[0][0] > HOUR:
        _looks.clear()
    return max((newest for began, newest in _looks if moment - began > AGAIN), default=0)


def keep_columns(batch: Batch, *, behind: int = BEHIND, least: int = LEAST) -> bool:
    """Write what the files of a batch lack, or all where they are not whole; False where that is little."""
    kept = KeptColumns.objects.filter(batch=batch).first() or KeptColumns(batch=batch)
    before = parts_of(kept.judgments), parts_of(kept.items)
    judgments = _judgments(batch, _whole(Judgment, batch, before[0]), behind, least)
    items = _items(batch, _whole(Item, batch, before[1]), behind) if judgments else []
    if (judgments, items) == before:
        return False
    kept.judgments, kept.items = stored_form(judgments), stored_form(items)
    kept.save()
    for sha in {part.sha256 for part in before[0]} - {part.sha256 for part in judgments}:
        with contextlib.suppress(OSError):  # a disk without locks: it stays until somebody tidies up
            stored_files().remove(sha, older_than=HOUR)
    return True


def _with_news(seen: int) -> Iterator[Batch]:
    """Batches with judgments since then, not those on their way in or out."""
    news = Judgment.objects.filter(pk__gt=seen).order_by().values_list("batch").annotate(n=Count("pk"))
    batches = Batch.objects.filter(pk__in=[batch for batch, _ in news]).exclude(state=Batch.State.IMPORTING)
    moving = batches.filter(collection__slug__startswith=STAGED) | batches.filter(collection__slug__startswith=CLOSING)
    return batches.exclude(pk__in=moving.values("pk")).order_by("pk").iterator()


def _whole(model: type[Judgment] | type[Item], batch: Batch, parts: list[Part]) -> list[Part]:
    """The parts; none where the table has other rows up to their last key, or a file is not as it was written."""
    if not parts or rows_covered(model, batch.pk, parts[-1].last) != sum(part.n for part in parts):
        return []
    return parts if all(_is_whole(model, part) for part in parts) else []


def _is_whole(model: type[Judgment] | type[Item], part: Part) -> bool:
    """Of the files as this machine reads them."""
    try:
        check_part(part, JUDGMENT if model is Judgment else ITEM)
    except BrokenPartError:
        return False
    return True


def _judgments(batch: Batch, parts: list[Part], behind: int, least: int) -> list[Part]:
    rows = Judgment.objects.filter(batch=batch, pk__gt=parts[-1].last if parts else 0)
    of_another = Judgment.objects.filter(batch=batch).exclude(criterion=batch.criterion)
    if rows.count() < (behind if parts else least) or of_another.exists():
        return parts
    return _with(parts, list(_settled(judgment_rows(rows.order_by("pk")))))


def _settled(portions: Iterable[Rows]) -> Iterator[Rows]:
    """Up to the first judgment that was saved a moment ago: one with a lower key may still be on its way."""
    until = microseconds(now()) - SETTLED
    for rows in portions:
        late = np.flatnonzero(rows["saved"] > until)
        yield rows[: late[0]] if len(late) else rows
        if len(late):
            return


def _with(parts: Sequence[Part], further: Sequence[Rows]) -> list[Part]:
    """The parts and a new one, which takes in those before it that are no larger than twice what has come: so there
    are few, and no row is written anew more often than the number of rows has digits."""
    kept, n = list(parts), sum(len(rows) for rows in further)
    joined: list[Part] = []
    while kept and kept[-1].n <= 2 * n:
        joined.insert(0, kept.pop())
        n += joined[0].n
    before = chain.from_iterable(rows_of(part, JUDGMENT) for part in joined)
    return [*kept, *write_part(chain(before, further))]


def _items(batch: Batch, parts: list[Part], behind: int) -> list[Part]:
    """Most come with the layout, few later."""
    further = Item.objects.filter(batch=batch, pk__gt=parts[-1].last if parts else 0).order_by("pk")
    if parts and further.count() < behind:
        return parts
    if len(parts) == MOST_PARTS:
        return _items(batch, [], behind)
    rows, docnos = item_rows(further)
    return [*parts, *write_part([rows], docnos)]
