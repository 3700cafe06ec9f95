"""Runs going out, and what comes back in."""

import io
import json
import random
import tracemalloc

import pytest

from annotation.formats.problems import Problems
from evaluation.engine.run import PackedRun, RunTable, load_run, pack_run
from evaluation.formats.run import FORMATS
from evaluation.formats.run_export import PIECE, run_jsonl, run_trec
from tests.annotation.formats.test_samples_in_docs import samples
from tests.evaluation.engine.made import made_run, random_case, run_text

SORTED = b"9 Q0 b 1 2 t\n9 Q0 a 2 1 t\n9 Q0 z 3 1 t\n9 Q0 m 4 1 t\n9 Q0 c 5 -1e-300 t\n#1 Q0 y 1 0 t\n#1 Q0 x 2 0 t\n"


def read(name: str, data: bytes) -> RunTable:
    form = next(form for form in FORMATS if form.name == name)
    return form.read(io.BytesIO(data), Problems("out"), {})


def packed(text: bytes) -> bytes:
    return pack_run(read("trec", text))


def test_trec_to_the_byte() -> None:
    lines = b"".join(run_trec(made_run({" #1": {"=1+1": 0.1, "ünï": 12345678.9, "c": 1e-300}}, tag="-me")))
    assert lines.decode() == (" #1 Q0 ünï 1 12345678.9 -me\n #1 Q0 =1+1 2 0.1 -me\n #1 Q0 c 3 1e-300 -me\n")


def test_jsonl_to_the_byte() -> None:
    lines = b"".join(run_jsonl(made_run({"=1": {"ünï": 1.5, "b": 3.0}}, tag="me"))).decode()
    assert lines == (
        '{"number":"=1","docno":"b","rank":1,"score":3.0,"tag":"me"}\n'
        '{"number":"=1","docno":"ünï","rank":2,"score":1.5,"tag":"me"}\n'
    )


def test_tied_rows_stand_as_in_their_file() -> None:
    text = SORTED.replace(b"#1", b" #1")
    run = load_run(packed(text))
    rows = [line.split() for line in b"".join(run_trec(run)).splitlines()]
    assert [(row[0], row[2], int(row[3])) for row in rows] == [
        (b"#1", b"y", 1),
        (b"#1", b"x", 2),
        (b"9", b"b", 1),
        (b"9", b"a", 2),
        (b"9", b"z", 3),
        (b"9", b"m", 4),
        (b"9", b"c", 5),
    ]


def sorted_run(seed: int) -> bytes:
    """Random scores, many of them equal, each topic sorted by score and otherwise in no order."""
    rng = random.Random(seed)
    topics = {
        str(t): {f"d{n}": rng.choice([0.0, 0.5, 1.0, rng.random()]) for n in range(rng.randint(1, 60))}
        for t in range(9)
    }
    ordered = {
        number: dict(sorted(rng.sample(list(docs.items()), len(docs)), key=lambda each: -each[1]))
        for number, docs in topics.items()
    }
    return run_text(ordered)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("name", "write"), [("trec", run_trec), ("jsonl", run_jsonl)])
def test_a_run_sorted_by_score_comes_back_to_the_byte(name: str, write: type, seed: int) -> None:
    data = packed(sorted_run(seed))
    run = load_run(data)
    assert run.n_tied > 0
    assert pack_run(read(name, b"".join(write(run)))) == data


@pytest.mark.parametrize("seed", range(5))
def test_any_run_comes_back_with_its_scores_and_order(seed: int) -> None:
    run = load_run(packed(run_text(random_case(seed)[1])))
    for name, write in (("trec", run_trec), ("jsonl", run_jsonl)):
        again = load_run(pack_run(read(name, b"".join(write(run)))))
        assert facts(again) == facts(run)
        assert b"".join(write(again)) == b"".join(write(run))


def facts(run: PackedRun) -> tuple[object, ...]:
    return (run.tag, run.numbers, run.start.tolist(), run.score.tolist(), list(run.docno), run.n_tied)


def test_a_long_topic_goes_out_in_pieces_and_ranks_go_on() -> None:
    run = made_run({"1": {str(n): float(-n) for n in range(PIECE + 5)}, "2": {"a": 1.0}})
    pieces = list(run_jsonl(run))
    assert [piece.count(b"\n") for piece in pieces] == [PIECE, 5, 1]
    rows = [json.loads(line) for line in b"".join(pieces).splitlines()]
    assert [row["rank"] for row in rows] == [*range(1, PIECE + 6), 1]
    assert [row["docno"] for row in rows[:-1]] == [str(n) for n in range(PIECE + 5)]


def test_memory_does_not_grow_with_topics() -> None:
    peaks = []
    for n_topics in (5, 40):
        run = made_run({str(t): {f"{n}": float(n % 97) for n in range(2000)} for t in range(n_topics)})
        tracemalloc.start()
        size = sum(len(piece) for piece in run_trec(run))
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert size > n_topics * 30_000
    assert peaks[1] < 1.2 * peaks[0]


def test_the_samples_in_docs_are_what_goes_out() -> None:
    trec, jsonl = samples("Run export")
    run = load_run(packed(trec.encode()))
    assert b"".join(run_trec(run)).decode() == trec
    assert b"".join(run_jsonl(run)).decode().splitlines()[0] == jsonl.rstrip("\n")
