from collections.abc import Iterator

import pytest

from annotation.formats.ahead import worked_ahead


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
