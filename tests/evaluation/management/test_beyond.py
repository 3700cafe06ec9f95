"""Recommendations and alarms from files, by their commands."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.management import CommandError

from tests.evaluation.engine.beyond.test_alarms import tutorial
from tests.evaluation.management.calling import called

LISTS = {"a": [1, 2, 3], "b": [1, 4, 5], "c": [1, 2, 6]}
TRUTH = {"a": [2, 7], "b": [4], "c": [6, 8]}


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "a.run").write_text(
        "".join(f"{user} Q0 {item} 1 {-i} r\n" for user, items in LISTS.items() for i, item in enumerate(items))
    )
    (tmp_path / "truth").write_text("".join(f"{user} 0 {item} 1\n" for user, items in TRUTH.items() for item in items))
    rows = "".join(f"{i},{100 - 10 * i},c{i % 3}\n" for i in range(1, 11))
    (tmp_path / "items.csv").write_text(f"item_id,popularity,category\n{rows}")
    (tmp_path / "seen.csv").write_text("user_id,item_id\na,7\na,8\na,8\nb,9\n")
    (tmp_path / "asked.tsv").write_text("query\tcount\na\t5\nb\t3\nc\t1\nd\t1\n")
    np.save(tmp_path / "items.npy", np.random.default_rng(1).normal(size=(10, 3)).astype(np.float32))
    (tmp_path / "items.ids.txt").write_text("".join(f"{i}\n" for i in range(1, 11)))
    return tmp_path


def described(files: Path, *options: str) -> dict[str, Any]:
    values = [files / option if (files / option).exists() else option for option in options]
    arguments = [files / "a.run", "--items", files / "items.csv", *values, "--json"]
    (facts,) = json.loads(called("describe_recommendations", *arguments)[0])
    return facts  # type: ignore[no-any-return]


def test_the_figures_of_the_example(files: Path) -> None:
    facts = described(files, "--truth", "truth", "--k", "3")
    assert (facts["hit_rate"], facts["catalogue_coverage"], facts["category_coverage"]) == (1.0, 0.6, 1.0)
    assert (facts["n_recommended"], facts["zero_results"], facts["zero_results_of_traffic"]) == (6, 0.0, None)
    rounded = [round(facts[name], 2) for name in ("gini_of_recommended", "gini_of_catalogue", "popularity_bias")]
    assert rounded == [0.24, 0.54, 1.6]
    assert facts["similarity"] == "category"
    assert facts["serendipity"] is None


def test_vectors_history_and_who_was_asked(files: Path) -> None:
    facts = described(files, "--vectors", "items.npy", "--history", "seen.csv", "--asked", "asked.tsv")
    assert (facts["similarity"], facts["zero_results"], facts["zero_results_of_traffic"]) == ("vector", 0.25, 0.1)
    assert 0 < facts["serendipity"] < facts["serendipity_of_smallest"]
    table = called("describe_recommendations", files / "a.run", "--items", files / "items.csv", "-o", files / "out")
    assert table == ("", "")
    lines = (files / "out").read_text().splitlines()
    assert lines[:2] == [
        "r, first 10 of each list, similarity by category",
        "The first 10 of 3 lists show 6 of 10 items: 60.0 % of the catalogue, and 100.0 % of its categories.",
    ]
    assert lines[lines.index("") + 1] == "lists                                           3"


@pytest.mark.parametrize(
    ("file", "content", "reason"),
    [
        ("items.csv", "item_id,popularity\n1,2\n1,3\n", "1 problem; nothing was computed"),
        ("items.csv", "name\nx\n", "1 problem"),
        ("items.csv", "item,popularity\n1,-2\n", "1 problem"),
        ("seen.csv", "user\na\n", "1 problem"),
        ("seen.csv", "user,item\na,99\n", "1 problem"),
        ("asked.tsv", "query\tcount\na\t5\na\t3\n", "1 problem"),
        ("asked.tsv", "query\tcount\na\t5\n", "the run has a list for b, who was not asked"),
        ("items.ids.txt", "".join(f"{i}\n" for i in range(2, 12)), "1 items have no vector, as 1"),
    ],
)
def test_what_is_refused(files: Path, file: str, content: str, reason: str) -> None:
    (files / file).write_text(content)
    with pytest.raises(CommandError, match=reason):
        described(files, "--history", "seen.csv", "--asked", "asked.tsv", "--vectors", "items.npy")


def scores(folder: Path) -> Path:
    score, positive = tutorial()
    rows = zip(score.tolist(), positive.astype(int).tolist(), strict=True)
    (folder / "scores.csv").write_text("score,is_fraud\n" + "".join(f"{s},{p}\n" for s, p in rows))
    return folder / "scores.csv"


def test_alarms_of_a_tutorial(tmp_path: Path) -> None:
    path, costs = scores(tmp_path), ("--threshold", "0.5", "--false-alarm", "100", "--miss", "10000")
    facts = json.loads(called("evaluate_alarms", path, *costs, "--json")[0])
    assert (f"{facts['detected']:.3f}", f"{facts['saved']:.3f}") == ("0.242", "0.230")
    assert facts["delay_mean"] is None
    assert facts["best_cost"] <= facts["cost"]
    words, _, table = called("evaluate_alarms", path, *costs)[0].partition("\n\n")
    assert words.splitlines() == facts["words"]
    assert f"never alarming {10_000 * facts['n_positive']:,}: 23.0 % saved." in words
    assert [line.split("  ")[0] for line in table.splitlines()[:2]] == ["anomalies", "all else"]
    assert called("evaluate_alarms", path, "--column", "positive=is_fraud", "--false-rate", "0")[0]


def test_time_to_detection_from_a_file(tmp_path: Path) -> None:
    rows = ["10,0.1,1,x", "12,0.9,1,x", "13,0.9,0,", "20,0.8,1,y"]
    path = tmp_path / "scores.csv"
    path.write_text("time,score,anomaly,incident\n" + "\n".join(rows) + "\n")
    facts = json.loads(called("evaluate_alarms", path, "--threshold", "0.5", "--json")[0])
    assert (facts["n_events"], facts["n_detected"], facts["delay_mean"], facts["delay_median_of_all"]) == (2, 2, 1, 1)


@pytest.mark.parametrize(
    ("content", "options", "reason"),
    [
        ("score,y\n0.1,2\n", (), "1 problem"),
        ("score\n0.1\n", (), "1 problem"),
        ("score,y\n0.1,0\n", (), "anomalies and others"),
        ("score,y\n0.1,0\n0.2,1\n", ("--miss", "5"), "go together"),
        ("score,y\n0.1,0\n0.2,1\n", ("--miss", "5", "--false-alarm", "1"), "need a threshold"),
        ("score,y\n0.1,0\n0.2,1\n", ("--column", "truth=y"), "--column truth: there are score"),
        ("score,y\n0.1,0\n0.2,1\n", ("--column", "positive=z"), "1 problem"),
    ],
)
def test_alarms_that_are_refused(tmp_path: Path, content: str, options: tuple[str, ...], reason: str) -> None:
    (tmp_path / "scores.csv").write_text(content)
    with pytest.raises(CommandError, match=reason):
        called("evaluate_alarms", tmp_path / "scores.csv", *options)


def test_items_that_the_catalogue_lacks(files: Path) -> None:
    (files / "items.csv").write_text("item\n1\n")
    with pytest.raises(CommandError, match="items that the catalogue does not have: 2, 3, 4 …"):
        described(files)


def test_a_log_alone_says_which_queries_had_no_result(files: Path) -> None:
    log = files / "log.jsonl"
    rows = [("a", 5, 3), ("b", 3, 0), ("c", 1, 12), ("d", 1, 0)]
    log.write_text("\n".join(json.dumps({"query": q, "count": n, "results": r}) for q, n, r in rows))
    (facts,) = json.loads(called("describe_recommendations", "--asked", log, "--json")[0])
    assert (facts["run"], facts["n_lists"], facts["zero_results"]) == ("log", 4, 0.5)
    assert facts["zero_results_of_traffic"] == pytest.approx(0.4)
    assert facts["catalogue_coverage"] is None
    assert facts["words"][0] == "50.0 % of 4 queries have no result; 40.0 % of the traffic."
    with pytest.raises(CommandError, match="no column of results"):
        called("describe_recommendations", "--asked", files / "asked.tsv")
    with pytest.raises(CommandError, match="Name a run"):
        called("describe_recommendations", "--items", files / "items.csv")


def test_the_catalogue_may_be_what_has_a_vector(files: Path) -> None:
    options = (files / "a.run", "--vectors", files / "items.npy", "--json")
    (facts,) = json.loads(called("describe_recommendations", *options)[0])
    assert (facts["n_items"], facts["similarity"], facts["popularity_bias"]) == (10, "vector", None)
    assert facts["diversity"] == described(files, "--vectors", "items.npy")["diversity"]
    with pytest.raises(CommandError, match="a catalogue is needed"):
        called("describe_recommendations", files / "a.run")


def test_alarms_from_a_run_and_from_vectors(files: Path) -> None:
    odd, table = files / "odd.csv", files / "scores.csv"
    odd.write_text("item,anomaly\n" + "".join(f"{i},{int(i in (1, 6))}\n" for i in range(1, 11)))
    facts = json.loads(called("evaluate_alarms", "--run", files / "a.run", "--anomalies", odd, "--json")[0])
    assert (facts["n_positive"], facts["n_negative"]) == (4, 5)
    vectors = np.load(files / "items.npy").astype(float)
    distance = np.sort(np.linalg.norm(vectors[:, None] - vectors, axis=2), axis=1)[:, 2].tolist()
    table.write_text("score,y\n" + "".join(f"{d!r},{int(i in (1, 6))}\n" for i, d in enumerate(distance, 1)))
    options = ("--vectors", files / "items.npy", "--anomalies", odd, "--neighbour", "2", "--json")
    ours, theirs = (json.loads(called("evaluate_alarms", *each)[0]) for each in (options, (table, "--json")))
    assert ours["auc"] == theirs["auc"]
    assert ours["threshold_at_rate"] == pytest.approx(theirs["threshold_at_rate"])
    odd.write_text("item,anomaly\n1,1\n2,0\n")
    with pytest.raises(CommandError, match="not said whether these are anomalies: 3, 4, 5 …"):
        called("evaluate_alarms", *options)
    with pytest.raises(CommandError, match="Name a file of scores"):
        called("evaluate_alarms", table, "--anomalies", odd)
