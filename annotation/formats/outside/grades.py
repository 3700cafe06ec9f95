"""Grades as other tools write them: whole numbers, or words for which somebody has said what they are worth."""

from collections.abc import Mapping

from annotation.formats.fields import WHITE, shown, whole_number
from annotation.formats.outside.rows import CANNOT_JUDGE
from annotation.formats.problems import Problems

CANNOT = "cannot"
SHOWN = 20  # words


def parse_grade_map(text: str) -> dict[str, int]:
    """`highly relevant=3, not=0, broken=cannot`: what each word is worth, by the word as `word_key` compares it.

    Entries stand on lines of their own, or between semicolons or commas (commas only where there is neither of the
    others). Numbers may be mapped too (`2=4`). `cannot` is `CANNOT_JUDGE`. Raises `ValueError` that says what is wrong.
    """
    mark = next((mark for mark in "\n;" if mark in text.strip(WHITE)), ",")
    grades: dict[str, int] = {}
    for entry in filter(None, (part.strip(WHITE) for part in text.split(mark))):
        word, equals, worth = (part.strip(WHITE) for part in entry.rpartition("="))
        grade = CANNOT_JUDGE if worth.lower() == CANNOT else whole_number(worth)
        if not equals or not word or grade is None:
            raise ValueError(f"{shown(entry)} is not of the form word=grade, or word={CANNOT}")
        if grades.setdefault(word_key(word), grade) != grade:
            raise ValueError(f"{shown(word)} has two grades")
    return grades


def word_key(word: str) -> str:
    """Case and runs of blanks make no difference."""
    return " ".join(word.casefold().split())


class GradeReader:
    """Text to grade. Words without a grade are collected and reported at the end as one problem."""

    def __init__(self, grades: Mapping[str, int]) -> None:
        self._grades = grades
        self._grade_of_text: dict[str, int] = {}
        self._words: dict[str, int] = {}  # the line of each
        self._n = 0

    def grade(self, text: str, line: int) -> int | None:
        cached = self._grade_of_text.get(text)
        if cached is not None:
            return cached
        grade = self._grades.get(word_key(text), whole_number(text))
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
