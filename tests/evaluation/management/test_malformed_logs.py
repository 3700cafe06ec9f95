"""Malformed logs, some forty through every command that reads one: refused by file, line and reason."""

import json
import re
from pathlib import Path

import pytest

from tests.commands import ran
from tests.evaluation.malformed_logs import TEAMS, malformed

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


@pytest.mark.parametrize("reader", READERS)
def test_it_is_refused_by_file_line_and_reason(reader: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    columns, words = READERS[reader]
    (tmp_path / "lists.jsonl").write_text(json.dumps(TEAMS) + "\n")
    (tmp_path / "qrels.txt").write_text("1 0 x 1\n1 0 y 0\n")
    (tmp_path / "a.run").write_text("1 Q0 i1 1 2 r\n")
    monkeypatch.chdir(tmp_path)
    wrong = {}
    for name, (content, line) in malformed(columns).items():
        Path(name).write_bytes(content)
        ended = ran(*(name if word == "LOG" else word for word in words))
        first = (ended.err.splitlines() or [""])[0]
        place = rf"^{re.escape(name)}:{line}: \S" if line else rf"^{re.escape(name)}(:\d+)?: \S"
        if ended.code != 1 or not re.match(place, first):
            wrong[name] = ended.code, first
    assert wrong == {}
