"""Clearing what is written of a layout: cut short anywhere, met by who lays out, and by an attempt that is lost."""

from collections import Counter

import pytest

from annotation.batches.steps.layout import LayoutError, part, start_layout
from annotation.kernel.jobs import JobCancelledError, JobRun, claim_job, run_job
from annotation.models import Batch, Block, Item, Job
from tests.annotation.batches.steps.layout.portions import (
    KEYS,
    ROWS,
    KilledError,
    back_to_draft,
    drafted,
    expected,
    in_portions,
    killed,
    make_portions_small,
    stored,
)
from tests.factories import make_user

pytestmark = [pytest.mark.django_db, pytest.mark.both("locks")]


@pytest.fixture(autouse=True)
def small_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    make_portions_small(monkeypatch)


@pytest.mark.parametrize("n_portions", [1, 2, 5])
def test_clearing_in_portions_may_be_cut_short(n_portions: int) -> None:
    _, batch = drafted()
    whole = expected(batch)
    in_portions(batch)
    back_to_draft(batch)
    before, asked = items_by_block(batch), iter(range(n_portions + 1))

    def may_clear() -> bool:
        if next(asked) == n_portions:
            killed()
        return True

    with pytest.raises(KilledError):
        part.clear_unfinished_layout(batch, may_clear)
    left = items_by_block(batch)
    assert before.total() - left.total() == KEYS * n_portions
    assert set(Block.objects.filter(batch=batch).values_list("number", flat=True)) == {
        number for number, n in left.items() if n == before[number]
    }
    in_portions(batch)
    assert stored(batch) == whole


def test_clearing_between_the_last_block_and_the_end_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    _, batch = drafted()
    whole, cleared = expected(batch), list[bool]()

    def clear_once(*models: object) -> None:
        if Block in models and not cleared:
            cleared.append(part._clear_portion(batch, KEYS))

    monkeypatch.setattr(part, "tell_planner", clear_once)
    in_portions(batch)
    assert (cleared, stored(batch)) == ([True], whole)


@pytest.mark.parametrize("is_cancelled", [False, True])
def test_an_attempt_that_has_lost_its_lease_clears_nothing(is_cancelled: bool) -> None:
    _, batch = drafted()
    whole = expected(batch)
    start_layout(batch, created_by=make_user())
    run = claim_job()
    assert run is not None
    taken_over = list[JobRun | None]()

    def lose(done: int, *_: object) -> None:
        if done > ROWS // 6:
            Job.objects.update(lease_until="2020-01-01T00:00Z")
            taken_over.append(claim_job())
            raise JobCancelledError if is_cancelled else LayoutError("Something has changed.")

    run.watch = lose
    assert run_job(run).state == Job.State.RUNNING
    assert Item.objects.filter(batch=batch).exists()
    (again,) = taken_over
    assert again is not None
    assert run_job(again).state == Job.State.DONE
    assert stored(batch) == whole


def items_by_block(batch: Batch) -> Counter[int]:
    return Counter(Item.objects.filter(batch=batch).values_list("block", flat=True))
