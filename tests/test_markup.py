"""Pages as tests read them."""

import pytest

from tests.markup import compact


@pytest.mark.parametrize(
    ("page", "line"),
    [
        ("<td>\n  3\n</td>\n<td>4</td>", "<td>3</td><td>4</td>"),
        ("<p>\n  Nothing\n  waits for <b>you</b>.\n</p>", "<p>Nothing waits for <b>you</b>.</p>"),
        ("one <b>two</b> <i>three</i>", "one <b>two</b> <i>three</i>"),
        ("one<b>two</b>\n<i>three</i>", "one<b>two</b> <i>three</i>"),
        ('<a class="x"\n  href="/"\n  >Home</a>', '<a class="x" href="/">Home</a>'),
        ("<div>\n<pre>a\n  b</pre>\n</div>", "<div><pre>a\n  b</pre></div>"),
        ("3\xa0bytes", "3\xa0bytes"),
    ],
)
def test_lines_of_a_page_do_not_matter_and_blanks_do(page: str, line: str) -> None:
    assert compact(page) == line
