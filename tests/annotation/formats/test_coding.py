from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.formats import coding
from annotation.formats.coding import coded, repeats
from annotation.formats.text import Text

STRINGS = st.lists(st.text(alphabet="abé9𝄞\uffee", min_size=1, max_size=12), min_size=1, max_size=40)


@pytest.fixture(autouse=True, scope="module", params=["some", "many"])
def size(request: pytest.FixtureRequest) -> Iterator[None]:
    """Some strings are sorted as such; here the same go through arrays, too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(coding, "SOME", coding.SOME if request.param == "some" else 0)
        yield


@given(STRINGS)
def test_codes_follow_the_byte_order_of_the_strings(strings: list[str]) -> None:
    known, code = coded(Text.of(strings))
    assert list(known) == sorted(set(strings), key=str.encode)
    assert [known[i] for i in code.tolist()] == strings


@given(STRINGS, st.integers(1, 9))
def test_strings_that_stand_together_have_their_codes(strings: list[str], times: int) -> None:
    known, code = coded(Text.of([string for string in strings for _ in range(times)]))
    alone, code_alone = coded(Text.of(strings))
    assert known == alone
    assert code.tolist() == np.repeat(code_alone, times).tolist()


def test_rare_strings_are_found_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """The keys known at first come from a sample."""
    monkeypatch.setattr(coding, "_SAMPLE", 4)
    strings = ["a", *["b", "e"] * 50, "c", *["b", "e"] * 50, "d"]
    known, code = coded(Text.of(strings))
    assert known == ("a", "b", "c", "d", "e")
    assert [known[i] for i in code.tolist()] == strings


def test_no_string() -> None:
    known, code = coded(Text.of([]))
    assert (known, code.tolist()) == ((), [])
    assert code.dtype == np.int32


def test_strings_of_one_key_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("annotation.formats.text._mix", np.zeros_like)
    known, code = coded(Text.of(["b", "a", "b", "c"]))
    assert (known, code.tolist()) == (("a", "b", "c"), [1, 0, 1, 2])
    assert repeats(code, Text.of(["x", "x", "y", "x"])) == []


@given(st.lists(st.tuples(st.integers(0, 3), st.sampled_from(["a", "b", "é" * 9, "c" * 20])), min_size=1))
def test_repeats_name_the_first_row(pairs: list[tuple[int, str]]) -> None:
    positions = repeats(np.array([code for code, _ in pairs], np.int32), Text.of([string for _, string in pairs]))
    assert positions == [(pairs.index(pair), i) for i, pair in enumerate(pairs) if pairs.index(pair) != i]
