"""Refuses a key that stands twice in a file, with a problem that names both lines."""

from collections.abc import Callable, Hashable, Iterator
from typing import BinaryIO, Protocol, TypeAlias, TypeVar

from annotation.formats.file_formats import Columns
from annotation.formats.problems import Problems


class Placed(Protocol):
    """A row that knows its line."""

    @property
    def line(self) -> int: ...


Row = TypeVar("Row", bound=Placed)
Reading: TypeAlias = Callable[[BinaryIO, Problems, Columns], Iterator[Row]]


class OncePerFile:
    """Remembers on which line a key stood first."""

    def __init__(self, problems: Problems) -> None:
        self._problems = problems
        self._first: dict[Hashable, int] = {}

    def accepts(self, key: Hashable, line: int, words: str) -> bool:
        """True the first time; later a problem: "{words} twice, first on line n"."""
        first = self._first.setdefault(key, line)
        if first != line:
            self._problems.add_repeat(line, f"{words} twice, first on line {first}")
        return first == line


def each_once(read: Reading[Row], *, key: Callable[[Row], str], word: str) -> Reading[Row]:
    """`read`, with each key once, and a problem where there is no `word` (topic, document) at all."""

    def reading(stream: BinaryIO, problems: Problems, columns: Columns) -> Iterator[Row]:
        once, empty = OncePerFile(problems), True
        for row in read(stream, problems, columns):
            empty = False
            if once.accepts(key(row), row.line, f"{word} {key(row)}"):
                yield row
        if empty and not problems:
            problems.add(0, f"there is no {word} in this file")

    return reading
