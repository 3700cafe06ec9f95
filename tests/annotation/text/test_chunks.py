"""Long documents in chunks: the same document, in divisions that are neither too many nor too few."""

import re

import pytest
from hypothesis import given

from annotation.text.chunks import CHUNK, LONG, chunked
from annotation.text.paragraphs import shape_of_text
from annotation.text.sanitise import sanitise
from annotation.text.shape import Shape, shape_of_html
from annotation.text.writing import Seen, written
from tests.annotation.text.test_sanitise import MARKUP

SENTENCES = "Swifts sleep on the wing, high above the city. " * 10
BORDERS = re.compile(r'<div class="chunk">')


def page(shape: Shape) -> str:
    return written(shape, Seen((0, len(shape.text))))


def test_a_short_document_stays_as_it_is() -> None:
    shape = shape_of_text(SENTENCES * 30)
    assert len(shape.text) < LONG
    assert "chunk" not in page(shape)


@pytest.mark.parametrize(
    "shape",
    [
        shape_of_text(f"{SENTENCES}\n\n" * 100),
        shape_of_text(SENTENCES * 100),
        shape_of_html(f"<p>{SENTENCES}</p>" * 100),
        shape_of_html(f"<div>{f'<p>{SENTENCES}</p>' * 100}</div>"),
        shape_of_html(f"<div><div>{f'<div>{SENTENCES}</div>' * 100}</div></div>"),
        shape_of_html(f"x{f'<h3>Title</h3><ul><li>{SENTENCES}</li></ul>' * 100}<hr>"),
    ],
    ids=["paragraphs", "line", "html", "division", "divisions", "lists"],
)
def test_a_long_one_is_chunked(shape: Shape) -> None:
    sizes = [len(re.sub("<[^>]*>", "", part)) for part in BORDERS.split(page(shape))]
    assert len(shape.text) // (2 * CHUNK) < len(sizes) <= len(shape.text) // CHUNK + 2
    assert max(sizes) < 2 * CHUNK


def test_what_cannot_be_parted_stays_whole() -> None:
    shape = shape_of_html(f"<table><tbody>{f'<tr><td>{SENTENCES}</td></tr>' * 100}</tbody></table>")
    assert len(BORDERS.findall(page(shape))) == 1


@given(MARKUP)
def test_chunks_add_nothing_and_nest_well(source: str) -> None:
    clean = sanitise(source)
    shape = shape_of_html(clean)
    cut = Shape(shape.text, shape.shown, chunked(shape.pieces, LONG + 1), shape.blocks)
    assert sanitise(page(cut)).replace("<div>", "").replace("</div>", "") == sanitise(page(shape)).replace(
        "<div>", ""
    ).replace("</div>", "")
