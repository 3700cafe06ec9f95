"""Commands read qrels and runs in every form that imports read: docs/formats.md names them."""

import gzip
import io
import json
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError

from annotation.formats.qrels import FORMATS as QRELS_FORMATS
from evaluation.formats.run import FORMATS as RUN_FORMATS
from tests.evaluation.management.calling import called

GRADES = [("1", "a", 2), ("1", "b", 0), ("2", "a", 1)]
SCORES = [("1", "b", 2.0), ("1", "a", 1.0), ("2", "a", 1.0)]


def lines(rows: list[str]) -> str:
    return "".join(f"{row}\n" for row in rows)


def nested(rows: list[tuple[str, str, float]]) -> str:
    return json.dumps({n: {d: v for m, d, v in rows if m == n} for n, _, _ in rows})


QRELS = {
    "trec": lines([f"{n} 0 {d} {g}" for n, d, g in GRADES]),
    "beir": lines(["query-id\tcorpus-id\tscore", *(f"{n}\t{d}\t{g}" for n, d, g in GRADES)]),
    "three-columns": lines([f"{n} {d} {g}" for n, d, g in GRADES]),
    "table": lines(["topic,docno,relevance", *(f"{n},{d},{g}" for n, d, g in GRADES)]),
    "jsonl": lines([json.dumps({"query_id": n, "doc_id": d, "relevance": g}) for n, d, g in GRADES]),
    "json": json.dumps([{"query_id": n, "doc_id": d, "relevance": g} for n, d, g in GRADES]),
    "nested": nested([*GRADES]),
}
RUNS = {
    "trec": lines([f"{n} Q0 {d} 1 {s} me" for n, d, s in SCORES]),
    "jsonl": lines([json.dumps({"qid": n, "docid": d, "score": s, "tag": "me"}) for n, d, s in SCORES]),
    "json": json.dumps([{"qid": n, "docid": d, "score": s, "tag": "me"} for n, d, s in SCORES]),
    "nested": nested(SCORES),
}
VALUES = {
    "evaluate": "me   0.7500\n",
    "compare": "me 0.7500, ours 0.7500",
    "trec_eval": "recip_rank            \tall\t0.7500\n",
}
COMMANDS = list(VALUES)


def stored(folder: Path, name: str, text: str, *, packed: bool = False) -> Path:
    (folder / name).write_bytes(gzip.compress(text.encode()) if packed else text.encode())
    return folder / name


def printed(command: str, qrels: Path | str, run: Path | str, folder: Path) -> str:
    """With the measure RR; a comparison is one with a run that is as good."""
    others = [stored(folder, "ours.run", RUNS["trec"].replace("me", "ours"))] if command == "compare" else []
    measure = "recip_rank" if command == "trec_eval" else "RR"
    return called(command, qrels, run, *others, "-m", measure)[0]


def test_every_form_is_tried_here() -> None:
    assert [*QRELS] == [each.name for each in QRELS_FORMATS]
    assert [*RUNS] == [each.name for each in RUN_FORMATS]


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("form", QRELS)
@pytest.mark.parametrize("command", COMMANDS)
def test_qrels_of_any_form(tmp_path: Path, command: str, form: str, packed: bool) -> None:
    qrels = stored(tmp_path, "qrels", QRELS[form], packed=packed)
    assert VALUES[command] in printed(command, qrels, stored(tmp_path, "me", RUNS["trec"]), tmp_path)


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("form", RUNS)
@pytest.mark.parametrize("command", COMMANDS)
def test_runs_of_any_form(tmp_path: Path, command: str, form: str, packed: bool) -> None:
    run = stored(tmp_path, "me.json.gz" if packed else "me.json", RUNS[form], packed=packed)
    assert VALUES[command] in printed(command, stored(tmp_path, "qrels", QRELS["trec"]), run, tmp_path)


@pytest.mark.parametrize("form", RUNS)
def test_a_pipe_is_read_in_any_form(tmp_path: Path, form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pipe cannot be rewound."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(RUNS[form].encode())))
    monkeypatch.setattr(sys.stdin.buffer, "seek", None, raising=False)
    assert "0.7500" in printed("evaluate", stored(tmp_path, "qrels", QRELS["trec"]), "-", tmp_path)


def test_a_run_without_a_tag_is_called_as_its_file(tmp_path: Path) -> None:
    qrels, run = stored(tmp_path, "q", QRELS["trec"]), stored(tmp_path, "my best.v2.json", RUNS["nested"])
    out, err = called("evaluate", qrels, run, "-m", "RR")
    assert out.splitlines()[1] == "my_best.v2  0.7500"
    assert f"{run}: there is no tag in the file: the run is called my_best.v2" in err.splitlines()


def test_what_a_form_remarks_on_is_written(tmp_path: Path) -> None:
    qrels = stored(tmp_path, "q", QRELS["three-columns"])
    _, err = called("evaluate", qrels, stored(tmp_path, "r", RUNS["trec"]), "-m", "RR")
    assert err.startswith(f"{qrels}: grades are taken as they stand")


@pytest.mark.parametrize("options", [[], ["--averaging", "retrieved"]])
@pytest.mark.parametrize("command", COMMANDS)
def test_a_run_without_a_topic_of_the_qrels_is_named_with_them(
    tmp_path: Path, command: str, options: list[str]
) -> None:
    qrels = stored(tmp_path, "a.qrels", QRELS["trec"])
    run, other = (stored(tmp_path, name, RUNS["trec"].replace("me", name)) for name in ("mine", "other"))
    other.write_text(lines([f"T{n} Q0 a 1 1 other" for n in range(9)]))
    names = [other] if command == "trec_eval" else [run, other]
    topics = "the run has T0, T1, T2 …, the judgments have 1, 2"
    with pytest.raises(CommandError) as refused:
        called(command, qrels, *names, *(["-c"] if command == "trec_eval" and options else options))
    assert str(refused.value) == f"{other} and {qrels} have no topic in common: {topics}."
    assert refused.value.returncode == 1


@pytest.mark.parametrize(
    ("command", "kind", "rows"),
    [
        ("evaluate", ["--judgments", "diversity"], "1 1 a 1\n"),
        ("evaluate", ["--judgments", "prels"], "1 a 1 1 0.5\n"),
        ("evaluate", ["--judgments", "stratified"], "1 0 a 1 1\n"),
        ("trec_eval", ["-R", "prefs"], "1 1 1 a 1\n1 1 1 b 0\n"),
        ("trec_eval", ["-R", "qrels_jg"], "1 1 a 1\n"),
    ],
)
def test_nor_of_other_judgments(tmp_path: Path, command: str, kind: list[str], rows: str) -> None:
    judgments, run = stored(tmp_path, "judgments", rows), stored(tmp_path, "run", "9 Q0 a 1 1 me\n")
    with pytest.raises(CommandError, match="have no topic in common: the run has 9, the judgments have 1"):
        called(command, *kind, judgments, run)
