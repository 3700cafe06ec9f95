"""One list of columns: what the file, the page and the API read of it."""

from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal

from annotation.kernel.api.tables import serializer_of
from annotation.kernel.page_tables import cells_of, shown_columns, sorted_rows
from annotation.kernel.tables import Cell, Column, Kind, Shown, Value, csv_lines, natural_order, rows_csv


@dataclass(frozen=True)
class Bee:
    name: str
    weight: float | None = None
    is_queen: bool = False


COLUMNS: tuple[Column[Bee], ...] = (
    Column("name", lambda bee: bee.name, help="As it is called."),
    Column("weight", lambda bee: bee.weight, Kind.NUMBER, nullable=True, sort="heavy", shown=Shown("Weight")),
    Column(
        "queen",
        lambda bee: bee.is_queen,
        Kind.YES_NO,
        shown=Shown("Queen", cell=lambda bee: Cell("♛"), where_any=lambda bee: bee.is_queen),
    ),
)
MAJA, WILLI, QUEEN = Bee("=Maja", 0.5), Bee("Willi"), Bee("Queen", 2.0, is_queen=True)


def spelling(value: Value, kind: Kind = Kind.TEXT, decimals: int = 4) -> str:
    column: Column[Value] = Column("it", lambda row: row, kind, decimals=decimals)
    return list(csv_lines([column], [value]))[1].decode().removesuffix("\r\n")


def test_a_file_has_a_header_and_a_line_a_row() -> None:
    assert rows_csv(COLUMNS, [MAJA, WILLI]) == b"name,weight,queen\r\n'=Maja,0.5000,no\r\nWilli,,no\r\n"


def test_how_values_are_written() -> None:
    assert [spelling(value) for value in (True, 3, 2.0, Decimal("1.50"))] == ["yes", "3", "2.0000", "1.50"]
    assert spelling(2.04, Kind.NUMBER, decimals=1) == "2.0"
    assert spelling(datetime(2026, 3, 2, 9, 5, tzinfo=UTC)) == "2026-03-02T09:05:00Z"
    assert spelling(date(2026, 3, 2)) == "2026-03-02"
    assert (spelling("=1+1"), spelling("=1+1", Kind.ID)) == ("'=1+1", "=1+1")


def test_a_page_shows_the_columns_that_have_something_to_show() -> None:
    def names(*bees: Bee, first: tuple[str, ...] = ()) -> list[str]:
        return [column.name for column in shown_columns(COLUMNS, first, bees)]

    assert names(MAJA) == ["weight"]
    assert names(MAJA, QUEEN) == ["weight", "queen"]
    assert names(QUEEN, first=("queen",)) == ["queen", "weight"]


def test_the_cells_of_a_row() -> None:
    columns = shown_columns(COLUMNS, (), [QUEEN])
    assert [cell for _, cell in cells_of(columns, QUEEN)] == [Cell("2.00"), Cell("♛")]
    assert [cell for _, cell in cells_of(columns[:1], WILLI)] == [Cell("–")]


def test_rows_are_sorted_by_a_key_and_the_unknown_stand_above_the_highest() -> None:
    bees = [WILLI, QUEEN, MAJA]
    assert sorted_rows(COLUMNS, bees, "heavy") == [MAJA, QUEEN, WILLI]
    assert sorted_rows(COLUMNS, bees, "-heavy") == [WILLI, QUEEN, MAJA]
    assert sorted_rows(COLUMNS, bees, "colour") == bees
    assert sorted_rows(COLUMNS, bees, "") == bees


def test_a_serializer_has_a_field_a_column() -> None:
    serializer = serializer_of("Bee", COLUMNS, "A bee.")
    assert (serializer.__name__, serializer.__doc__) == ("BeeSerializer", "A bee.")
    fields = serializer().fields
    assert [(name, field.allow_null, field.help_text) for name, field in fields.items()] == [
        ("name", False, "As it is called."),
        ("weight", True, None),
        ("queen", False, None),
    ]
    assert serializer(MAJA).data == {"name": "=Maja", "weight": 0.5, "queen": False}


def test_the_order_in_which_people_look_for_a_topic() -> None:
    ordered = ["0", "1", "2", "007", "10", "11", "q1-2", "q1-10", "q2", "x"]
    assert sorted(sorted(ordered), key=natural_order) == ordered
    assert natural_order("9" * 10_000) > natural_order("8" * 10_000)
