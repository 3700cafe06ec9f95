"""The look at contrast asks of each look of a text once, and of every other; what is wrong in one width is seen."""

import pytest
from playwright.sync_api import Page

from tests.browser import looks
from tests.browser.conftest import Opener
from tests.browser.looks import barriers

pytestmark = pytest.mark.browser
PAGE = """<!doctype html><html lang="en"><title>Birds</title><style>{style}</style>
<main><h1>Birds</h1><p class="one">Swifts sleep on the wing.</p><div><p class="two">{words}</p></div></main>"""


@pytest.fixture
def page(open_context: Opener, monkeypatch: pytest.MonkeyPatch) -> Page:
    monkeypatch.setattr(looks, "_passed", set())
    return open_context(None).new_page()


def faults(page: Page, style: str, words: str = "Nests are built of what the wind carries.") -> list[str]:
    page.set_content(PAGE.format(style=style, words=words))
    return [fault.partition("(")[0].split(" Fix")[0] for fault in barriers(page)]


def test_what_differs_from_all_that_passed_is_asked_about(page: Page) -> None:
    wrong = ["color-contrast: ['.two']"]
    assert faults(page, "") == []
    assert faults(page, ".two {color: #999}") == wrong
    assert faults(page, ".two {color: #999}") == wrong, "again: it has not passed"
    assert faults(page, ".two {background: #333}") == wrong
    assert faults(page, "div {background: #333}") == wrong
    assert faults(page, "div {opacity: 0.3}") == wrong
    assert faults(page, "p {color: #767676; font-size: 24px} .two {color: #888}") == []
    assert faults(page, "p {color: #767676} .two {color: #888}") == wrong, "it passed where it was large"


def test_what_has_passed_is_not_asked_about_again(page: Page) -> None:
    assert faults(page, "") == []
    passed = page.evaluate(looks.LOOK, [{}, []])[1]
    assert set(passed) == looks._passed
    assert len(passed) >= 2
    assert page.evaluate(looks.LOOK, [{}, passed]) == [[], []]


def test_of_one_look_a_few_are_asked_about_and_letters_hide_no_word(page: Page) -> None:
    assert len(faults(page, "i {color: #999}", "<i>Nests</i>" * 5)) == looks.OFTEN
    letters = "<i>A</i>" * 5
    assert faults(page, "i {color: #999}", f"{letters}<i>Nests</i>") == ["color-contrast: ['i:nth-child"]


def test_other_rules_look_at_all_every_time(page: Page) -> None:
    assert faults(page, "", '<img src="x">') == ["image-alt: ['img']"]
    assert faults(page, "", '<img src="x">') == ["image-alt: ['img']"]
    assert barriers(page, "color-contrast") == []


NARROW = "@media (max-width: 400px)"
ONLY_NARROW = [  # a style, words, and what is wrong once the window is narrow
    (".n {display: none} NARROW {.n {display: inline}}", '<img class="n" src="x">', "image-alt: ['img']"),
    ("NARROW {.n {display: none}}", '<button><span class="n">Go</span></button>', "button-name: ['button']"),
    ("NARROW {.n {visibility: hidden}}", '<a href="/"><i class="n">Go</i></a>', "link-name: ['a']"),
    ("NARROW {h1 {display: none}}", "Nests", "page-has-heading-one: ['html']"),
    ("NARROW {.two {color: #999}}", "Nests", "color-contrast: ['.two']"),
    ("button {padding: 9px} NARROW {button {all: unset; font-size: 9px}}", "<button>N</button>" * 2, "target-size"),
    ("NARROW {div {overflow: auto; height: 30px}}", "Nests<br>" * 9, "scrollable-region-focusable: ['div']"),
]


@pytest.mark.parametrize(("style", "words", "wrong"), ONLY_NARROW)
def test_what_is_wrong_only_where_it_is_narrow_is_seen_on_the_same_page(
    page: Page, style: str, words: str, wrong: str
) -> None:
    assert faults(page, style.replace("NARROW", NARROW), words) == []
    page.set_viewport_size({"width": 390, "height": 800})
    for _ in range(2):  # what has not passed is looked at again
        assert {fault.startswith(wrong) for fault in barriers(page)} == {True}


def test_what_is_wrong_only_in_the_dark_is_seen_on_the_same_page(page: Page) -> None:
    assert faults(page, "@media (prefers-color-scheme: dark) {.two {color: #999}}") == []
    page.emulate_media(color_scheme="dark")
    assert [fault.partition(" Fix")[0] for fault in barriers(page)] == ["color-contrast: ['.two']"]


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        ("document.querySelector('.two').innerHTML = '<img src=x>'", "image-alt"),
        ("document.querySelector('button').textContent = ''", "button-name"),
        ("document.querySelector('button').firstChild.data = ''", "button-name"),
        ("document.querySelector('.one').setAttribute('role', 'swift')", "aria-roles"),
        ("document.documentElement.lang = 'swift'", "html-lang-valid"),
    ],
)
def test_once_something_is_written_to_a_page_all_of_it_is_looked_at_again(page: Page, change: str, wrong: str) -> None:
    assert faults(page, "", "<button>Go</button>") == []
    page.evaluate(change)
    assert [fault.partition(":")[0] for fault in barriers(page)] == [wrong]


def test_a_gradient_upon_which_nothing_can_be_decided_is_asked_about_once(page: Page) -> None:
    assert faults(page, "main {background: linear-gradient(#fff, #eee)}") == []
    passed = page.evaluate(looks.LOOK, [{}, []])[1]
    assert any("gradient" in look for look in passed)
    assert set(passed) == looks._passed
