"""Tables on a page: which columns it shows, in which order rows stand, what each cell says."""

from collections.abc import Iterable, Sequence

from annotation.kernel.tables import Cell, Column, Row, Shown, Value

UNKNOWN = "–"


def shown_columns(columns: Sequence[Column[Row]], first: Sequence[str], rows: Sequence[Row]) -> list[Column[Row]]:
    """The columns of a page: those named first, then the others; without those that have nothing to show."""
    position = {name: number for number, name in enumerate(first)}
    with_values = [each for each in columns if each.shown and _has_any(each.shown, rows)]
    return sorted(with_values, key=lambda column: position.get(column.name, len(position)))


def cells_of(columns: Iterable[Column[Row]], row: Row) -> list[tuple[Column[Row], Cell]]:
    return [(column, _cell(column, row)) for column in columns]


def sorted_rows(columns: Iterable[Column[Row]], rows: Iterable[Row], sort: str) -> list[Row]:
    """By the column of this key, descending with `-` in front; as they are where there is none, and among equals."""
    key = sort.removeprefix("-")
    column = next((each for each in columns if key and each.sort == key), None)
    if column is None:
        return list(rows)
    return sorted(rows, key=lambda row: _sort_value(column, row), reverse=sort.startswith("-"))


def last_if_none(value: float | None) -> tuple[float, float]:
    return (1, 0) if value is None else (0, value)


def _has_any(shown: Shown[Row], rows: Sequence[Row]) -> bool:
    return shown.where_any is None or any(map(shown.where_any, rows))


def _cell(column: Column[Row], row: Row) -> Cell:
    if column.shown and column.shown.cell:
        return column.shown.cell(row)
    return Cell(format_value(column.get(row)))


def format_value(value: Value) -> str:
    match value:
        case None:
            return UNKNOWN
        case float():
            return f"{value:.2f}"
        case _:
            return str(value)


def _sort_value(column: Column[Row], row: Row) -> tuple[float, float]:
    if column.order:
        return column.order(row)
    value = column.get(row)
    assert value is None or isinstance(value, (int, float)), f"{column.name} needs an order of its own"
    return last_if_none(value)
