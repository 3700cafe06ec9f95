"""Judgments and clicks from files: every form and both doors say the same, malformed logs are refused by line."""

import json
from pathlib import Path

import polars as pl
import pytest
from django.core.management import CommandError

import touchstone as ts
from tests.evaluation.engine.clicks.made import made_clicks
from tests.evaluation.management.calling import called


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("clicks")
    counts, qrels = made_clicks(8)
    rows = [
        (qrels.numbers[t], d, g)
        for t, d, g in zip(qrels.topic.tolist(), qrels.docno, qrels.grade.tolist(), strict=True)
    ]
    (place / "qrels.txt").write_text("".join(f"{n} 0 {d} {g}\n" for n, d, g in rows))
    frame = pl.DataFrame(
        {
            "query_id": [counts.numbers[t] for t in counts.cell_topic.tolist()],
            "docno": [counts.docno[p] for p in counts.pair.tolist()],
            "position": counts.position,
            "clicks": counts.clicks.astype(int),
            "impressions": counts.impressions.astype(int),
        }
    )
    frame.write_csv(place / "clicks.csv")
    frame.write_csv(place / "clicks.tsv", separator="\t")
    frame.write_ndjson(place / "clicks.jsonl")
    frame.sample(fraction=1.0, shuffle=True, seed=1).write_parquet(place / "clicks.parquet")
    return place


def test_every_form_and_both_doors_say_the_same(folder: Path, tmp_path: Path) -> None:
    asked = "--resamples", "50", "--seed", "3"
    logs = [folder / f"clicks.{form}" for form in ("csv", "tsv", "jsonl", "parquet")]
    facts = [json.loads(called("compare_clicks", folder / "qrels.txt", log, *asked, "--json")[0]) for log in logs]
    assert facts[0] == facts[1] == facts[2] == facts[3]
    comparison = ts.compare_clicks(folder / "qrels.txt", folder / "clicks.csv", n_resamples=50, seed=3)
    assert [one["corrected"] for one in facts[0]["grades"]] == [
        {"value": one.corrected.value, "low": one.corrected.low, "high": one.corrected.high}
        for one in comparison.grades
    ]
    assert facts[0]["n_pairs"] == len(facts[0]["pairs"]) == len(comparison.pairs)
    plot = tmp_path / "clicks.svg"
    table = called("compare_clicks", folder / "qrels.txt", logs[0], *asked, "--plot", plot)[0].splitlines()
    assert [line.split()[0] for line in table[:6]] == ["grade", "0", "1", "2", "3", "4"]
    assert table[-len(facts[0]["words"]) :] == facts[0]["words"]
    assert "corrected click rate" in plot.read_text()


def test_rows_of_single_impressions_add_up(folder: Path, tmp_path: Path) -> None:
    """A row an impression, without a column of impressions; and given propensities."""
    frame = pl.read_csv(folder / "clicks.csv").head(40)
    rows = [
        {"topic": row["query_id"], "doc_id": row["docno"], "rank": row["position"], "clicked": int(i < row["clicks"])}
        for row in frame.iter_rows(named=True)
        for i in range(row["impressions"])
    ]
    pl.DataFrame(rows).write_csv(tmp_path / "single.csv")
    frame.write_csv(tmp_path / "sums.csv")
    (tmp_path / "positions.csv").write_text("position,propensity\n" + "".join(f"{k},{k**-0.5}\n" for k in range(1, 11)))
    propensities = "--propensities", tmp_path / "positions.csv"
    answers = [
        json.loads(called("compare_clicks", folder / "qrels.txt", tmp_path / log, *options, "--json")[0])
        for log, options in (("single.csv", propensities), ("sums.csv", propensities), ("sums.csv", ("--eta", "0.5")))
    ]
    assert answers[0] == answers[1]
    assert answers[1]["grades"] == answers[2]["grades"]
    assert sum(one["impressions"] for one in answers[0]["pairs"]) == len(rows)


@pytest.mark.parametrize(
    ("content", "line", "reason"),
    [
        ("number,docno,position,clicks,impressions\n1,a,1,3,2\n", 2, "3 clicks of 2 impressions"),
        ("number,docno,position,clicks\n1,a,1,1\n1,a,1,2\n", 3, "2 clicks of 1 impressions"),
        ("number,docno,position,clicks\n1,a,0,1\n", 2, "the position '0' is not a whole number of at least 1"),
        ("number,docno,position,clicks\n1,a,1,x\n", 2, "the clicks 'x' is not a whole number"),
        (
            f"number,docno,position,clicks,impressions\n1,a,1,1,{10**12}\n1,a,1,1,{2**63 - 1}\n",
            3,
            "the impressions '9223372036854775807' is not a whole number of at least 0 and at most 1e+12",
        ),
        ("number,docno,position,clicks\n1,,1,1\n", 2, "there is no docno"),
        ("number,docno,clicks\n1,a,1\n", 1, "no column is called position, nor pos"),
        ("number,docno,position,clicks,impressions\n1,a,1,0,0\n", 0, "there is no impression"),
        ("number,docno,position,clicks\n", 0, "there is no impression"),
    ],
)
def test_logs_that_are_refused(folder: Path, tmp_path: Path, content: str, line: int, reason: str) -> None:
    (tmp_path / "clicks.csv").write_text(content)
    with pytest.raises(ts.FormatError) as refused:
        ts.compare_clicks(folder / "qrels.txt", tmp_path / "clicks.csv")
    (problem,) = refused.value.problems
    assert (problem.file, problem.line) == ("clicks.csv", line)
    assert reason in problem.reason


def test_commands_refuse_in_words(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "clicks.csv").write_text("number,docno,position,clicks\nx,a,1,1\n")
    (tmp_path / "positions.csv").write_text("position,propensity\n1,1\n1,0.5\n2,0\n")
    log = folder / "clicks.csv"
    for options, reason in (
        ((tmp_path / "clicks.csv",), "no pair of the log is judged"),
        ((log, "--propensities", tmp_path / "positions.csv"), "2 problems"),
        ((log, "--plot", "x.gif"), "ends in"),
        ((log, "--resamples", "3"), "at least 50"),
    ):
        with pytest.raises(CommandError, match=reason):
            called("compare_clicks", folder / "qrels.txt", *options)
