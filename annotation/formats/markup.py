"""What SGML, XML and HTML have in common: character references, and text set in wrapped lines."""

import html
import re

from annotation.formats.fields import WHITE

_REFERENCE = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_TRECS_OWN = {"&blank;": " ", "&hyph;": "-"}  # of the Federal Register, in no other list


def unescaped(text: str) -> str:
    """Character references as characters. Only those that end with `;`: `R&D` and `?a=1&copy=2` stay as they are."""
    return _REFERENCE.sub(lambda reference: _TRECS_OWN.get(reference[0]) or html.unescape(reference[0]), text)


def unwrapped(text: str, *, indents: bool = False) -> str:
    """Wrapped lines joined, white space single; a blank line begins a new paragraph, which is a line of the result.

    `indents`: so does a line that begins with white space.
    """
    paragraphs: list[list[str]] = [[]]
    for line in text.split("\n"):
        words = line.split()
        if not words or (indents and line[0] in WHITE):
            paragraphs.append([])
        paragraphs[-1] += words
    return "\n".join(" ".join(words) for words in paragraphs if words)
