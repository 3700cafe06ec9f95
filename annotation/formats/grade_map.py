"""Grades as other tools write them: whole numbers, or words for which somebody has said what they are worth."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType

from annotation.formats.fields import WHITE, shown, whole_number
from annotation.formats.file_formats import Columns
from annotation.formats.problems import Problems

CANNOT_JUDGE = -999_999_999  # where a map of grades says `cannot`: on no scale, so that it never counts as a grade
GRADES = "grades"  # among the chosen columns: what grades are worth, see `parse_grade_map`
CANNOT = "cannot"
BEYOND = 1 << 40  # above every grade: words are numbers from here on, while a file is read
SHOWN = 20  # words


def parse_grade_map(text: str) -> dict[str, int]:
    """`highly relevant=3, not=0, broken=cannot`: what each word is worth, by the word as `word_key` compares it.

    Entries stand on lines of their own, or between semicolons or commas (commas only where there is neither of the
    others). Numbers may be mapped too (`2=4`), and what is empty (`=cannot`). `cannot` is `CANNOT_JUDGE`. Raises
    `ValueError` that says what is wrong.
    """
    mark = next((mark for mark in "\n;" if mark in text.strip(WHITE)), ",")
    grades: dict[str, int] = {}
    for entry in filter(None, (part.strip(WHITE) for part in text.split(mark))):
        word, equals, worth = (part.strip(WHITE) for part in entry.rpartition("="))
        grade = CANNOT_JUDGE if worth.lower() == CANNOT else whole_number(worth)
        if not equals or grade is None:
            raise ValueError(f"{shown(entry)} is not of the form word=grade, or word={CANNOT}")
        if grades.setdefault(word_key(word), grade) != grade:
            raise ValueError(f"{shown(word)} has two grades")
    return grades


def word_key(word: str) -> str:
    """Case and runs of blanks make no difference."""
    return " ".join(word.casefold().split())


@dataclass(frozen=True)
class GradeMap:
    """What the grades of one file are worth; those that it does not name stay what they are.

    A file is read with words as numbers of their own (`code`), which are mapped at the end (`worth_of`).
    """

    worth: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))

    def code(self, text: str) -> int | None:
        """The whole number that a cell holds, or that stands for its word; None where it is neither."""
        number = whole_number(text)
        return self._codes.get(word_key(text)) if number is None else number

    def grade(self, text: str) -> int | None:
        """What a cell is worth; None as in `code`."""
        code = self.code(text)
        return None if code is None else self.worth_of(code)

    def worth_of(self, code: int) -> int:
        """What a code is worth."""
        return self._worth_by_code.get(code, code)

    @cached_property
    def _codes(self) -> dict[str, int]:
        words = [word for word in self.worth if whole_number(word) is None]
        return {word: BEYOND + index for index, word in enumerate(words)}

    @cached_property
    def _worth_by_code(self) -> dict[int, int]:
        codes = {word: self.code(word) for word in self.worth}
        return {code: self.worth[word] for word, code in codes.items() if code is not None}


NO_MAP = GradeMap()


def grade_map_of(columns: Columns, problems: Problems) -> GradeMap:
    """The map among the chosen columns. Raises `FormatError` where it is none."""
    try:
        return GradeMap(parse_grade_map(columns.get(GRADES, "")))
    except ValueError as error:
        raise problems.stop(0, f"the map of grades: {error}") from error


class GradeReader:
    """Text to grade. Words without a grade are collected and reported at the end as one problem."""

    def __init__(self, grades: GradeMap) -> None:
        self._grades = grades
        self._grade_of_text: dict[str, int] = {}
        self._words: dict[str, int] = {}  # the line of each
        self._n = 0

    def grade(self, text: str, line: int) -> int | None:
        cached = self._grade_of_text.get(text)
        if cached is not None:
            return cached
        grade = self._grades.grade(text)
        if grade is not None:
            self._grade_of_text[text] = grade
            return grade
        self._n += 1
        if len(self._words) <= SHOWN:
            self._words.setdefault(text, line)
        return None

    def tell(self, problems: Problems) -> None:
        if self._words:
            more = " …" if len(self._words) > SHOWN else ""
            words = ", ".join(map(shown, list(self._words)[:SHOWN])) + more
            line = next(iter(self._words.values()))
            problems.add(
                line, f"grades that are no whole numbers ({self._n}): {words}; say what each is worth (word=grade)"
            )
