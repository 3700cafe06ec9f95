"""Rows in memory, narrowed and sorted as those of the database are."""

from dataclasses import dataclass

import pytest

from annotation.kernel.listed_rows import narrowed, sorted_by
from annotation.kernel.listing import Listed


@dataclass(frozen=True)
class Person:
    name: str
    score: float | None


ROWS = [Person("Birch", 0.5), Person("Alder", None), Person("Cedar", 0.9)]
SCORE: Listed[Person] = Listed("Score", lambda person: person.score, by="score")


@pytest.mark.parametrize(
    ("is_down", "names"), [(False, ["Birch", "Cedar", "Alder"]), (True, ["Cedar", "Birch", "Alder"])]
)
def test_what_has_no_value_stands_last_either_way(is_down: bool, names: list[str]) -> None:
    assert [row.name for row in sorted_by(ROWS, SCORE, is_down=is_down)] == names


def test_every_word_stands_somewhere_and_every_value_fits() -> None:
    assert [row.name for row in narrowed(ROWS, ["name"], "ar CE", {})] == ["Cedar"]
    assert [row.name for row in narrowed(ROWS, ["name"], "", {"score": "0.5"})] == ["Birch"]
    assert narrowed(ROWS, ["name"], "er birch", {}) == []
