"""The worker's part in results of large batches: making those that pages have asked for, and those they begin with."""

import logging
from collections.abc import Iterator, Sequence
from datetime import timedelta
from functools import cache, partial
from time import monotonic
from typing import Any

from django.conf import settings
from django.db.models import Q, QuerySet
from django.utils.module_loading import import_string

from annotation.kernel.clock import now
from annotation.kernel.jobs import do_apart
from annotation.kernel.results.recipes import BatchChoice, Recipe
from annotation.kernel.results.stored import begin, expect, forget, give_up, let_go, row_of
from annotation.models import Batch, Collection, Job, KeptColumns, KeptResult
from annotation.trust.read.kept import as_at_first, clear_memory
from annotation.trust.read.results import LOST, is_large, make_result, state_of

logger = logging.getLogger(__name__)

TIMES = 3  # so many times as long as it took, a result is left alone
FRESH = timedelta(minutes=5)  # after which the worker looks itself whether there is anything new
LOOK = 60.0  # seconds between two such looks, and between two looks for what pages begin with
UNSEEN = timedelta(days=3)  # after which a result is forgotten
SEEN_LATELY = timedelta(days=1)  # what nobody has seen since is made when somebody asks

_looked: list[float] = []  # when this process looked last for what has changed


def sweep_results_apart() -> None:
    """As `sweep_results`, in a child process: what reads all judgments takes some hundred MB."""
    if rows := list(_due()):
        do_apart(partial(_make_all, rows), "making kept results")


def sweep_results() -> int:
    """Make what was asked for, while no job waits, and what nobody has seen yet first; how many results were made."""
    return _make_all(list(_due()))


def _make_all(rows: Sequence[KeptResult]) -> int:
    n_made = 0
    with as_at_first():
        for row in rows:
            n_made += _make_anew(row)
            if Job.objects.filter(state=Job.State.QUEUED).exists() or (row.made and _unmade().exists()):
                break
    if n_made:
        clear_memory()
        let_go()
    return n_made


def _due() -> Iterator[KeptResult]:
    rows = _ours().select_related("collection").order_by("collection", "criterion", "batches", "pk")
    asked = [row for row in rows.exclude(asked_at=None) if _is_old(row)]
    yield from sorted(asked, key=lambda row: bool(row.made))
    if _looked and monotonic() - _looked[-1] < LOOK:
        return
    _looked[:] = [monotonic()]
    for row in KeptResult.objects.filter(seen_at__lt=now() - UNSEEN):
        forget(row)
    lately = Q(seen_at__gt=now() - SEEN_LATELY) & Q(as_of__lt=now() - FRESH)
    yield from rows.filter(lately, asked_at=None)
    yield from _usual()


def _ours() -> QuerySet[KeptResult]:
    """Other kinds are those of another version, whose worker makes them while machines are upgraded one by one."""
    return KeptResult.objects.filter(kind__in=recipes())


def _unmade() -> QuerySet[KeptResult]:
    """For which a page waits."""
    return _ours().filter(as_of=None, begun_at=None).exclude(asked_at=None)


def _is_old(row: KeptResult) -> bool:
    """Old enough for another: the worker has other work, too."""
    if not row.made or row.as_of is None:
        return True
    return now() - row.as_of > TIMES * timedelta(seconds=row.made["seconds"])


def _usual() -> Iterator[KeptResult]:
    """What pages of large batches begin with, and nobody has asked for yet."""
    for collection in Collection.objects.filter(pk__in=KeptColumns.objects.values("batch__collection")):
        for recipe in recipes().values():
            for choice, parameters in recipe.usual(collection):
                if is_large(choice) and row_of(recipe.kind, choice, parameters) is None:
                    yield expect(recipe.kind, choice, parameters)


def _make_anew(row: KeptResult) -> bool:
    recipe, choice = recipes()[row.kind], _choice_of(row)
    if choice is None or not is_large(choice):
        forget(row)
        return False
    if row.made and row.made["mark"] == state_of(recipe, choice, row.parameters):
        KeptResult.objects.filter(pk=row.pk).update(asked_at=None)
        return False
    if not begin(row, again_after=LOST):
        return False
    try:
        make_result(recipe, choice, row.parameters)
    except ValueError:  # the batches cannot be read together any more
        logger.info("the result %s of %s cannot be made", row.kind, row.collection.slug)
        if row.made:
            forget(row)
        give_up(recipe.kind, choice, row.parameters)
        return False
    except Exception:
        give_up(recipe.kind, choice, row.parameters)
        raise
    return True


def _choice_of(row: KeptResult) -> BatchChoice | None:
    batches = list(Batch.objects.filter(pk__in=row.batches).select_related("scale").order_by("pk"))
    return BatchChoice(row.collection, batches, row.criterion) if len(batches) == len(row.batches) else None


@cache
def recipes() -> dict[str, Recipe[Any]]:
    return {kind: import_string(path) for kind, path in settings.TOUCHSTONE_RESULTS.items()}
