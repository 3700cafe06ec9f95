"""Pages as a tree of elements, from the standard library's parser; enough of it to find forms, tables and texts."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
SILENT = {"head", "script", "style", "template"}


@dataclass
class Element:
    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list["Element | str"] = field(default_factory=list)

    def get(self, name: str) -> str:
        return self.attributes.get(name, "")

    def has(self, name: str) -> bool:
        return name in self.attributes

    def all(self, *tags: str) -> Iterator["Element"]:
        """Every element of these tags below this one, in the order of the page."""
        for child in self.children:
            if isinstance(child, Element):
                if child.tag in tags:
                    yield child
                yield from child.all(*tags)

    @property
    def words(self) -> str:
        """The text a reader has, white space collapsed; signs that are only decoration left out."""
        return " ".join("".join(self._texts()).split())

    def _texts(self) -> Iterator[str]:
        for child in self.children:
            if isinstance(child, str):
                yield child
            elif child.tag not in SILENT and child.get("aria-hidden") != "true":
                yield from child._texts()


@dataclass
class Tree(Element):
    """A whole page."""

    ids: dict[str, Element] = field(default_factory=dict)

    def by_id(self, wanted: str) -> Element | None:
        return self.ids.get(wanted)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Tree("page")
        self.open: list[Element] = [self.root]

    def updatepos(self, i: int, j: int) -> int:
        """Nobody asks for the lines of what is read, and counting them takes a while."""
        return j

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.open[-1].children.append(element)
        if "id" in element.attributes:
            self.root.ids.setdefault(element.get("id"), element)
        if tag not in VOID:
            self.open.append(element)

    def handle_endtag(self, tag: str) -> None:
        if self.open[-1].tag == tag != self.root.tag:
            self.open.pop()
        elif any(element.tag == tag for element in self.open[1:]):
            while self.open.pop().tag != tag:
                pass

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)


def read_page(text: str) -> Tree:
    reader = _Reader()
    reader.feed(text)
    reader.close()
    return reader.root
