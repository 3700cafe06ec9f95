"""HTML as a run of tags and texts, as browsers cut it: linear in its length, whatever is in it.

Not a parser: nothing is nested here. What is inside comments, scripts, styles and the like is left
out; the text of `<title>` comes as text after its tag. A tag or comment that never ends takes the
rest with it, as in browsers.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

# Elements whose content is no markup, and no text that anybody reads.
UNREAD = frozenset({"script", "style", "noframes", "noembed", "iframe", "xmp", "textarea", "plaintext"})

_OPENING = re.compile(r"<(?:(/?)([A-Za-z][^\s/>]*)|!--|[!?/])")
_IN_TAG = re.compile(r"[>\"']")
_ATTRIBUTE = re.compile(r"""([^\s"'>/=]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")
_MOST_ATTRIBUTES = 2000  # characters of a tag in which attributes are looked for


@dataclass(frozen=True)
class Tag:
    """A start or end tag; names in lower case. Of an attribute that stands twice the first counts."""

    name: str
    closes: bool
    source: str = ""

    def attributes(self) -> dict[str, str]:
        attributes: dict[str, str] = {}
        for name, *values in _ATTRIBUTE.findall(self.source[:_MOST_ATTRIBUTES]):
            attributes.setdefault(name.lower(), "".join(values))
        return attributes


def pieces(html: str) -> Iterator[Tag | str]:
    """Tags and the stretches of text between them, character references as they stand."""
    position = 0
    for start, end, tag in _tags(html):
        if start > position:
            yield html[position:start]
        if tag:
            yield tag
        position = end
    if position < len(html):
        yield html[position:]


def _tags(html: str) -> Iterator[tuple[int, int, Tag | None]]:
    """`(start, end, tag)` of each tag, and of each stretch to leave out, without a tag."""
    position = 0
    while match := _OPENING.search(html, position):
        if match[2] is None:
            position = _after(html, "-->" if match[0] == "<!--" else ">", match.end())
            yield match.start(), position, None
            continue
        position = _end_of_tag(html, match.end())
        if html[position - 1] != ">":
            yield match.start(), position, None
            return
        tag = Tag(match[2].lower(), bool(match[1]), html[match.end() : position])
        yield match.start(), position, tag
        if tag.name in UNREAD and not tag.closes:
            start, position = position, _end_of_unread(html, tag.name, position)
            yield start, position, None


def _end_of_tag(html: str, position: int) -> int:
    """Behind the `>` that ends the tag: one in quotes, behind a `=`, does not."""
    while match := _IN_TAG.search(html, position):
        if match[0] == ">":
            return match.end()
        position = match.end()
        if html[match.start() - 1] in "= \t\n\r\f":
            position = _after(html, match[0], position)
    return len(html)


def _after(html: str, mark: str, position: int) -> int:
    at = html.find(mark, position)
    return len(html) if at < 0 else at + len(mark)


def _end_of_unread(html: str, name: str, position: int) -> int:
    closing = re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE).search(html, position) if name != "plaintext" else None
    return closing.start() if closing else len(html)
