"""The command `evaluate_runs`: the values of `evaluate`, of a folder of runs, nothing evaluated twice."""

import csv
import io
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from evaluation.formats.shards.evaluation import EvaluationRequest, evaluate_folder, qrels_of, store_qrels
from evaluation.formats.shards.store import Store
from tests.commands import ran

MEASURES = ("-m", "nDCG@10", "-m", "AP(of='found')")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rng = np.random.default_rng(4)
    (tmp_path / "runs").mkdir()
    lines = [f"{topic} 0 d{name} {rng.integers(0, 3)}\n" for topic in range(6) for name in range(0, 40, 2)]
    (tmp_path / "qrels").write_text("".join(lines))
    for run in range(9):
        rows = [f"{topic} Q0 d{name} 0 {rng.random():.3f} same\n" for topic in range(5) for name in range(40)]
        (tmp_path / "runs" / f"{run}.run").write_text("".join(rows))
    return tmp_path


def words(folder: Path) -> list[str]:
    return ["evaluate_runs", str(folder / "qrels"), str(folder / "runs"), "--results", str(folder / "found"), *MEASURES]


def hears_ctrl_c() -> bool:
    return signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


def table(text: str) -> Iterator[dict[str, str]]:
    return csv.DictReader(io.StringIO(text))


def test_the_values_of_evaluate(folder: Path) -> None:
    ended = ran(*words(folder), "--per-topic")
    assert (ended.code, ended.err) == (0, "9 runs, 9 of them evaluated now\n")
    rows = list(table(ended.out))
    for run in range(9):
        file = folder / "runs" / f"{run}.run"
        alone = ran("evaluate", str(folder / "qrels"), str(file), *MEASURES, "--per-topic", "--format", "csv")
        ours = [{key: cell for key, cell in row.items() if key != "file"} for row in rows if row["file"] == file.name]
        assert ours == list(table(alone.out))
    means = ran(*words(folder), "-o", str(folder / "values.csv"))
    assert means.err == "9 runs, 0 of them evaluated now\n"
    assert list(table((folder / "values.csv").read_text())) == [row for row in rows if row["topic"] == "all"]
    assert len(ran(*words(folder), "--json").facts["runs"]) == 9
    assert ran(*words(folder), "--averaging", "retrieved").err == "9 runs, 9 of them evaluated now\n"


def test_what_is_wrong_is_said_and_the_others_stay(folder: Path) -> None:
    (folder / "runs" / "3.run").write_text("1 Q0 d1 0 none x\n")
    (folder / "runs" / "5.run").write_text("else Q0 d1 0 1 x\n")
    ended = ran(*words(folder), "--json")
    assert (ended.code, ended.out) == (1, "")
    assert [one["file"] for one in ended.error["problems"]] == ["3.run", "5.run"]
    assert len(list((folder / "found").glob("*.csv"))) == 7
    (folder / "runs" / "3.run").unlink()
    (folder / "runs" / "5.run").unlink()
    assert ran(*words(folder)).err == "7 runs, 0 of them evaluated now\n"
    (folder / "qrels").write_text("1 0 d1\n")
    assert ran(*words(folder)).code == 1
    assert ran(*words(folder), "--device", "cpu").code == 2
    assert ran(*words(folder), "--workers", "0").code == 2


@pytest.mark.parametrize("left", ["", "garbage\n", "run,topic,nDCG@10,AP(of='found')\nr,1,0.5,0.5\n"])
def test_damaged_values_are_named_and_made_again(folder: Path, left: str) -> None:
    expected = ran(*words(folder)).out
    one = min((folder / "found").glob("*.csv"))
    one.write_text(left)
    ended = ran(*words(folder))
    assert (ended.code, ended.out, f"{one.name} was damaged" in ended.err) == (1, "", True)
    again = ran(*words(folder))
    assert (again.out, again.err.endswith(" 1 of them evaluated now\n")) == (expected, True)


@pytest.mark.parametrize("ending", [".csv", ".qrels"])
def test_a_flipped_digit_is_noticed(folder: Path, ending: str) -> None:
    expected = ran(*words(folder)).out
    one = min((folder / "found").glob(f"*{ending}"))
    qrels_of.cache_clear()
    (folder / "runs" / "1.run").write_text("1 Q0 d1 0 7 later\n")
    text = one.read_text()
    one.write_text(text.replace("1", "0", 1))
    ended = ran(*words(folder))
    assert (ended.code, ended.out, f"{one.name} was damaged" in ended.err) == (1, "", True)
    again = ran(*words(folder))
    assert again.code == 0
    assert [line for line in again.out.splitlines() if "1.run" not in line] == [
        line for line in expected.splitlines() if "1.run" not in line
    ]


def test_workers_that_are_killed_cost_no_value(folder: Path) -> None:
    pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
    from evaluation.management.cluster import local_workers, on

    store = Store(str(folder / "found"))
    sha = store_qrels(store, (folder / "qrels").read_bytes(), "qrels")
    request = EvaluationRequest(str(folder / "runs"), store.url, sha, ("nDCG@10", "AP(of='found')"))
    with local_workers(2) as client:
        pids = list(client.run(os.getpid).values())
        assert client.submit(hears_ctrl_c).result() is False  # which would have each tell its own traceback
        assert hears_ctrl_c()

        def kill(done: int, _total: int) -> None:
            if done == 2:
                os.kill(pids.pop(), signal.SIGKILL)

        evaluation = evaluate_folder(request, on(client), progress=kill)
        assert (len(pids), evaluation.n_runs) == (1, 9)
    expected = list(table(ran(*words(folder), "--per-topic").out))
    assert [dict(zip(evaluation.head, row, strict=True)) for row in evaluation.rows] == expected
