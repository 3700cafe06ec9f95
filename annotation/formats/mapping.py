"""Which column or key of a file holds what: by its name, or as a person has chosen.

A choice is the name of a column, or `=` and a value that every row then has: `number` → `=rte`. A
column that is called so itself is meant first.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from annotation.formats.fields import WHITE, shown
from annotation.formats.file_formats import Columns
from annotation.formats.problems import Problems

CONSTANT = "="
SHOWN = 20  # columns that a fault lists
_LAST_PART = re.compile(r"[.:]")


@dataclass(frozen=True)
class Meaning:
    """Something that a row holds: the names that columns of it go by, the likeliest first."""

    name: str
    names: tuple[str, ...]
    needed: bool = True


@dataclass(frozen=True)
class ColumnMapping:
    """Where the values of a row come from, by meaning."""

    column: Mapping[str, str]
    constant: Mapping[str, str]

    def has(self, meaning: str) -> bool:
        return meaning in self.column or meaning in self.constant

    def missing(self, meanings: Iterable[Meaning]) -> list[Meaning]:
        return [meaning for meaning in meanings if meaning.needed and not self.has(meaning.name)]

    def meanings_of(self, file_columns: Sequence[str]) -> list[tuple[str, str]]:
        """`(column, meaning)` of each column of the file, the meaning empty where it is left aside."""
        meaning = {column: name for name, column in self.column.items()}
        return [(column, meaning.pop(column, "")) for column in file_columns]


def plain(name: str) -> str:
    """A name as names are compared: `Query-ID` is `query_id`."""
    return name.strip(WHITE).lower().replace("-", "_").replace(" ", "_")


def find_columns(
    file_columns: Sequence[str], meanings: Sequence[Meaning], chosen: Columns, *, alone: bool = False
) -> ColumnMapping:
    """Chosen columns first, then for each other meaning the likeliest of its names; no column means two things.

    Of a name like `Input.query_id` or `INPUT:query_id` the last part counts too. `alone`: a column is taken only where
    it is the only one that may be meant. A chosen column that the file does not have is left out: `refuse_unknown`.
    """
    names = [meaning.name for meaning in meanings]
    column = {name: chosen[name] for name in names if chosen.get(name) in file_columns}
    constant = {
        name: chosen[name].removeprefix(CONSTANT)
        for name in names
        if name not in column and chosen.get(name, "").startswith(CONSTANT)
    }
    for meaning in meanings:
        if meaning.name not in column and not chosen.get(meaning.name):
            free = [name for name in file_columns if name not in column.values()]
            fitting = sorted((at, i) for i, name in enumerate(free) if (at := _rank(name, meaning)) is not None)
            if fitting and (not alone or len(fitting) == 1):
                column[meaning.name] = free[fitting[0][1]]
    return ColumnMapping(column, constant)


def _rank(name: str, meaning: Meaning) -> int | None:
    """The place among the meaning's names; whole names come before last parts."""
    for i, text in enumerate((plain(name), plain(_LAST_PART.split(name)[-1]))):
        if text in meaning.names:
            return i * len(meaning.names) + meaning.names.index(text)
    return None


@dataclass(frozen=True)
class Among:
    """Where a tool keeps a meaning: only in columns whose names begin so, and nothing is taken unless one alone fits.

    `any_name`: if there is but one such column, it is meant, whatever it is called.
    """

    beginning: str
    any_name: bool = False

    def of(self, file_columns: Iterable[str]) -> list[str]:
        return [name for name in file_columns if name.startswith(self.beginning)]


def find_columns_among(
    file_columns: Sequence[str], meanings: Sequence[Meaning], chosen: Columns, among: Mapping[str, Among]
) -> ColumnMapping:
    """As `find_columns`; a meaning that `among` names is looked for only in the columns it gives."""
    columns = dict(chosen)
    for meaning in meanings:
        area = among.get(meaning.name)
        if area and not columns.get(meaning.name):
            free = [name for name in area.of(file_columns) if name not in columns.values()]
            column = find_columns(free, [meaning], {}, alone=True).column.get(meaning.name)
            if column is None and area.any_name and len(free) == 1:
                column = free[0]
            columns |= {meaning.name: column} if column else {}
    wanted = [each for each in meanings if each.name not in among or columns.get(each.name)]
    return find_columns(file_columns, wanted, columns)


SPOKEN = {"number": "topic’s number"}  # what a meaning is called where its name alone does not say


def refuse_unknown(
    file_columns: Sequence[str], meanings: Sequence[Meaning], chosen: Columns, problems: Problems
) -> None:
    """A problem for each chosen column that the file does not have."""
    for name in (meaning.name for meaning in meanings):
        column = chosen.get(name, "")
        if column and column not in file_columns and not column.startswith(CONSTANT):
            problems.add(0, f"there is no column {shown(column)} for the {name}; there are {listed(file_columns)}")


def refuse_missing(
    file_columns: Sequence[str], missing: Iterable[Meaning], problems: Problems, among: Mapping[str, Among]
) -> None:
    """A problem for each thing that no column holds."""
    for meaning in missing:
        names = among[meaning.name].of(file_columns) if meaning.name in among else []
        what = SPOKEN.get(meaning.name, meaning.name)
        reason = f"no column for the {what} is recognised: choose one of {listed(names or file_columns)}"
        problems.add(0, f"{reason}, or a value for all rows ({CONSTANT}value)")


def listed(file_columns: Sequence[str]) -> str:
    more = f" and {len(file_columns) - SHOWN} more" if len(file_columns) > SHOWN else ""
    return ", ".join(map(shown, file_columns[:SHOWN])) + more
