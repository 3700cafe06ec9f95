"""DataFrames of pandas and polars, by what both have: names of columns, and a column by its name."""

from collections.abc import Sequence
from typing import Protocol, TypeGuard

from annotation.formats.column_names import DOCNO, NUMBER
from annotation.formats.mapping import Meaning, find_columns
from evaluation.formats.run.objects import TAG
from touchstone.library.tables import MemoryTable


class Column(Protocol):
    def to_list(self) -> list[object]: ...


class Frame(Protocol):
    """A frame that is there: of polars' lazy ones `collect()` makes such."""

    @property
    def columns(self) -> Sequence[str]: ...

    def __len__(self) -> int: ...

    def __getitem__(self, name: str) -> Column: ...


def is_frame(source: object) -> TypeGuard[Frame]:
    return all(hasattr(source, name) for name in ("__len__", "__getitem__", "columns"))


def table_of_frame(title: str, frame: Frame, value: Meaning) -> MemoryTable:
    """The three columns of a frame, found by their names as in tables of files (docs/formats.md).

    Raises `ValueError` for a column that is not there.
    """
    columns = [str(name) for name in frame.columns]
    meanings = (NUMBER, DOCNO, value)
    mapping = find_columns(columns, meanings, {})
    for missing in mapping.missing(meanings):
        names = ", ".join(missing.names[:6])
        raise ValueError(f"{title}: no column of the {missing.name} ({names} …); there are {', '.join(columns)}")
    query, document, number = (frame[mapping.column[each.name]].to_list() for each in meanings)
    return MemoryTable.of_columns(title, query, document, number)


def tag_of_frame(title: str, frame: Frame) -> str:
    """The tag of a run that a column names, or an empty text. Raises `ValueError` where it names several."""
    column = find_columns([str(name) for name in frame.columns], (TAG,), {}).column.get(TAG.name)
    tags = [] if column is None else list(dict.fromkeys(map(str, frame[column].to_list())))
    if len(tags) > 1:
        named = ", ".join(tags[:3])
        raise ValueError(f"{title}: {len(tags)} runs in the column {column} ({named} …); one frame holds one run")
    return tags[0] if tags else ""
