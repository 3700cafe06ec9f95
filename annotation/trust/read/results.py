"""Results of large batches for pages: made by the worker, kept for all processes, and shown with
their time while newer ones are made.

What is asked for its own sake (`showing` is off: deeds, commands, jobs) is current: what is kept
serves where its mark is that of now. A page shows what is kept, asks the worker for a newer one,
and says how old it is; where nothing is kept yet, it waits for the worker. Where the worker does
not come for minutes, whoever asks makes the result, and keeps it for all.
"""

import hashlib
import json
import logging
from datetime import timedelta
from functools import cache
from pathlib import Path

import numpy as np

from annotation.kernel.clock import now
from annotation.kernel.results.form import ResultFormError
from annotation.kernel.results.recipes import BatchChoice, Parameters, Recipe, Result
from annotation.kernel.results.stored import (
    ask,
    digest,
    expect,
    give_up,
    keep_result,
    note_seen,
    read_result,
    row_of,
)
from annotation.kernel.results.unmade import NotMadeYetError
from annotation.kernel.showing import shown_now
from annotation.models import KeptColumns, KeptResult
from annotation.trust.read.kept import Moment, clear_memory, drop_from_memory, moment_of, one_at_a_time, remembered

logger = logging.getLogger(__name__)

LARGE = 100_000  # judgments of the batches, from which results are kept for all; with fewer each page works them out
PATIENCE = timedelta(minutes=2)  # for the worker, at least; else
TIMES = 6  # so many times as long as it took last
LOST = timedelta(minutes=10)  # after which a worker that began is taken for dead
PROGRAM = Path(__file__).resolve().parents[2]


def result_of(recipe: Recipe[Result], choice: BatchChoice, parameters: Parameters) -> Result:
    """As `recipe.make` gives it; `ValueError` as it raises it. `NotMadeYetError` where a page has to wait for it."""
    parts = _parts(choice)
    if not parts:
        return recipe.make(choice, parameters)
    what = (recipe.kind, json.dumps(parameters, sort_keys=True))
    if sum(parts) < LARGE:
        return remembered(
            choice.collection, choice.batches, choice.criterion, what, lambda: recipe.make(choice, parameters)
        )
    drop_from_memory(choice.collection, choice.batches, choice.criterion, what)  # of when the batches were small
    result: Result | None = _stored_result(recipe, choice, parameters)
    if result is not None:
        return result
    if shown_now() is not None:
        _leave_to_the_worker(recipe, choice, parameters)
    with one_at_a_time():
        result = _stored_result(recipe, choice, parameters)  # another may have made it in the meantime
        if result is None:
            result = make_result(recipe, choice, parameters)
            clear_memory()  # of the judgments
    return result


def make_result(recipe: Recipe[Result], choice: BatchChoice, parameters: Parameters) -> Result:
    """Work it out now, and keep it."""
    began, moment = now(), moment_of(choice.collection, choice.batches, choice.criterion)
    mark = _state(recipe, choice, parameters, moment)
    result = recipe.make(choice, parameters)
    try:
        keep_result(recipe, choice, parameters, result, mark=mark, as_of=moment[0], began=began)
    except (OSError, ResultFormError):
        logger.exception("the result %s of %s is not kept", recipe.kind, choice.collection.slug)
        give_up(recipe.kind, choice, parameters)
    return result


def state_of(recipe: Recipe[Result], choice: BatchChoice, parameters: Parameters) -> str:
    """Changes with all that the result rests on, the program itself among it."""
    return _state(recipe, choice, parameters, moment_of(choice.collection, choice.batches, choice.criterion))


def _state(recipe: Recipe[Result], choice: BatchChoice, parameters: Parameters, moment: Moment) -> str:
    return digest([_program(), moment[1], recipe.mark(choice, parameters)])


def is_large(choice: BatchChoice) -> bool:
    return sum(_parts(choice)) >= LARGE


def _parts(choice: BatchChoice) -> list[int]:
    """Of each batch whose columns are kept, how many judgments these have."""
    kept_columns = KeptColumns.objects.filter(batch__in=choice.keys).values_list("judgments", flat=True)
    return [sum(part["n"] for part in parts) for parts in kept_columns]


def _stored_result(recipe: Recipe[Result], choice: BatchChoice, parameters: Parameters) -> Result | None:
    """None where what is kept is too old for whoever asks, or broken."""
    row = row_of(recipe.kind, choice, parameters)
    if row is None or not row.made:
        return None
    is_current = row.made["mark"] == state_of(recipe, choice, parameters)
    shown = shown_now()
    if not is_current and (shown is None or _has_waited(row)):
        return None
    result: Result | None = read_result(row)
    if result is None:
        return None
    note_seen(row)
    if not is_current and shown is not None and row.as_of is not None:
        ask(row)
        shown.add(row.as_of, waited=now() - (row.asked_at or now()))
    return result


def _leave_to_the_worker(recipe: Recipe[Result], choice: BatchChoice, parameters: Parameters) -> None:
    """Raises `NotMadeYetError` where nothing has been made yet and the worker may still do so. Where it could not, or
    does not come, whoever asks does it."""
    row = expect(recipe.kind, choice, parameters)
    if row.made or row.asked_at is None:
        return
    begun, lately = row.begun_at, now() - LOST
    has_begun = begun is not None and lately < begun < row.asked_at + LOST  # of a first attempt it may have died
    if has_begun or now() - row.asked_at < PATIENCE:
        raise NotMadeYetError(row)


def _has_waited(row: KeptResult) -> bool:
    patience = max(PATIENCE, TIMES * timedelta(seconds=row.made["seconds"]))
    return row.asked_at is not None and now() - row.asked_at > patience


@cache
def _program() -> str:
    """What is made by other statements is not shown as if it were made by these."""
    written = hashlib.sha256(np.__version__.encode())
    for path in sorted(PROGRAM.rglob("*.py")):
        written.update(path.read_bytes())
    return written.hexdigest()
