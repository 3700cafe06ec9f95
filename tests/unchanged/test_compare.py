"""A template wrapped otherwise is no difference; a word, an attribute, an order, a space between words is one."""

from pathlib import Path

import pytest

from tests.unchanged.compare import compare
from tests.unchanged.normal import normal_html

PAGE = '<p class="a b" id="x">One <b>two</b> <i>three</i></p><ul><li>1</li></ul>'


@pytest.mark.parametrize(
    "same",
    [
        '<p\n   class="a\n b"  id="x">\n  One <b>two</b>\n<i>three</i>\n</p>\n\n<ul>\n<li>1</li>\n</ul>\n',
        '<!-- a remark --><p class=" a b " id="x">One  <b>two</b> <i>three</i></p> <ul> <li> 1 </li> </ul>',
    ],
)
def test_wrapping_is_no_difference(same: str) -> None:
    assert normal_html(same) == normal_html(PAGE)


@pytest.mark.parametrize(
    ("before", "after"),
    [("three", "four"), ('"a b"', '"b a"'), (' class="a b" id="x"', ' id="x" class="a b"'), ("</b> <i>", "</b><i>")],
)
def test_the_rest_is_one(before: str, after: str) -> None:
    assert normal_html(PAGE.replace(before, after)) != normal_html(PAGE)


def test_a_change_of_many_pages_is_told_once_and_spaces_apart(tmp_path: Path) -> None:
    pages = {"old": [PAGE, PAGE, PAGE], "new": [PAGE.replace("two", "2")] * 2 + [PAGE.replace("</b> <i>", "</b><i>")]}
    for side, texts in pages.items():
        (tmp_path / side).mkdir()
        for number, text in enumerate(texts):
            (tmp_path / side / f"{number}.html.txt").write_text(normal_html(text), "utf-8")
    (tmp_path / "new" / "more.txt").write_text("", "utf-8")
    assert compare(tmp_path / "old", tmp_path / "old") == []
    assert compare(tmp_path / "old", tmp_path / "new") == [
        "only after: more.txt",
        "0.html.txt and 1 more:",
        "    -two",
        "    +2",
        "only spaces between words or inline elements: 2.html.txt",
    ]
