"""A page as lines that diff well: a line each tag and text, without the spaces that no browser shows.

A template may be wrapped otherwise without a difference. A space between words or inline elements counts, and is
written as ␣ at the ends of a line, so that `without_spaces` can take it away.
"""

import re
from html.parser import HTMLParser

SPACE = "␣"
INLINE = frozenset({
    "a", "abbr", "b", "bdi", "bdo", "button", "cite", "code", "data", "del", "dfn", "em", "i", "img", "input",
    "ins", "kbd", "label", "mark", "meter", "output", "progress", "q", "s", "samp", "select", "small", "span",
    "strong", "sub", "sup", "svg", "time", "u", "var", "wbr",
})  # fmt: skip
VERBATIM = frozenset({"pre", "textarea", "script", "style"})
_SPACES = re.compile(r"[ \t\r\n\f]+")
_DRAWN = {"csrfmiddlewaretoken"}  # hidden fields with a value of their own on every page


def normal_html(page: str) -> str:
    reader = _Reader()
    reader.feed(page)
    reader.close()
    return "".join(f"{line}\n" for line in reader.all_lines())


def without_spaces(lines: list[str]) -> list[str]:
    """The lines of `normal_html` as they would be if no space between words and tags counted."""
    return [bare for line in lines if (bare := line.strip(SPACE))]


class _Reader(HTMLParser):
    """Collects tags and texts; a text is written when the tag after it is known."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[str] = []
        self.text = ""
        self.after_block = True
        self.verbatim = 0

    def all_lines(self) -> list[str]:
        self._end_text(before_block=True)
        return self.lines

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._tag(tag, f"<{tag}{''.join(_attribute(tag, dict(attrs), *each) for each in attrs)}>")
        self.verbatim += tag in VERBATIM

    def handle_endtag(self, tag: str) -> None:
        self.verbatim -= tag in VERBATIM
        self._tag(tag, f"</{tag}>", verbatim=tag in VERBATIM)

    def handle_decl(self, decl: str) -> None:
        self._tag("!doctype", f"<!{decl}>")

    def handle_data(self, data: str) -> None:
        self.text += data

    def _tag(self, tag: str, line: str, *, verbatim: bool = False) -> None:
        is_block = tag not in INLINE
        self._end_text(before_block=is_block, verbatim=verbatim)
        self.lines.append(line)
        self.after_block = is_block

    def _end_text(self, *, before_block: bool, verbatim: bool = False) -> None:
        text, self.text = self.text, ""
        if self.verbatim or verbatim:
            self.lines += text.splitlines()
            return
        text = _SPACES.sub(" ", text)
        text = text.lstrip(" ") if self.after_block else text
        text = text.rstrip(" ") if before_block else text
        if text:
            inner = text.strip(" ")
            self.lines.append(SPACE * text.startswith(" ") + inner + SPACE * (bool(inner) and text.endswith(" ")))


def _attribute(tag: str, attributes: dict[str, str | None], name: str, value: str | None) -> str:
    if value is None:
        return f" {name}"
    if tag == "input" and name == "value" and attributes.get("name") in _DRAWN:
        value = "…"
    return f' {name}="{value if name == "value" else _SPACES.sub(" ", value).strip(" ")}"'
