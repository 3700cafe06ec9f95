from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.text.difference import Change, changes

TEXT = st.text(alphabet="ab \n.é", max_size=60)


@given(TEXT, TEXT)
def test_the_stretches_make_up_both_texts(old: str, new: str) -> None:
    stretches = changes(old, new)
    assert "".join(change.text for change in stretches if change.kind != "added") == old
    assert "".join(change.text for change in stretches if change.kind != "removed") == new
    assert all(change.text for change in stretches)
    assert all(one.kind != other.kind for one, other in pairwise(stretches))


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("", "", []),
        ("same", "same", [Change("same", "same")]),
        ("", "new", [Change("added", "new")]),
        ("old", "", [Change("removed", "old")]),
        (
            "Keep.\nThe old way.\n",
            "Keep.\nThe new way.\n",
            [
                Change("same", "Keep.\nThe "),
                Change("removed", "old"),
                Change("added", "new"),
                Change("same", " way.\n"),
            ],
        ),
    ],
)
def test_words_that_changed(old: str, new: str, expected: list[Change]) -> None:
    assert changes(old, new) == expected


def test_long_texts_of_many_lines_are_compared_line_by_line() -> None:
    lines = [f"Line {number} stays as it is.\n" for number in range(2000)]
    old, new = "".join(lines), "".join([*lines[:1000], "One line comes.\n", *lines[1000:]])
    assert [change.kind for change in changes(old, new)] == ["same", "added", "same"]
