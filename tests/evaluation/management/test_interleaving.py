"""Lists and clicks from files: every form and both doors say the same, what is malformed is refused by line."""

import json
from pathlib import Path

import polars as pl
import pytest
from django.core.management import CommandError

import touchstone as ts
from annotation.kernel.plots.curves import CurvePlot
from evaluation.beyond.pages.drawings import pictures_of
from evaluation.engine.clicks.power import Power, PowerPoint, Share
from evaluation.engine.interleaving.lists import Lists
from evaluation.formats.clicks import words_of_power
from evaluation.models import Description
from tests.annotation.kernel.test_plots import MOST_OF_AXES
from tests.commands import ran
from tests.evaluation.engine.interleaving.test_interleaving import runs
from tests.evaluation.management.calling import called


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three runs, and team-draft lists of the first two."""
    place = tmp_path_factory.mktemp("interleaving")
    for run in runs(n_runs=3):
        rows = []
        for t, number in enumerate(run.numbers):
            a, b = int(run.start[t]), int(run.start[t + 1])
            rows += [f"{number} Q0 {run.docno[at]} 1 {run.score[at]} {run.tag}\n" for at in range(a, b)]
        (place / f"{run.tag}.run").write_text("".join(rows))
    called("interleave", place / "r0.run", place / "r1.run", "--lists", "8", "--seed", "7", "-o", place / "lists.jsonl")
    return place


def clicks(lists: list[dict[str, object]]) -> pl.DataFrame:
    """The first document of the first ranker's team twice in an impression, and one impression without a click."""
    rows: list[dict[str, object]] = []
    for one in lists:
        at = one["teams"].index("r0")  # type: ignore[attr-defined]
        shared = {"number": one["number"], "list": one["list"]}
        for impression in ("a", "a", "b"):
            docno = one["docnos"][at]  # type: ignore[index]
            rows.append({**shared, "impression": impression, "position": at + 1, "docno": docno, "clicked": 1})
        rows.append({**shared, "impression": "c", "position": 1, "docno": one["docnos"][0], "clicked": 0})  # type: ignore[index]
    return pl.DataFrame(rows)


def test_every_form_and_both_doors_say_the_same(folder: Path, tmp_path: Path) -> None:
    lines = [json.loads(line) for line in (folder / "lists.jsonl").read_text().splitlines()]
    frame = clicks(lines).sample(fraction=1.0, shuffle=True, seed=1)
    frame.write_csv(tmp_path / "clicks.csv")
    frame.drop("docno").write_csv(tmp_path / "clicks.tsv", separator="\t")
    frame.drop("position").write_ndjson(tmp_path / "clicks.jsonl")
    frame.write_parquet(tmp_path / "clicks.parquet")
    logs = [tmp_path / f"clicks.{form}" for form in ("csv", "tsv", "jsonl", "parquet")]
    facts = [json.loads(called("credit_clicks", folder / "lists.jsonl", log, "--json")[0]) for log in logs]
    assert facts[0] == facts[1] == facts[2] == facts[3]
    (one,) = facts[0]["preferences"]
    assert (one["first"], one["second"], one["wins"], one["losses"], one["ties"]) == ("r0", "r1", 96, 0, 0)
    assert (facts[0]["n_impressions"], facts[0]["n_silent"], facts[0]["n_topics"]) == (144, 48, 6)
    preference = ts.credit_clicks(folder / "lists.jsonl", logs[3]).preferences[0]
    assert (preference.p, preference.share, preference.p_lists) == (one["p"], one["share"], one["p_lists"])
    table = called("credit_clicks", folder / "lists.jsonl", logs[0])[0].splitlines()
    assert table[1].split()[:5] == ["r0", "r1", "96", "0", "0"]
    assert table[3:] == facts[0]["words"]


def test_lists_are_the_same_by_command_and_from_python(folder: Path) -> None:
    lists: Lists = ts.interleave([folder / "r0.run", folder / "r1.run"], lists=8, seed=7)
    written = [json.loads(line) for line in (folder / "lists.jsonl").read_text().splitlines()]
    assert [tuple(one["docnos"]) for one in written] == list(lists.docno)
    assert written[0]["teams"] == [lists.rankers[team] for team in lists.team[0].tolist()]
    out, err = called("interleave", *(folder / f"r{i}.run" for i in range(3)), "--depth", "5")
    several = [json.loads(line) for line in out.splitlines()]
    assert {len(one["docnos"]) for one in several} == {5}
    assert {team for one in several for team in one["teams"]} == {"r0", "r1", "r2"}
    assert err.splitlines() == ["6 lists of 6 topics, team draft of r0, r1, r2"]


@pytest.mark.parametrize("method", ["balanced", "optimised", "probabilistic"])
def test_other_methods_are_credited_from_their_file(folder: Path, tmp_path: Path, method: str) -> None:
    pair = folder / "r0.run", folder / "r1.run"
    called("interleave", *pair, "--method", method, "--lists", "4", "-o", tmp_path / "lists.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "lists.jsonl").read_text().splitlines()]
    best = [one["ranks"].index(next(r for r in one["ranks"] if r[0] == 1)) + 1 for one in lines]
    rows = [{"qid": one["number"], "list": one["list"], "rank": at} for one, at in zip(lines, best, strict=True)]
    pl.DataFrame(rows).write_csv(tmp_path / "clicks.csv")
    facts = json.loads(called("credit_clicks", tmp_path / "lists.jsonl", tmp_path / "clicks.csv", "--json")[0])
    assert (facts["method"], facts["preferences"][0]["wins"]) == (method, 24)  # the first ranker's best document


LIST = {
    "number": "1",
    "list": 1,
    "method": "team_draft",
    "rankers": ["A", "B"],
    "docnos": ["x", "y"],
    "teams": ["A", "B"],
}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"method": "round_robin"}, "the method is not one of"),
        ({"rankers": ["A"]}, "no list of two"),
        ({"rankers": ["A", "B", "C"], "method": "balanced"}, "has two rankers, not 3"),
        ({"parameters": {"shared_prefix": "x"}}, "drafted or teamless"),
        ({"parameters": {"x": "x"}}, "team draft has no x"),
        ({"parameters": {"shared_prefix": ["x"]}}, "drafted or teamless"),
        ({"number": ""}, "the number is empty"),
        ({"list": 0}, "the list is not a whole number"),
        ({"list": True}, "the list is not a whole number"),
        ({"docnos": ["x", "x"]}, "a document stands twice"),
        ({"docnos": []}, "docnos are no list"),
        ({"docnos": [f"d{i}" for i in range(64)]}, "docnos are no list"),
        ({"teams": ["A", "C"]}, "teams are not"),
        ({"teams": ["A"]}, "teams are not"),
        ({"method": "optimised"}, "ranks are not"),
        ({"method": "probabilistic"}, "ranks are not"),
        ({"method": "probabilistic", "parameters": {"tau": "nan"}}, "tau lies above 0"),
        ({"ranks": [[1, None], [None, None]]}, "ranks are not"),
        ({"ranks": [[1, 2], [2, -1]]}, "ranks are not"),
    ],
)
def test_lists_that_are_refused(tmp_path: Path, change: dict[str, object], reason: str) -> None:
    (tmp_path / "lists.jsonl").write_text(json.dumps(LIST | change))
    (tmp_path / "clicks.csv").write_text("number,list,position\n1,1,1\n")
    with pytest.raises(ts.FormatError) as refused:
        ts.credit_clicks(tmp_path / "lists.jsonl", tmp_path / "clicks.csv")
    assert refused.value.problems[0].line == 1
    assert reason in refused.value.problems[0].reason


def test_lists_of_one_file_are_of_one_experiment(tmp_path: Path) -> None:
    (tmp_path / "clicks.csv").write_text("number,list,position\n1,1,1\n")
    for other, reason in (
        (LIST, "stands in line 1 already"),
        (LIST | {"rankers": ["A", "C"]}, "not those of the first"),
    ):
        (tmp_path / "lists.jsonl").write_text(json.dumps(LIST) + "\n" + json.dumps(other))
        with pytest.raises(ts.FormatError, match=reason):
            ts.credit_clicks(tmp_path / "lists.jsonl", tmp_path / "clicks.csv")
    (tmp_path / "lists.jsonl").write_text("\n")
    with pytest.raises(ts.FormatError, match="there is no list"):
        ts.credit_clicks(tmp_path / "lists.jsonl", tmp_path / "clicks.csv")


@pytest.mark.parametrize(
    ("content", "line", "reason"),
    [
        ("number,list,position\n1,1,1\n1,1,3\n", 3, "position 3 lies behind the end of the list, which has 2"),
        ("number,list,position\n1,1,1\n1,2,1\n", 3, "there is no list 2 of topic '1'"),
        ("number,list,position\n2,1,1\n", 2, "there is no list 1 of topic '2'"),
        ("number,list,docno\n1,1,x\n1,1,z\n", 3, "the document 'z' is not in its list"),
        ("number,list,position\n1,1,0\n", 2, "the position '0' is not a whole number of at least 1"),
        ("number,list,position,impression\n1,1,1,\n", 2, "there is no impression"),
        ("number,list\n1,1\n", 1, "no column is called position, nor docno"),
        ("number,position\n1,1\n", 1, "no column is called list"),
        ("number,list,position\n", 0, "there is no row"),
    ],
)
def test_logs_that_are_refused(tmp_path: Path, content: str, line: int, reason: str) -> None:
    (tmp_path / "lists.jsonl").write_text(json.dumps(LIST))
    (tmp_path / "clicks.csv").write_text(content)
    with pytest.raises(ts.FormatError) as refused:
        ts.credit_clicks(tmp_path / "lists.jsonl", tmp_path / "clicks.csv")
    (problem,) = refused.value.problems
    assert (problem.file, problem.line) == ("clicks.csv", line)
    assert reason in problem.reason


def test_commands_refuse_in_words(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "clicks.csv").write_text("number,list,position,clicked\nq0,1,1,0\n")
    with pytest.raises(CommandError, match="no impression has a click"):
        called("credit_clicks", folder / "lists.jsonl", tmp_path / "clicks.csv")
    with pytest.raises(CommandError, match="takes two runs, not 3"):
        called("interleave", *(folder / f"r{i}.run" for i in range(3)), "--method", "balanced")
    with pytest.raises(CommandError, match="has no click credit"):
        called("interleave", folder / "r0.run", folder / "r1.run", "--click-credit", "linear")


@pytest.mark.parametrize("words", [("credit_clicks", "LISTS", "clicks.csv"), ("simulate_clicks", "qrels.txt", "LISTS")])
def test_lists_and_logs_are_named_without_their_folders(tmp_path: Path, words: tuple[str, ...]) -> None:
    (tmp_path / "lists.jsonl").write_text("{}\n")
    (tmp_path / "clicks.csv").write_text("number,list,position\n1,1,1\n")
    (tmp_path / "qrels.txt").write_text("1 0 x 1\n")
    files = [str(tmp_path / ("lists.jsonl" if word == "LISTS" else word)) for word in words[1:]]
    ended = ran(words[0], *files)
    assert (ended.code, ended.err.startswith("lists.jsonl:1: ")) == (1, True)


def test_simulated_clicks_are_a_log_and_power_has_a_plot(folder: Path, tmp_path: Path) -> None:
    numbers = [f"q{t}" for t in range(6)]
    (tmp_path / "qrels.txt").write_text("".join(f"{n} 0 d{d} {d % 3}\n" for n in numbers for d in range(20)))
    qrels, lists = tmp_path / "qrels.txt", folder / "lists.jsonl"
    written = called(
        "simulate_clicks", qrels, lists, "--impressions", "200", "--seed", "3", "-o", tmp_path / "log.jsonl"
    )
    assert written[1].startswith("200 impressions, ")
    again, _ = called("simulate_clicks", qrels, lists, "--impressions", "200", "--seed", "3")
    assert (tmp_path / "log.jsonl").read_text() == again
    facts = json.loads(called("credit_clicks", lists, tmp_path / "log.jsonl", "--json")[0])
    assert facts["n_impressions"] == 200
    assert facts["n_silent"] == 200 - int(written[1].split()[2])
    asked: list[str | Path] = [qrels, folder / "r0.run", folder / "r1.run", "--sizes", "20,40", "--replications", "10"]
    plot = tmp_path / "power.svg"
    report = json.loads(called("interleaving_power", *asked, "--plot", plot, "--json")[0])
    assert [point["n"] for point in report["points"]] == [20, 40]
    assert "A/B test (clicked)" in plot.read_text()
    table = called("interleaving_power", *asked)[0].splitlines()
    assert table[0].split() == ["impressions", "interleaving", "±", "wrong", "A/B", "test", "±", "wrong"]
    assert table[4:] == report["words"]
    picture = pictures_of(Description(kind="interleaving_power", drawing={}, figures=report))[0]
    assert len(f"{picture.y_name} upwards, {picture.x_name} to the right") <= MOST_OF_AXES
    drawn = picture.plot
    assert isinstance(drawn, CurvePlot)
    assert [line.curve.name for line in drawn.lines if line.curve.is_dashed] == ["A/B test"]
    with pytest.raises(CommandError, match="at most 1,000,000"):
        called("simulate_clicks", qrels, lists, "--impressions", "1000001")
    for wrong, reason in ((("--sizes", "x"), "whole numbers"), (("--plot", "x.gif"), "ends in"),
                          (("--sizes", "100,1000001"), "at most 1,000,000"),
                          (("--clicks", "perfect", "--eta", "2"), "eta is a parameter")):  # fmt: skip
        with pytest.raises(CommandError, match=reason):
            called("interleaving_power", *asked[:3], *wrong)


def test_words_have_the_power_that_was_found() -> None:
    """Not the 80 % that were asked for: with the fewest impressions it may be more."""
    shares = [(Share(0.978, 0.0, 0.01), Share(0.6, 0.0, 0.01)), (Share(1.0, 0.0, 0.0), Share(0.81, 0.0, 0.0))]
    points = tuple(PowerPoint(n, *each) for n, each in zip((50, 100), shares, strict=True))
    power = Power(("A", "B"), "team draft", "navigational", "clicked", 0.05, 500, 8, 0.7, 0.1, (0.9, 0.6), points)
    interleaved, ab_test = words_of_power(power)[:2]
    assert "98 % of the replications with 50 impressions, the fewest" in interleaved
    assert ab_test.endswith("81 % of the replications with 100 impressions.")
