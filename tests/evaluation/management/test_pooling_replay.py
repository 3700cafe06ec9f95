"""The replay of pooling, by the command and by `ts.pooling_replay`; on a real track."""

import csv
import json
from pathlib import Path

import pytest
from django.core.management import CommandError

import touchstone as ts
from evaluation.engine.run import to_trec
from tests.evaluation.engine.adaptive.test_replay import QRELS, RUNS
from tests.evaluation.management.calling import called

METHODS = ("depth", "max-mean", "stratified", "separating")


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    rows = zip(QRELS.topic.tolist(), QRELS.docno, QRELS.grade.tolist(), strict=True)
    (tmp_path / "qrels").write_text("".join(f"{QRELS.numbers[t]} 0 {d} {g}\n" for t, d, g in rows))
    for run in RUNS:
        (tmp_path / run.tag).write_bytes(b"".join(to_trec(run)))
    return [tmp_path / name for name in ("qrels", *(run.tag for run in RUNS))]


def test_table_json_files_and_the_library_agree(files: list[Path], tmp_path: Path) -> None:
    options = ("--methods", *METHODS, "--budgets", "0.4", "0.8", "--seeds", "3", "--rel", "2", "--depth", "6")
    folder = tmp_path / "out"
    out, err = called("pooling_replay", *files, *options, "--leave-out-run", "--out", folder, "--json")
    report = json.loads(out)
    assert report == json.loads((folder / "replay.json").read_text())
    with (folder / "replay.csv").open() as stream:
        rows = list(csv.DictReader(stream))
    assert [float(row["tau_b"]) for row in rows] == [row["tau_b"] for row in report["rows"]]
    assert [(row["pool"], row["method"], row["budget"]) for row in report["rows"]] == [
        (pool, method, budget)
        for pool in ("all runs", "one run left out")
        for method in METHODS
        for budget in (0.4, 0.8)
    ]
    plots = {f"{name}{pool}.svg" for name in ("tau_b", "tau_ap", "ap_error", "found") for pool in ("", "_left_out")}
    plots.add("moved_left_out.svg")
    assert {path.name for path in folder.iterdir()} == plots | {"replay.csv", "replay.json"}
    assert err.count("wrote ") == 11
    replayed = ts.pooling_replay(
        QRELS, RUNS, "nDCG@10", methods=METHODS, budgets=(0.4, 0.8), n_seeds=3, rel=2, depth=6, leave_out=True
    )
    assert [float(row.tau_b.mean()) for row in (*replayed.rows, *replayed.left_out)] == [
        row["tau_b"] for row in report["rows"]
    ]
    with pytest.raises(CommandError, match="--force replaces it"):
        called("pooling_replay", *files, *options, "--out", folder)


def test_the_table_says_how_each_method_is_read(files: list[Path]) -> None:
    lines = called("pooling_replay", *files, "--budgets", "0.5", "--seeds", "1")[0].splitlines()
    assert lines[0].startswith("4 runs, 5 topics; pool of depth 10: ")
    assert "stratified: infNDCG and xinfAP from the sample's inclusion probabilities." in lines
    assert lines[-1].split()[:3] == ["all", "runs", "separating"]
    assert len(lines) == 7 + 7


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--methods", "luck"), "invalid choice"),
        (("--budgets", "2"), "a budget is a share"),
        (("--measure", "AP"), "by nDCG@k alone"),
        (("--measure", "ndcg_cut.5,10"), "several measures"),
        (("--seeds", "0"), "at least one seed"),
    ],
)
def test_what_cannot_be_replayed(files: list[Path], options: tuple[str, ...], reason: str, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=reason):
        called("pooling_replay", *files, *options, "--out", tmp_path / "deep/out")
    assert not (tmp_path / "deep").exists()


@pytest.mark.shared
def test_a_real_track(shared_data: Path) -> None:
    """TREC 2019 Deep Learning: the whole pool and depth 7 cost what they cost, and orders hold what benchmarks say."""
    folder = shared_data / "dl19"
    options = ("--methods", "rrf", "separating", "--budgets", "0.3", "0.7", "1", "--seeds", "2", "--rel", "2", "--json")
    runs = sorted((folder / "runs").iterdir())
    report = json.loads(called("pooling_replay", folder / "qrels.txt", *runs, *options)[0])
    assert (report["n_pairs"], report["n_qrels"], report["n_unknown"]) == (1870, 9260, 0)
    tau = {(row["method"], row["budget"]): row["tau_b"] for row in report["rows"]}
    assert tau["rrf", 1.0] == tau["separating", 1.0] == pytest.approx(0.9867, abs=1e-4)
    assert tau["separating", 0.3] > 0.88
    assert tau["separating", 0.7] > 0.95
