"""Small run and qrels files that must be refused, with the exact words, and others that must be read.

They are made here and not kept as files: half of them hold bytes that an editor or git would mend on the way.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

Row = TypeVar("Row")


@dataclass(frozen=True)
class Malformed:
    """A file and every fault that must be found in it, as `file:line: reason`."""

    name: str
    data: bytes
    faults: tuple[str, ...]

    @property
    def is_of_lines(self) -> bool:
        """Whether the faults are those of lines, so that good lines around them change nothing but the numbers."""
        return all(re.match(r"\S+:\d+: ", fault) for fault in self.faults)

    def shifted(self, n_lines: int) -> tuple[str, ...]:
        """The faults as they are when `n_lines` good lines come before; the first tag is then that of line 1."""
        places = re.compile(r"(?<=:)\d+(?=: )|(?<= in line )\d+(?!: a file)")
        return tuple(places.sub(lambda match: str(int(match[0]) + n_lines), fault) for fault in self.faults)


@dataclass(frozen=True)
class Accepted(Generic[Row]):
    """A file and its rows."""

    name: str
    data: bytes
    rows: tuple[Row, ...]


def malformed(file: str, cases: Iterable[tuple[str, bytes, str]]) -> list[Malformed]:
    """From `(name, bytes, faults)`; each line of the faults is `line: reason`, or the reason alone for a whole file."""
    return [
        Malformed(name, data, tuple(_fault(file, line) for line in faults.splitlines())) for name, data, faults in cases
    ]


def _fault(file: str, text: str) -> str:
    return f"{file}:{text}" if re.match(r"\d+: ", text) else f"{file}: {text}"
