"""Each key once in a file, else a problem that names both lines."""

from collections.abc import Hashable

from annotation.formats.problems import Problems


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
