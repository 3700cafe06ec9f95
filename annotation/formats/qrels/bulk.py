"""Qrels whose columns have names, many rows at once: ids and grades that are as nearly all of them are."""

from collections.abc import Sequence
from typing import cast

import numpy as np

from annotation.formats.fields import MAX_ID, WHITE, id_fault, whole_number
from annotation.formats.mapped import text_of_cell
from annotation.formats.objects import Json
from annotation.formats.qrels.table import Part
from annotation.formats.text import Ints, Text


class PairsInBulk:
    """The parts of a file that were read so, in its order; between them lie what was read row by row."""

    def __init__(self) -> None:
        self.parts: list[Part] = []

    def take(self, line: int, columns: Sequence[Sequence[Json]]) -> bool:
        """Numbers, docnos and grades of as many lines, of which the first is `line`; False where one is at fault."""
        return self.take_from(line + np.arange(len(columns[0])), columns)

    def take_from(self, lines: Ints, columns: Sequence[Sequence[Json]]) -> bool:
        """As `take`, from these lines."""
        number, docno, grade = _ids(columns[0]), _ids(columns[1]), _grades(columns[2])
        if number is None or docno is None or grade is None:
            return False
        self.parts.append(Part(Text.of(number), Text.of(docno), grade, lines))
        return True


def _ids(values: Sequence[Json]) -> Sequence[str] | None:
    """The ids that the values spell, or None where one of them is none."""
    kinds = set(map(type, values))
    if kinds not in ({str}, {int}):
        return None
    texts = cast("Sequence[str]", values) if kinds == {str} else list(map(str, values))
    whole = "".join(texts)
    if whole.isascii() and whole.isprintable() and " " not in whole:
        return texts if all(texts) and max(map(len, texts)) <= MAX_ID else None
    stripped = [text.strip(WHITE) for text in texts]
    return None if any(id_fault(text, "") for text in stripped) else stripped


def _grades(values: Sequence[Json]) -> Ints | None:
    """Whole numbers, or None where one of the values is none. There are few different ones."""
    if len(set(map(type, values))) != 1 or isinstance(values[0], (list, dict)):
        return None
    worth = {value: whole_number((text_of_cell(value) or "").strip(WHITE)) for value in set(values)}
    if None in worth.values():
        return None
    return np.array([worth[value] for value in values], np.int64)
