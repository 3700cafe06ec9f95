"""A document as HTML: what it says stays what it says, whatever is marked, cut or left away."""

import html
import re

import nh3
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.text.legible import legible
from annotation.text.paragraphs import shape_of_text
from annotation.text.safe import SafeHtml
from annotation.text.sanitise import ATTRIBUTES, TAGS, sanitise
from annotation.text.shape import Shape, shape_of_html, text_of_html
from annotation.text.writing import Mark, Seen, written
from tests.annotation.text.strategies import ODD
from tests.annotation.text.test_sanitise import MARKUP

ADDED = re.compile(r'</?mark[^>]*>|<span class="out">|</span>')
TAG = re.compile(r"<[^>]*>")


def everything(shape: Shape) -> str:
    return written(shape, Seen((0, len(shape.text))))


def text_of(page: str) -> str:
    return html.unescape(TAG.sub("", page))


@st.composite
def looks(draw: st.DrawFn, length: int) -> Seen:
    place = st.integers(0, length)
    places = sorted(draw(st.sets(place, max_size=8)))
    marks = [Mark(a, b, draw(st.booleans())) for a, b in zip(places[::2], places[1::2], strict=False)]
    first, last = sorted((draw(place), draw(place)))
    named = sorted(draw(st.sets(place, max_size=4)))
    return Seen((first, last), draw(st.booleans()), marks, list(zip(named[::2], named[1::2], strict=False)))


def test_plain_text() -> None:
    shape = shape_of_text("One & two <b>\n\nthree")
    seen = Seen((0, 20), marks=[Mark(0, 3), Mark(6, 9, is_own=True)], evidence=[(4, 9)])
    assert written(shape, seen) == (
        '<p><mark>One</mark> <mark class="evidence">&amp; <mark class="own">two</mark></mark> &lt;b&gt;</p>'
        "\n\n<p>three</p>"
    )
    assert type(written(shape, seen)) is SafeHtml


def test_what_is_outside_of_the_passage_is_out_or_away() -> None:
    shape = shape_of_text("One. Two. Three.\n\nFour.\n\nFive.")
    assert written(shape, Seen((5, 9))) == (
        '<p><span class="out">One. </span>Two.<span class="out"> Three.</span></p>\n\n'
        '<p class="out">Four.</p>\n\n<p class="out">Five.</p>'
    )
    assert written(shape, Seen((5, 9), alone=True)) == "<p>Two.</p>"


def test_a_class_that_is_there_stays() -> None:
    shape = shape_of_text("word " * 1000)
    assert '<p class="out soft">' in written(shape, Seen((0, 100)))


def test_html_keeps_its_elements() -> None:
    shape = shape_of_html(
        "<h3>Heat</h3><p>On <em>heat</em>ing &amp; more</p><table><tbody><tr><td>1</td></tr></tbody></table>"
    )
    assert shape.text == "HeatOn heating & more1"
    assert shape.blocks == [(0, 4), (4, 21), (21, 22)]
    seen = Seen((4, 21), marks=[Mark(0, 4), Mark(7, 14)], evidence=[(11, 16)])
    assert written(shape, seen) == (
        '<h3 class="out"><mark>Heat</mark></h3><p>On <em><mark>heat</mark></em><mark class="evidence"><mark>ing</mark>'
        ' &amp;</mark> more</p><table class="out"><tbody><tr><td>1</td></tr></tbody></table>'
    )
    assert written(shape, Seen((4, 21), alone=True)) == "<p>On <em>heat</em>ing &amp; more</p>"


def test_an_element_of_which_a_part_is_seen_keeps_its_place() -> None:
    shape = shape_of_html("<ul><li>a</li><li>b</li><li>c</li></ul><hr>d")
    assert written(shape, Seen((1, 2))) == (
        '<ul><li class="out">a</li><li>b</li><li class="out">c</li></ul><hr class="out"><span class="out">d</span>'
    )


@pytest.mark.parametrize("text", ["a\r\nb", "a\rb", "<pre>\n x</pre>", "&amp;lt;b&amp;gt; &nbsp; x"])
def test_the_text_is_what_a_browser_has(text: str) -> None:
    source = sanitise(text)
    assert text_of(everything(shape_of_html(source))) == text_of_html(source) == shape_of_html(source).text


@given(ODD, st.data())
def test_plain_text_stays_what_it_is(text: str, data: st.DataObject) -> None:
    shape = shape_of_text(text)
    seen = data.draw(looks(len(text)))
    page = written(shape, seen)
    if seen.alone:
        assert text_of(page) == shape.shown[slice(*seen.passage)]
    else:
        assert text_of(page) == shape.shown
    assert len(shape.shown) == len(text)
    assert "".join(shape.shown.split()) == "".join(legible(text).split())
    assert set(re.findall(r"<(?:/|[^>]*)>", page)) <= {
        *("<p>", "</p>", "<mark>", "</mark>", '<mark class="own">', '<mark class="evidence">'),
        *('<p class="out">', '<span class="out">', "</span>", '<p class="flowed">', '<p class="out flowed">'),
    }


@given(MARKUP, st.data())
def test_sanitised_html_stays_what_it_is(source: str, data: st.DataObject) -> None:
    clean = sanitise(source)
    shape = shape_of_html(clean)
    seen = data.draw(looks(len(shape.text)))
    page = written(shape, seen)
    once_more = nh3.clean(
        page,
        tags={*TAGS, "mark", "span"},
        attributes={tag: {"class", *ATTRIBUTES.get(tag, ())} for tag in {*TAGS, "mark", "span"}},
        url_schemes=set(),
        link_rel=None,
    )
    assert once_more.replace("&nbsp;", "\xa0") == page
    assert shape.text == text_of_html(clean)
    if seen.alone:
        assert text_of(page) == shape.shown[slice(*seen.passage)]
    else:
        assert text_of(page) == shape.shown
        bare = re.sub(r' class="out"', "", ADDED.sub("", page))
        assert bare == everything(shape)


@given(MARKUP)
def test_unmarked_it_is_the_sanitised_html(source: str) -> None:
    clean = sanitise(source)
    if legible(clean) == clean:
        assert everything(shape_of_html(clean)) == clean.replace("&nbsp;", "\xa0")
