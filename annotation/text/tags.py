"""HTML as a run of tags and texts, as browsers cut it: linear in its length, whatever is in it.

Not a parser: nothing is nested here. What is inside comments, scripts, styles and the like is left out; the text of
`<title>` comes as text after its tag. A tag or comment that never ends takes the rest with it, as in browsers.
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
        found: dict[str, str] = {}
        for name, *values in _ATTRIBUTE.findall(self.source[:_MOST_ATTRIBUTES]):
            found.setdefault(name.lower(), "".join(values))
        return found


def pieces(html: str) -> Iterator[Tag | str]:
    """Tags and the stretches of text between them, character references as they stand."""
    place = 0
    for start, end, tag in _tags(html):
        if start > place:
            yield html[place:start]
        if tag:
            yield tag
        place = end
    if place < len(html):
        yield html[place:]


def _tags(html: str) -> Iterator[tuple[int, int, Tag | None]]:
    """`(start, end, tag)` of each tag, and of each stretch to leave out, without a tag."""
    place = 0
    while found := _OPENING.search(html, place):
        if found[2] is None:
            place = _after(html, "-->" if found[0] == "<!--" else ">", found.end())
            yield found.start(), place, None
            continue
        place = _end_of_tag(html, found.end())
        if html[place - 1] != ">":
            yield found.start(), place, None
            return
        tag = Tag(found[2].lower(), bool(found[1]), html[found.end() : place])
        yield found.start(), place, tag
        if tag.name in UNREAD and not tag.closes:
            start, place = place, _end_of_unread(html, tag.name, place)
            yield start, place, None


def _end_of_tag(html: str, place: int) -> int:
    """Behind the `>` that ends the tag: one in quotes, behind a `=`, does not."""
    while found := _IN_TAG.search(html, place):
        if found[0] == ">":
            return found.end()
        place = found.end()
        if html[found.start() - 1] in "= \t\n\r\f":
            place = _after(html, found[0], place)
    return len(html)


def _after(html: str, mark: str, place: int) -> int:
    at = html.find(mark, place)
    return len(html) if at < 0 else at + len(mark)


def _end_of_unread(html: str, name: str, place: int) -> int:
    closing = re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE).search(html, place) if name != "plaintext" else None
    return closing.start() if closing else len(html)
