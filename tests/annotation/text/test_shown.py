"""Stored HTML on a page: what was sanitised stands as it is, at little cost; whatever else is there is sanitised."""

import pytest
from hypothesis import given

from annotation.text import sanitise as module
from annotation.text.safe import SafeHtml
from annotation.text.sanitise import MAX_NESTING, sanitise, shown
from tests.annotation.text.test_sanitise import MARKUP


@given(MARKUP)
def test_what_was_sanitised_is_known_to_stay(source: str) -> None:
    """So the long way is not taken."""
    stored = str(sanitise(source))
    assert module._stays_known(stored)
    assert (type(shown(stored)), shown(stored)) == (SafeHtml, stored)


@given(MARKUP)
def test_whatever_is_stored_is_shown_sanitised(source: str) -> None:
    assert shown(source) == sanitise(source)
    assert shown(source) == sanitise(source), "also the second time"


@pytest.mark.parametrize(
    "stored",
    [
        "<script>alert(1)</script>",
        "<p>a</p><script>alert(1)</script>",
        "<p onclick=alert(1)>a</p>",
        '<p onclick="alert(1)">a</p>',
        '<td colspan="2" onclick="alert(1)">a</td>',
        "<a>a</a>",
        "<style>p{}</style>",
        "<svg><p>a</p></svg>",
        "<p>a",
        "a</p>",
        "</div></div>",
        "<p><div>a</div></p>",
        "<b><p>a</b></p>",
        "<li><li>a</li></li>",
        "<h3><h4>a</h4></h3>",
        "<td>a</td>",
        "<table><div>a</div></table>",
        "<P>a</P>",
        "<p >a</p>",
        "a > b",
        "a < b",
        "<!-- a -->",
        "<pre>\n a</pre>",
        '<p title="<div>">a</p>',
    ],
)
def test_what_was_not_sanitised_is_not_taken_for_it(stored: str) -> None:
    assert shown(stored) == sanitise(stored) != stored


def test_the_nesting_that_remains_is_known_and_no_deeper_one() -> None:
    deepest = "<div>" * MAX_NESTING + "</div>" * MAX_NESTING
    assert shown(deepest) == deepest
    assert shown(f"<div>{deepest}</div>").startswith("&lt;div&gt;")


@pytest.mark.parametrize(
    "source",
    ["<div>" * 200_000, "<b a='</b>'>" * 100_000, "</b>" * 200_000, "<" * 400_000],
    ids=lambda source: source[:5],
)
def test_hostile_lengths_end(source: str) -> None:
    assert type(shown(source)) is SafeHtml


def test_there_is_an_end_to_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_KNOWN", 2)
    module._STAYING.clear()
    for n in range(5):
        assert shown(f"<p>{n}</p>") == f"<p>{n}</p>"
    assert len(module._STAYING) <= 2
