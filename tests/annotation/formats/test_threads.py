import os
import signal
from collections.abc import Iterator

import pytest

from annotation.formats.threads import worked_ahead

PATIENCE = 60  # seconds until a process that should end counts as one that hangs


def test_results_come_in_the_order_of_the_items() -> None:
    assert list(worked_ahead(lambda n: n * n, range(50))) == [(n, n * n) for n in range(50)]
    assert list(worked_ahead(len, [])) == []


def test_what_goes_wrong_is_raised_in_its_turn() -> None:
    results = worked_ahead(lambda n: 1 // (n - 7), range(50))
    assert [next(results)[0] for _ in range(7)] == list(range(7))
    with pytest.raises(ZeroDivisionError):
        next(results)


def test_not_all_items_are_taken_at_once() -> None:
    taken = []

    def items() -> Iterator[int]:
        for n in range(100):
            taken.append(n)
            yield n

    next(worked_ahead(str, items()))
    assert len(taken) < 10


def test_work_may_itself_work_ahead() -> None:
    inner = [(n, n + 1) for n in range(9)]
    assert list(worked_ahead(lambda _: list(worked_ahead(lambda n: n + 1, range(9))), range(30))) == [
        (n, inner) for n in range(30)
    ]


def test_a_forked_process_works_ahead_with_threads_of_its_own() -> None:
    list(worked_ahead(str, range(9)))
    child = os.fork()
    if not child:
        signal.alarm(PATIENCE)
        os._exit(0 if len(list(worked_ahead(str, range(9)))) == 9 else 1)
    assert os.waitpid(child, 0) == (child, 0)
