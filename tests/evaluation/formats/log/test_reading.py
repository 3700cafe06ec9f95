"""Logs in four forms give the same rows; whatever is wrong is named by file, line and reason."""

import gzip
import math
from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from annotation.formats.lines import RETURN
from annotation.formats.problems import FormatError, Problems
from evaluation.formats.log import lines
from evaluation.formats.log.columns import Column, Columns
from evaluation.formats.log.reading import open_log

QUERIES = ["rust, async", 'say "hi"', "naïve café", "1e3", "ﬁn"]
TABLE = pl.DataFrame({"query": QUERIES, "count": [5, 0, 7, 1, 2], "value": [0.5, -1.0, 1e-3, 2.0, 3.0]})
HALF = "contains half of a surrogate pair"
TWICE = "not a JSON object: the key 'count' stands twice"
WANTED: Columns = {"query": Column("text"), "count": Column("whole", least=0), "value": Column("decimal")}


def written(folder: Path, name: str, content: bytes) -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


def read(path: Path, columns: Columns = WANTED) -> pl.DataFrame:
    problems = Problems(path.name)
    return pl.concat([block.frame for block in open_log(path, problems).blocks(columns, problems)])


def faults(path: Path, columns: Columns = WANTED) -> list[str]:
    with pytest.raises(FormatError) as refused:
        read(path, columns)
    return [str(problem) for problem in refused.value.problems]


def files(folder: Path) -> list[Path]:
    tsv = TABLE.write_csv(separator="\t", quote_style="never").encode()
    TABLE.write_parquet(folder / "a.parquet")
    return [
        written(folder, "a.csv", b"\xef\xbb\xbf" + TABLE.write_csv().encode()),
        written(folder, "b.csv", TABLE.write_csv(separator=";", quote_style="always").encode()),
        written(folder, "a.tsv", tsv),
        written(folder, "crlf.tsv", b"\r\n" + tsv.replace(b"\n", b"\r\n")),
        written(folder, "a.tsv.gz", gzip.compress(tsv)),
        written(folder, "a.jsonl", TABLE.write_ndjson().encode()),
        written(folder, "blank.jsonl", TABLE.write_ndjson().encode().replace(b"\n", b"\n\n")),
        folder / "a.parquet",
    ]


@pytest.mark.parametrize("block", [8 << 20, 40])
def test_every_form_gives_the_same_rows(tmp_path: Path, block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "BLOCK", block)
    for path in files(tmp_path):
        assert read(path).equals(TABLE), path.name


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", "x: there is nothing in this file"),
        (b"query\tcount\na\t1\n", "x:1: there is no column 'value'; there are 'query', 'count'"),
        (b"query\tquery\n", "x:1: the column 'query' stands twice in the header"),
        (b"query\t\n", "x:1: the header has a column without a name"),
        (b"query,count,value\na,1,2\nb,2\n", "x:3: 3 cells expected, as in the header, 2 found"),
        (b"query,count,value\na,1,2\nb,2,3,4\n", "x:3: 3 cells expected, as in the header, 4 found"),
        (b"query,count,value\nb,2,3,4\nc,5\n", "x:2: 3 cells expected, as in the header, 4 found"),
        (b"query,count,value\na,1.5,2\n", "x:2: the count '1.5' is not a whole number"),
        (b'{"query": "a", "count": 1.5, "value": 1}\n', "x:1: the count '1.5' is not a whole number"),
        (b"query,count,value\na,-1,2\n", "x:2: the count '-1' is not a whole number of at least 0"),
        (b"query,count,value\na,1,inf\n", "x:2: the value 'inf' is not a finite decimal number"),
        (b"query,count,value\n,1,1\n", "x:2: there is no query"),
        (b"query,count,value\na,,1\n", "x:2: there is no count"),
        (b"query,count,value\n\na,1,1\n\xff,1,1\n", "x:4: not UTF-8 at byte 1 of the line (0xff)"),
        (b'query,count,value\n"a,1,1\n', "x:2: a quotation mark is not closed on its line, or stands inside a cell"),
        (b"query\tcount\tvalue\na\0b\t1\t1\n", "x:2: the query holds a NUL character"),
        (b'{"query": "a", "count": 1, "value": 1}\n{"query": "b"}\n', "x:2: there is no count"),
        (b'{"query": "a", "count": true, "value": 1}\n', "x:1: the count 'true' is not a whole number"),
        (b'{"query": "a", "count": 1, "value": 1}\n{oops\n', "x:2: not a JSON object: "),
        (
            b'{"query": "a", "count": 1, "value": 1}\n{"query": "\\ud800", "count": 1, "value": 1}\n',
            f"x:2: the query {HALF}",
        ),
        (
            b'{"query": "a", "count": 1, "value": 1}\n{"query": "b", "count": 1, "value": 1, "count": 2}\n',
            f"x:2: {TWICE}",
        ),
        (b'[{"query": "a"}]', "x:1: a JSON array; write one object a line (JSONL)"),
        (b"PAR1 and no more", "x: not a Parquet file that can be read"),
        (b"\xff\xfea\0", "x: this is UTF-16; save it as UTF-8"),
        (b"query,count,value\ra,1,2\rb,2,3\r", f"x:1: {RETURN}"),
        (b"query,count,value\nb,1,2\na\rb,1,2\n", f"x:3: {RETURN}"),
        (b"query\tcount\tvalue\nb\t1\t2\na\rb\t1\t2\n", f"x:3: {RETURN}"),
        (b"query,count,value\n \t,1,1\n", "x:2: there is no query"),
        (b"\x00\x01,\x80\n", "x:1: not UTF-8 at byte 4 of the line (0x80)"),
        (b"\n\x00\x01,a\n", "x:2: the header holds a NUL character: this is no text"),
        ("query,prix payé\na,1\n".encode("latin-1"), "x:1: not UTF-8 at byte 15 of the line (0xe9)"),
        (b"query,count,value\na,1_0,2\n", "x:2: the count '1_0' is not a whole number\n"),
        ("query,count,value\na,\u0663,2\n".encode(), "x:2: the count '\u0663' is not a whole number\n"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, content: bytes, expected: str) -> None:
    assert f"{faults(written(tmp_path, 'x', content))[0]}\n".startswith(expected)


@pytest.mark.parametrize("gap", ["", " "])
def test_objects_whose_keys_stand_once_are_read_at_once(
    tmp_path: Path, gap: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nulls, keys that are lacking and a blank behind colons send no block to the careful reading."""
    monkeypatch.setattr(lines, "_flat_rows", None)
    rows = ['"query":_"a","count":_1,"value":_2', '"value":_1,"query":_"count","count":_3,"note":_null', '"query":_"c"']
    text = "".join(f"{{{row}}}\n".replace("_", gap) for row in rows)
    columns: Columns = {name: Column("text", may_lack=True) for name in ("query", "count", "note")}
    assert read(written(tmp_path, "x", text.encode()), columns)["count"].to_list() == ["1", "3", None]


def test_parquet_names_rows(tmp_path: Path) -> None:
    TABLE.with_columns(pl.Series("count", [1, 2, None, 4, 5])).write_parquet(tmp_path / "x")
    assert faults(tmp_path / "x") == ["x:3: there is no count"]


@pytest.mark.parametrize(
    ("name", "values", "fault"),
    [
        ("count", [1.0, math.nan], "the count 'nan' is not a whole number"),
        ("count", [1.0, math.inf], "the count 'inf' is not a whole number"),
        ("count", [Decimal("1.00"), Decimal("2.50")], "the count '2.50' is not a whole number"),
        ("value", [1.0, -math.inf], "the value '-inf' is not a finite decimal number"),
        ("query", [b"a", b"\xff"], "the query is not text"),
        ("query", [None, timedelta(1)], "the query is not text"),
    ],
)
def test_parquet_of_other_kinds(tmp_path: Path, name: str, values: list[object], fault: str) -> None:
    TABLE.head(2).with_columns(pl.Series(name, values)).write_parquet(tmp_path / "x")
    assert faults(tmp_path / "x")[-1] == f"x:2: {fault}"


@pytest.mark.parametrize("form", ["csv", "jsonl", "careful", "floats", "decimals"])
def test_a_whole_number_is_one_however_it_is_written(form: str, tmp_path: Path) -> None:
    """As `pandas` writes counts of which one was missing; numbers beyond 2 ** 53 keep all their digits."""
    path = tmp_path / "x"
    if form in ("floats", "decimals"):
        values = [1.0, 2000.0, 7.0] if form == "floats" else [Decimal("1.0"), Decimal("2000.0"), Decimal("7.0")]
        pl.DataFrame({"count": values}).write_parquet(path)
    elif form == "csv":
        path.write_text("count\n1.0\n2e3\n7\n")
    else:
        note = '"\\t"' if form == "careful" else '""'
        path.write_text("".join(f'{{"count":{one},"note":{note}}}\n' for one in ("1.0", "2e3", "7")))
    assert read(path, {"count": Column("whole", least=0)})["count"].to_list() == [1, 2000, 7]
    path.write_text("count\n1.0\n9223372036854775807\n")
    assert read(path, {"count": Column("whole")})["count"].to_list() == [1, 9223372036854775807]


@pytest.mark.parametrize("count", ["9007199254740994.0", "1e19", "-1.0", "2.5", "nan", "1e400", "0x10", "1,0"])
def test_what_is_no_whole_number_is_none_beside_such(count: str, tmp_path: Path) -> None:
    """Beyond 2 ** 53 a decimal number may have lost digits."""
    fault = faults(
        written(tmp_path, "x", f"count\tnote\n1.0\ta\n{count}\tb\n".encode()), {"count": Column("whole", least=0)}
    )
    assert len(fault) == 1
    assert fault[0].startswith(f"x:3: the count '{count}' is not a whole number")


def test_a_column_may_lack(tmp_path: Path) -> None:
    path = written(tmp_path, "x.csv", b"query,note\na,\nb,yes\n")
    optional: Columns = {name: Column("text", may_lack=name == "note") for name in ("query", "note")}
    assert read(path, optional)["note"].to_list() == [None, "yes"]
    assert read(path, {"query": Column("text"), "cost": Column("decimal", may_lack=True)}).columns == ["query"]


def test_a_wrong_file_ends_after_a_thousand_faults(tmp_path: Path) -> None:
    messages = faults(written(tmp_path, "x.csv", b"query,count,value\n" + b"a,b,c\n" * 3000))
    assert (len(messages), messages[0]) == (1000, "x.csv:2: the count 'b' is not a whole number")


def test_fast_and_careful_readings_agree_on_any_bytes(tmp_path: Path) -> None:
    """A quoted cell, or an escape, sends its whole block to the careful reading."""
    rng = np.random.default_rng(3)
    cells = ["a", "", "1", "-2", "1.5", "nan", "é", "1e400", "x y"]
    for _ in range(60):
        rows = [",".join(rng.choice(cells, rng.choice([3, 3, 3, 3, 2, 4]))) for _ in range(rng.integers(1, 5))]
        text = "query,count,value\n" + "\n".join(rows) + "\n"
        quoted = text + '"z",1,1\n'
        kept = [outcome(written(tmp_path, "x", each.encode())) for each in (text + "z,1,1\n", quoted)]
        assert kept[0] == kept[1], text


def outcome(path: Path) -> list[object]:
    try:
        return list(read(path).rows())
    except FormatError as refused:
        return [str(problem) for problem in refused.problems]
