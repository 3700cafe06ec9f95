"""Logs of any reader that no door may take."""

import gzip
import io
import json
from collections.abc import Mapping

import polars as pl

NAMES = "query count results arm m number list position docno clicks impressions score positive s time value item"
TEXTS = "bees 3 2 A 1.5 1 1 1 x 1 2 .5 1 1.5 2026-01-01 2 i1"
VALUE = dict(zip(NAMES.split(), TEXTS.split(), strict=True)) | {"popularity": "5", "category": "c"}
LISTS = {"number": "1", "list": 1, "method": "team_draft", "rankers": ["A", "B"], "docnos": ["x", "y"]}
TEAMS = {**LISTS, "teams": ["A", "B"]}


def malformed(columns: tuple[str, ...]) -> dict[str, tuple[bytes, int]]:
    """By name: the bytes, and the line that is named; 0 where the file as a whole is at fault. The last of the columns
    has numbers."""
    last, sound = columns[-1], {name: VALUE[name] for name in columns}
    head, row = ",".join(columns), ",".join(sound.values())
    line, begun = json.dumps(sound), f"{head}\n{row}\n".encode()

    def with_last(text: str) -> bytes:
        return begun + ",".join([*list(sound.values())[:-1], text]).encode() + b"\n"

    def object_with_last(text: str) -> bytes:
        return f"{line}\n{json.dumps({**sound, last: 'LAST'})}\n".replace('"LAST"', text).encode()

    cases: dict[str, tuple[bytes, int]] = {
        "empty.csv": (b"", 0),
        "blank.csv": (b"\n\n\n", 0),
        "head.csv": (f"{head}\n".encode(), 0),
        "heads.csv": (begun + begun, 3),
        "return.csv": (f"{head}\r{row}\r".encode(), 1),
        "nul.csv": (begun + b"\0" + row.encode() + b"\n", 3),
        "latin-1.csv": (begun + b"\xe9" + row.encode() + b"\n", 3),
        "utf-16.csv": (f"{head}\n{row}\n".encode("utf-16"), 0),
        "wide.csv": (begun + f"{row},more\n".encode(), 3),
        "quote.csv": (begun + f'"open,{row}\n'.encode(), 3),
        "twice.csv": (f"{head},{columns[0]}\n{row},z\n".encode(), 1),
        "nameless.csv": (f"{head},\n{row},z\n".encode(), 1),
        "others.csv": (b"zebra,giraffe\n1,2\n", 1),
        "word.csv": (with_last("many"), 3),
        "nan.csv": (with_last("nan"), 3),
        "infinity.csv": (with_last("-inf"), 3),
        "huge.csv": (with_last("9" * 400), 3),
        "power.csv": (with_last("1e400"), 3),
        "hexadecimal.csv": (with_last("0x10"), 3),
        "behind-mark.csv": (b"\xef\xbb\xbf" + with_last("many"), 3),
        "returns.csv": (with_last("many").replace(b"\n", b"\r\n"), 3),
        "long.csv": (f"{head}\n".encode() + b"x" * 2_000_000 + b"\n", 2),
        "gzip.csv": (gzip.compress(with_last("many")), 3),
        "cut.csv": (gzip.compress(begun * 50)[:40], 0),
        "binary.csv": (bytes(range(256)) * 20, 1),
        "wide.tsv": (begun.replace(b",", b"\t") + row.replace(",", "\t").encode() + b"\tmore\n", 3),
        "no.jsonl": (f"{line}\n{{no\n".encode(), 2),
        "list.jsonl": (f"{line}\n[1]\n".encode(), 2),
        "nested.jsonl": (f"{line}\n{json.dumps({**sound, columns[0]: {'a': 1}})}\n".encode(), 2),
        "null.jsonl": (object_with_last("null"), 2),
        "nan.jsonl": (object_with_last("NaN"), 2),
        "power.jsonl": (object_with_last("1e400"), 2),
        "truth.jsonl": (object_with_last("true"), 2),
        "mixed.jsonl": (object_with_last("[1]"), 2),
        "lacking.jsonl": (f"{line}\n{{}}\n".encode(), 2),
        "key.jsonl": (line[:-1].encode() + f', "{columns[0]}": "z"}}\n'.encode(), 1),
        "deep.jsonl": (f'{line}\n{{"a":{"[" * 100_000}\n'.encode(), 2),
        "broken.parquet": (b"PAR1 is no Parquet PAR1", 0),
        "cut.parquet": (parquet_of(sound)[:-20], 0),
        "null.parquet": (parquet_of(sound, {**sound, last: None}), 2),
        "infinity.parquet": (parquet_of({**sound, last: 1.0}, {**sound, last: float("inf")}), 2),
        "lists.parquet": (parquet_of({**sound, last: [1]}), 1),
        "none.parquet": (parquet_of(sound, n=0), 0),
    }
    if len(columns) > 1:
        cases["narrow.csv"] = begun + sound[columns[0]].encode() + b"\n", 3
        cases["nothing.csv"] = with_last(""), 3
    return cases


def parquet_of(*rows: Mapping[str, object], n: int | None = None) -> bytes:
    """The first `n` of the rows."""
    stream = io.BytesIO()
    pl.DataFrame(rows).head(len(rows) if n is None else n).write_parquet(stream)
    return stream.getvalue()
