"""The same examples and the same tokens in every run."""

import importlib.util
import secrets
import sys
from pathlib import Path

import hypothesis
import pytest
from django.utils.crypto import get_random_string
from hypothesis import given
from hypothesis import strategies as st

from annotation.models.tokens import new_token
from tests.drawing import FUZZ_TIMES, draw_times, seed_chance

fresh = pytest.mark.skipif(FUZZ_TIMES > 0, reason="`make fuzz` draws new examples")


@fresh
def test_the_same_examples_whatever_code_has_been_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[list[int | str]] = []

    @hypothesis.settings(max_examples=300)
    @given(st.one_of(st.integers(), st.text()))
    def collect(value: int | str) -> None:
        drawn[-1].append(value)

    drawn.append([])
    collect()
    place = tmp_path / "constants_of_ours.py"
    place.write_text(f"NUMBERS = {list(range(70_000, 70_400))}\nWORDS = {[f'word {n}' for n in range(400)]}\n")
    spec = importlib.util.spec_from_file_location("constants_of_ours", place)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "constants_of_ours", module)
    spec.loader.exec_module(module)
    drawn.append([])
    collect()
    assert drawn[0] == drawn[1]


@fresh
def test_nothing_is_kept_of_earlier_runs() -> None:
    settings = hypothesis.settings.default
    assert settings is not None
    assert (settings.derandomize, settings.database, settings.deadline) == (True, None, None)


@pytest.mark.parametrize("times", [0.5, 4])
def test_the_suite_draws_fewer_and_fuzzing_more_whatever_a_test_says(times: float) -> None:
    n: list[int] = []

    @hypothesis.settings(max_examples=10, derandomize=True, database=None)
    @given(st.integers())
    def property_test(value: int) -> None:
        n.append(value)

    draw_times([property_test, property_test], times=times)
    property_test()
    assert len(n) == 10 * times


def test_tokens_follow_from_the_name_of_the_test() -> None:
    def drawn() -> list[object]:
        return [new_token(), get_random_string(32), secrets.randbelow(2**31), secrets.token_hex(8), secrets.randbits(9)]

    seed_chance("one")
    first, more = drawn(), drawn()
    seed_chance("one")
    assert drawn() == first
    seed_chance("other")
    assert drawn()[:4] != first[:4]
    assert len({str(each) for each in (*first[:4], *more[:4])}) == 8
