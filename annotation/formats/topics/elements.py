"""Topics made of elements: what SGML and XML have in common once their tags are read."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from annotation.formats.file_formats import Columns
from annotation.formats.mapping import find_columns, refuse_unknown
from annotation.formats.markup import unwrapped
from annotation.formats.problems import Problems
from annotation.formats.topics.rows import MEANINGS, OWN_TEXT, TopicRow, checked, note_aside

MOST = 1 << 20  # characters of a topic
Clean: TypeAlias = Callable[[str, str], str]  # meaning and text -> the text without what only introduces it

REMEMBERED = 1000  # names of elements, for what is said at the end
ONCE = ("number", "title")  # twice in a topic means that two topics have run together


@dataclass
class Elements:
    """The parts of one topic: each element's texts, under its name. `line` is where the topic begins."""

    line: int
    pieces: dict[str, list[list[str]]] = field(default_factory=dict)
    length: int = 0

    def begin(self, name: str) -> None:
        self.length += len(name)
        self.pieces.setdefault(name, []).append([])

    def texts(self) -> dict[str, list[str]]:
        """The texts of each element; what stands beside them only where that is more than white space."""
        joined = {name: ["".join(text) for text in texts] for name, texts in self.pieces.items()}
        return {name: texts for name, texts in joined.items() if name != OWN_TEXT or "".join(texts).strip()}

    def add(self, name: str, text: str) -> None:
        self.length += len(text)
        self.pieces[name][-1].append(text)


@dataclass
class Making:
    """Turns elements into topics, and remembers which of them were left aside."""

    problems: Problems
    columns: Columns
    elements: dict[str, None] = field(default_factory=dict)
    aside: set[str] = field(default_factory=set)

    def row(self, topic: Elements, clean: Clean) -> TopicRow | None:
        texts = topic.texts()
        if len(self.elements) < REMEMBERED:
            self.elements.update(dict.fromkeys(texts))
        mapping = find_columns(list(texts), MEANINGS, self.columns)
        if len(self.aside) < REMEMBERED:
            self.aside |= texts.keys() - set(mapping.column.values())
        if not mapping.has("number"):
            self.problems.add(topic.line, "this topic has no number")
            return None
        values = dict(mapping.constant)
        for meaning, name in mapping.column.items():
            if meaning in ONCE and len(texts[name]) > 1:
                self.problems.add(topic.line, f"this topic has {len(texts[name])} {name}s: has it run into the next?")
                return None
            values[meaning] = "\n".join(filter(None, (unwrapped(clean(meaning, part)) for part in texts[name])))
        others = [] if mapping.has("title") else [name for name in texts if name != mapping.column.get("number")]
        return checked(values, topic.line, self.problems, others=others)

    def end(self) -> None:
        if self.elements:
            refuse_unknown(list(self.elements), MEANINGS, self.columns, self.problems)
        note_aside(list(self.aside), "elements", self.problems)
