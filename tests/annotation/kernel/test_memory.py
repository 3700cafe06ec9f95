"""A process does not stay as large as it was once."""

import gc
import subprocess
import sys

import pytest

from annotation.kernel import memory

MB = 1 << 20
ALLOCATES = 60_000  # bytes: below what glibc maps by itself


@pytest.fixture(autouse=True)
def _first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "_last", [])


@pytest.mark.skipif(sys.platform != "linux", reason="glibc alone keeps what was freed")
def test_what_was_freed_between_what_stays_goes_back() -> None:
    memory.give_back()
    before = memory.resident()
    blocks = [bytes(ALLOCATES) + b"." for _ in range(2000)]
    stays = blocks[-1]
    del blocks
    assert memory.resident() > before + 80 * MB, "glibc gave it back by itself: the module can go"
    memory.give_back()
    assert memory.resident() < before + 20 * MB
    assert len(stays) > ALLOCATES


def test_a_process_that_did_not_grow_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = iter([100 * MB, 90 * MB, 110 * MB, 100 * MB, 105 * MB, 80 * MB, 95 * MB, 97 * MB, 97 * MB])
    monkeypatch.setattr(memory, "resident", lambda: next(sizes))
    collected: list[int] = []
    monkeypatch.setattr(gc, "collect", lambda: collected.append(1))
    n_collected = []
    for _ in range(6):
        memory.give_back()
        n_collected.append(len(collected))
    assert n_collected == [1, 2, 2, 2, 2, 3]


def test_where_nobody_waits_less_is_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = iter([100 * MB, 100 * MB, 103 * MB, 104 * MB, 104 * MB])
    monkeypatch.setattr(memory, "resident", lambda: next(sizes))
    collected: list[int] = []
    monkeypatch.setattr(gc, "collect", lambda: collected.append(1))
    n_collected = []
    for _ in range(3):
        memory.give_back(step=memory.SMALL_STEP)
        n_collected.append(len(collected))
    assert n_collected == [1, 1, 2]


def test_memory_that_was_just_let_go_is_given_back_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "resident", lambda: 100 * MB)
    collected: list[int] = []
    monkeypatch.setattr(gc, "collect", lambda: collected.append(1))
    lets_go = iter([False, False, True, False])
    answer = memory.giving_back(lambda _environ, _start: [b""], lambda: next(lets_go))
    n_collected = []
    for _ in range(4):
        answer({}, lambda *_: None)
        n_collected.append(len(collected))
    assert n_collected == [1, 1, 2, 2]


def test_a_web_process_gives_back_after_each_answer() -> None:
    look = (
        "from wsgiref.util import setup_testing_defaults as usual; import touchstone.wsgi as web;"
        "from annotation.kernel import memory;"
        "environ = {}; usual(environ); web.application(environ, lambda *_: None).close(); print(len(memory._last))"
    )
    done = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "1"
