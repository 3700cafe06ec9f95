"""What is wrong with an input, by file, line and reason.

Every parser takes a `Problems` and goes on after a bad line, so that a person sees the first twenty
faults at once instead of one at a time. Nothing is stored while there is a problem.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass(frozen=True, order=True)
class Problem:
    """One fault. `line` counts from 1; 0 means the file as a whole."""

    file: str
    line: int
    reason: str

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}" if self.line else self.file
        return f"{where}: {self.reason}"


class FormatError(ValueError):
    """The input cannot be used. `problems` holds every fault found, in file order."""

    def __init__(self, problems: list[Problem], *, total: int | None = None) -> None:
        self.problems = problems
        self.total = len(problems) if total is None else total
        more = f" (and {self.total - 1} more)" if self.total > 1 else ""
        super().__init__(f"{problems[0]}{more}")


@dataclass
class Problems:
    """Collects the faults of one file; keeps the first `keep` and counts the rest.

    `notes` tells what was changed or left aside on the way in; a note stops nothing. `aside` are rows that were left
    aside because somebody said so, the first `keep`. `repeats` counts those of the
    faults that are an id standing twice.
    """

    file: str
    keep: int = 1000
    total: int = 0
    repeats: int = 0
    kept: list[Problem] = field(default_factory=list)
    notes: list[Problem] = field(default_factory=list)
    aside: list[Problem] = field(default_factory=list)

    def add(self, line: int, reason: str) -> None:
        self.total += 1
        if len(self.kept) < self.keep:
            self.kept.append(Problem(self.file, line, reason))

    def add_repeat(self, line: int, reason: str) -> None:
        """As `add`, for what stands twice in the file."""
        self.repeats += 1
        self.add(line, reason)

    def note(self, line: int, reason: str) -> None:
        self.notes.append(Problem(self.file, line, reason))

    def leave_aside(self, line: int, reason: str) -> None:
        """In place of `add`, where such rows are to be left aside."""
        if len(self.aside) < self.keep:
            self.aside.append(Problem(self.file, line, reason))

    def take(self, other: "Problems") -> None:
        """Add what was found in a part of the file, under that part's own name."""
        self.kept += list(other)[: max(0, self.keep - len(self.kept))]
        self.total += other.total
        self.repeats += other.repeats
        self.notes += other.notes
        self.aside += other.aside[: max(0, self.keep - len(self.aside))]

    def take_fault(self, fault: FormatError) -> None:
        """Add the faults of an error, unless they are those that this has already."""
        if not self.total:
            self.kept += fault.problems[: self.keep]
            self.total = fault.total

    def stop(self, line: int, reason: str) -> FormatError:
        """The error to raise when reading on makes no sense (`raise problems.stop(…)`)."""
        self.add(line, reason)
        return FormatError(list(self), total=self.total)

    def check(self) -> None:
        """Raise `FormatError` if anything was wrong."""
        if self.total:
            raise FormatError(list(self), total=self.total)

    def __bool__(self) -> bool:
        return bool(self.total)

    def __iter__(self) -> Iterator[Problem]:
        """By part and line: faults between lines and against the collection are found after those of form."""
        parts = {problem.file: at for at, problem in reversed(list(enumerate(self.kept)))}
        return iter(sorted(self.kept, key=lambda problem: (parts[problem.file], problem.line)))
