"""Malformed logs, two dozen and more through every command that reads one: refused by file, line and reason."""

import gzip
import json
import re
from pathlib import Path

import pytest

from tests.commands import ran

NAMES = "query count results arm m number list position docno clicks impressions score positive s time value item"
TEXTS = "bees 3 2 A 1.5 1 1 1 x 1 2 .5 1 1.5 2026-01-01 2 i1"
VALUE = dict(zip(NAMES.split(), TEXTS.split(), strict=True)) | {"popularity": "5", "category": "c"}
LISTS = {"number": "1", "list": 1, "method": "team_draft", "rankers": ["A", "B"], "docnos": ["x", "y"]}
# By command: the columns of its log, and the words around it.
READERS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "sample_queries": (("query", "count"), ("sample_queries", "LOG", "--total", "1")),
    "analyse_experiment": (
        ("arm", "m"),
        ("analyse_experiment", "LOG", "--variant", "arm", "--control", "A", "--measure", "m"),
    ),
    "credit_clicks": (("number", "list", "position"), ("credit_clicks", "lists.jsonl", "LOG")),
    "compare_clicks": (
        ("number", "docno", "position", "clicks", "impressions"),
        ("compare_clicks", "qrels.txt", "LOG"),
    ),
    "evaluate_alarms": (("score", "positive"), ("evaluate_alarms", "LOG")),
    "describe_drift": (("s",), ("describe_drift", "LOG", "LOG", "--scores", "s")),
    "watch_series": (("time", "value"), ("watch_series", "LOG")),
    "items": (("item", "category", "popularity"), ("describe_recommendations", "a.run", "--items", "LOG")),
    "asked": (("query", "count", "results"), ("describe_recommendations", "--asked", "LOG")),
}


def malformed(columns: tuple[str, ...]) -> dict[str, tuple[bytes, int]]:
    """By name: the bytes, and the line that is named; 0 where the file as a whole is at fault."""
    last, sound = columns[-1], {name: VALUE[name] for name in columns}
    head, row = ",".join(columns), ",".join(sound.values())
    line, begun = json.dumps(sound), f"{head}\n{row}\n".encode()

    def with_last(text: str) -> bytes:
        return begun + ",".join([*list(sound.values())[:-1], text]).encode() + b"\n"

    cases: dict[str, tuple[bytes, int]] = {
        "empty.csv": (b"", 0),
        "blank.csv": (b"\n\n\n", 0),
        "head.csv": (f"{head}\n".encode(), 0),
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
        "long.csv": (f"{head}\n".encode() + b"x" * 2_000_000 + b"\n", 2),
        "gzip.csv": (gzip.compress(with_last("many")), 3),
        "cut.csv": (gzip.compress(begun * 50)[:40], 0),
        "binary.csv": (bytes(range(256)) * 20, 1),
        "wide.tsv": (begun.replace(b",", b"\t") + row.replace(",", "\t").encode() + b"\tmore\n", 3),
        "no.jsonl": (f"{line}\n{{no\n".encode(), 2),
        "list.jsonl": (f"{line}\n[1]\n".encode(), 2),
        "nested.jsonl": (f"{line}\n{json.dumps({**sound, columns[0]: {'a': 1}})}\n".encode(), 2),
        "null.jsonl": (f"{line}\n{json.dumps({**sound, last: None})}\n".encode(), 2),
        "lacking.jsonl": (f"{line}\n{{}}\n".encode(), 2),
        "key.jsonl": (line[:-1].encode() + f', "{columns[0]}": "z"}}\n'.encode(), 1),
        "deep.jsonl": (f'{line}\n{{"a":{"[" * 100_000}\n'.encode(), 2),
        "broken.parquet": (b"PAR1 is no Parquet PAR1", 0),
    }
    if len(columns) > 1:
        cases["narrow.csv"] = begun + sound[columns[0]].encode() + b"\n", 3
        cases["nothing.csv"] = with_last(""), 3
    return cases


@pytest.mark.parametrize("reader", READERS)
def test_it_is_refused_by_file_line_and_reason(reader: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    columns, words = READERS[reader]
    (tmp_path / "lists.jsonl").write_text(json.dumps({**LISTS, "teams": ["A", "B"]}) + "\n")
    (tmp_path / "qrels.txt").write_text("1 0 x 1\n1 0 y 0\n")
    (tmp_path / "a.run").write_text("1 Q0 i1 1 2 r\n")
    monkeypatch.chdir(tmp_path)
    wrong = {}
    may_lack = {"items": {"null.jsonl", "nothing.csv"}}.get(reader, set())
    for name, (content, line) in malformed(columns).items():
        if name in may_lack:
            continue
        Path(name).write_bytes(content)
        ended = ran(*(name if word == "LOG" else word for word in words))
        first = (ended.err.splitlines() or [""])[0]
        place = rf"^{re.escape(name)}:{line}: \S" if line else rf"^{re.escape(name)}(:\d+)?: \S"
        if ended.code != 1 or not re.match(place, first):
            wrong[name] = ended.code, first
    assert wrong == {}
