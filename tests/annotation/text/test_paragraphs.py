"""Plain text in paragraphs: all of it, in order, and no longer than a browser likes them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.text.paragraphs import SOFT, shape_of_text
from annotation.text.shape import Shape
from tests.annotation.text.strategies import LONG_ODD, ODD


def paragraphs(text: str) -> list[tuple[str, str]]:
    """Opening tag and text of each."""
    shape = shape_of_text(text)
    return [
        (tag.source, text[span[0] : span[1]])
        for tag, span in zip(shape.pieces, shape.pieces[1:], strict=False)
        if not isinstance(tag, tuple) and isinstance(span, tuple) and tag.source.startswith("<p")
    ]


def spans(shape: Shape) -> list[tuple[int, int]]:
    return [piece for piece in shape.pieces if isinstance(piece, tuple)]


def test_blank_lines_part_paragraphs_and_line_ends_do_not() -> None:
    assert paragraphs("one\ntwo\n\n \t\nthree\r\nfour\n") == [("<p>", "one\ntwo"), ("<p>", "three\r\nfour")]


def test_a_long_line_is_a_paragraph() -> None:
    long = "word " * 40
    assert [text for _, text in paragraphs(f"Heading\n{long}\n{long}\nshort\nshort")] == [
        *("Heading", long, long),
        "short\nshort",
    ]


def test_lines_broken_for_their_width_flow() -> None:
    wrapped = (
        "Swifts sleep on the wing, and their nests are\nbuilt from whatever the wind carries past them\nin summer."
    )
    assert paragraphs(wrapped) == [('<p class="flowed">', wrapped)]


@pytest.mark.parametrize(
    "text",
    [
        "Swifts sleep on the wing, and their nests are\nbuilt\nfrom whatever the wind carries past them now",
        "- Swifts sleep on the wing, and their nests are\n- built from whatever the wind carries past them",
        "Swifts sleep on the wing, and their nests are\n    built from whatever the wind carries past them",
        "short lines\nof a poem\nflow never",
        "one line of no more than a hundred characters",
    ],
)
def test_lines_that_say_something_stay(text: str) -> None:
    assert paragraphs(text) == [("<p>", text)]


def test_flowing_lines_are_one_block_and_others_one_each() -> None:
    wrapped = "Swifts sleep on the wing, and their nests are\nbuilt from whatever the wind carries past them"
    assert shape_of_text(f"a\nb\n\n{wrapped}").blocks == [(0, 1), (2, 3), (5, 5 + len(wrapped))]


def test_a_line_of_a_megabyte_is_shown_in_soft_paragraphs() -> None:
    text = "word " * 200_000
    parts = paragraphs(text)
    assert "".join(part for _, part in parts) == text
    assert [tag for tag, _ in parts] == ["<p>"] + ['<p class="soft">'] * (len(parts) - 1)
    assert max(len(part) for _, part in parts) <= SOFT
    assert shape_of_text(text).blocks == [(0, len(text))]


def test_an_empty_text() -> None:
    assert shape_of_text("") == Shape("", "", [], [])


@given(st.one_of(ODD, LONG_ODD))
def test_the_pieces_are_the_text(text: str) -> None:
    shape = shape_of_text(text)
    ends = [0]
    for start, end in spans(shape):
        assert start == ends[-1] < end
        ends.append(end)
    assert ends[-1] == len(text) == len(shape.shown)
    inside = sum(end - start for start, end in shape.blocks)
    assert inside <= len(text)
    assert all(text[start:end].strip() for start, end in shape.blocks)
    assert all(a[1] <= b[0] for a, b in zip(shape.blocks, shape.blocks[1:], strict=False))
