"""Guidelines: Markdown that is safe to print."""

import re

import pytest
from django.template import Context, Engine
from hypothesis import given
from hypothesis import strategies as st

from annotation.text.markdown import MAX_LENGTH, plain_text, render_markdown
from annotation.text.safe import SafeHtml

TAG = re.compile(r"<(/?)([a-z0-9]+)([^>]*)>")
ALLOWED = {
    "p", "br", "hr", "h3", "h4", "h5", "h6", "strong", "em", "s", "ul", "ol", "li", "blockquote",
    "code", "pre", "a", "table", "thead", "tbody", "tr", "th", "td",
}  # fmt: skip


def test_what_a_guideline_needs() -> None:
    text = "# Grades\n\n*Highly* relevant is **3**.\n\n- a\n- b\n\n> quoted\n\n`code`"
    text += "\n\n| grade | name |\n|---|---|\n| 0 | not |\n"
    html = render_markdown(text)
    for part in (
        "<h3>Grades</h3>",
        "<p><em>Highly</em> relevant is <strong>3</strong>.</p>",
        "<li>a</li>",
        "<th>grade</th>",
        "<td>not</td>",
        "<blockquote>",
        "<code>code</code>",
    ):
        assert part in html


def test_headings_begin_two_levels_down_and_end_at_six() -> None:
    assert render_markdown("# a\n\n## b\n\n##### c").split() == ["<h3>a</h3>", "<h4>b</h4>", "<h6>c</h6>"]


def test_links_lead_out_and_only_where_they_may() -> None:
    assert render_markdown("[a](https://example.org/x)") == (
        '<p><a href="https://example.org/x" rel="noopener noreferrer nofollow">a</a></p>\n'
    )
    for address in (
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "data:text/html,x",
        "//example.org",
        "/logout",
        "vbscript:x",
    ):
        assert "href" not in render_markdown(f"[a]({address})").replace(f"({address})", "")


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "a <b onclick='x'>b</b>",
        "<svg/onload=alert(1)>",
        "<!-- comment -->",
        "<style>p{}</style>",
    ],
)
def test_raw_html_is_shown_not_obeyed(text: str) -> None:
    html = render_markdown(text)
    assert {tag for _, tag, _ in TAG.findall(html)} == {"p"}
    assert "&lt;" in html


def test_images_and_classes_do_not_come_through() -> None:
    assert "<img" not in render_markdown("![a](https://example.org/x.png)")
    assert render_markdown("```python\nx\n```") == "<pre><code>x\n</code></pre>\n"
    assert "style" not in render_markdown("|a|\n|:-:|\n|b|")


def test_a_template_prints_it_as_it_stands_and_escapes_what_is_made_of_it() -> None:
    html = render_markdown("**a**")
    template = Engine().from_string("{{ html }}|{{ joined }}")
    assert template.render(Context({"html": html, "joined": html + "<b>"})) == (
        "<p><strong>a</strong></p>\n|&lt;p&gt;&lt;strong&gt;a&lt;/strong&gt;&lt;/p&gt;\n&lt;b&gt;"
    )
    assert type(html) is SafeHtml
    assert type(html + "") is str


def test_a_text_that_is_too_long_is_refused() -> None:
    assert render_markdown("a" * MAX_LENGTH) == f"<p>{'a' * MAX_LENGTH}</p>\n"
    with pytest.raises(ValueError, match="at most 30000"):
        render_markdown("a" * (MAX_LENGTH + 1))


def test_deep_nesting_stays_shallow() -> None:
    assert render_markdown(">" * 500 + "a").count("<blockquote>") <= 20


@given(st.text("<>&\"'`*_[]()!#-|:\n ax/javscript=", max_size=80) | st.text())
def test_only_allowed_tags_and_attributes_ever_come_out(text: str) -> None:
    for _, tag, attributes in TAG.findall(render_markdown(text)):
        assert tag in ALLOWED
        names = set(re.findall(r'([a-z]+)="[^"]*"', attributes))
        assert names <= ({"href", "rel", "title"} if tag == "a" else {"start"})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ""),
        ("*One*\n**two** `three`", "One two three"),
        ("# Head\n\ntext  \nbroken", "Head\ntext\nbroken"),
        ("- a\n- b\n  - c\n\nafter", "• a\n• b\n  • c\nafter"),
        ("3. three\n4. four", "3. three\n4. four"),
        ("> quoted [link](https://x.org)", "quoted link"),
        ("| grade | name |\n|---|---|\n| 0 | **not** |", "grade | name\n0 | not"),
        ("```\ncode\n```\n\n    more", "code\nmore"),
        ("<b>x</b> & y", "<b>x</b> & y"),
    ],
)
def test_what_is_read_without_the_marks(text: str, words: str) -> None:
    assert plain_text(text) == words


@given(st.text(max_size=200))
def test_any_text_has_plain_words(text: str) -> None:
    assert isinstance(plain_text(text), str)


def test_too_long_a_text_has_no_plain_words() -> None:
    with pytest.raises(ValueError, match="30001 characters"):
        plain_text("x" * (MAX_LENGTH + 1))
