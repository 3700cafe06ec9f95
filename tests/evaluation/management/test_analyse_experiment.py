"""An A/B test from a log, by command and from Python: the same numbers from every form."""

import datetime
import json
from datetime import timedelta
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from django.core.management import CommandError

import touchstone as ts
from annotation.formats.problems import Problems
from evaluation.formats.log.experiment_log import read_experiment
from tests.commands import ran
from tests.evaluation.engine.ab_tests.test_analysis import COLUMNS, units
from tests.evaluation.management.calling import called


@pytest.fixture
def frame() -> pl.DataFrame:
    parts = [
        pl.DataFrame(units(1_200, seed, lift), schema=list(COLUMNS), orient="row").with_columns(arm=pl.lit(arm))
        for arm, seed, lift in (("A", 1, 0.0), ("B", 2, 0.5))
    ]
    return pl.concat(parts).sample(fraction=1.0, shuffle=True, seed=4)


def test_every_form_and_both_doors_say_the_same(frame: pl.DataFrame, tmp_path: Path) -> None:
    frame.write_csv(tmp_path / "log.csv")
    frame.write_csv(tmp_path / "log.tsv", separator="\t")
    frame.write_ndjson(tmp_path / "log.jsonl")
    frame.write_parquet(tmp_path / "log.parquet")
    asked = ["--variant", "arm", "--control", "A", "--measure", "spent", "--ratio", "clicks/views", "--share", "A=1"]
    asked += ["--share", "B=1", "--covariate", "before", "--guardrail", "views=-3%", "--guardrail", "views=2"]
    logs = [tmp_path / f"log.{form}" for form in ("csv", "tsv", "jsonl", "parquet")]
    facts = [json.loads(called("analyse_experiment", log, *asked, "--json")[0]) for log in logs]
    assert facts[0] == facts[1] == facts[2] == facts[3]
    analysis = ts.analyse_experiment(
        tmp_path / "log.csv",
        variant="arm",
        control="A",
        measures=["spent"],
        ratios=[("clicks", "views")],
        covariate="before",
        guardrails={"views": 2},
    )
    spent = facts[0]["comparisons"][0]
    assert (spent["measure"], spent["variant"], facts[0]["sample_ratio"]["n"]) == ("spent", "B", {"A": 1200, "B": 1200})
    assert (spent["difference"], spent["p"], spent["variance_saved"], spent["p_adjusted"]) == (
        analysis.comparisons[0].effect.difference, analysis.comparisons[0].effect.p,
        analysis.comparisons[0].effect.variance_saved, analysis.comparisons[0].p_adjusted,
    )  # fmt: skip
    assert [one["margin_is_relative"] for one in facts[0]["guardrails"]] == [True, False]
    table = called("analyse_experiment", logs[0], *asked)[0].splitlines()
    assert [line.split()[0] for line in table[:5]] == ["measure", "spent", "clicks/views", "views", "views"]
    assert table[6] == facts[0]["conclusion"][0]


def test_a_mismatch_shows_no_difference(frame: pl.DataFrame, tmp_path: Path) -> None:
    frame.filter((pl.col("arm") == "A") | (pl.col("spent") > 6)).write_csv(tmp_path / "log.csv")
    asked = ("--variant", "arm", "--control", "A", "--measure", "spent")
    assert called("analyse_experiment", tmp_path / "log.csv", *asked)[0].startswith("The sample ratio does not fit: A")


def test_truth_values_of_parquet_are_numbers_and_dates_are_none(tmp_path: Path) -> None:
    arms = pl.DataFrame({"arm": ["A", "B"] * 10})
    bought, day = (
        pl.Series("m", [True, True, False] * 6 + [False] * 2),
        pl.Series("m", [datetime.date(2026, 1, 2)] * 20),
    )
    for kind in (pl.Boolean, pl.Int8, pl.Decimal(6, 2)):
        arms.with_columns(bought.cast(pl.Int8).cast(kind)).write_parquet(tmp_path / "log.parquet")
        analysis = ts.analyse_experiment(tmp_path / "log.parquet", variant="arm", control="A", measures=["m"])
        assert (analysis.comparisons[0].effect.control, analysis.comparisons[0].effect.treatment) == (0.6, 0.6)
    for odd in (day, pl.Series("m", [[1.0]] * 20)):
        arms.with_columns(odd).write_parquet(tmp_path / "log.parquet")
        with pytest.raises(ts.FormatError, match="is not a finite decimal number"):
            ts.analyse_experiment(tmp_path / "log.parquet", variant="arm", control="A", measures=["m"])
    pl.DataFrame({"arm": [["A"], ["B"]], "m": [1, 2]}).write_parquet(tmp_path / "log.parquet")
    with pytest.raises(ts.FormatError, match="the arm is not text"):
        ts.analyse_experiment(tmp_path / "log.parquet", variant="arm", control="A", measures=["m"])


def test_nested_columns_of_parquet_that_nobody_names_are_left_out(tmp_path: Path) -> None:
    table = {"arm": ["A", "B"], "m": [1, 2], "tags": [["x"], []], "of": [{"a": 1}, {"a": 2}], "land": ["d", "e"]}
    table["took"] = [timedelta(1), timedelta(2)]
    path = tmp_path / "log.parquet"
    pl.DataFrame(table).write_parquet(path)
    log = read_experiment(path, Problems("log.parquet"))
    assert (log.numbers, log.texts, log.names) == (("m",), ("land",), ("arm", "m", "land"))
    assert log.rows == [["A", "1", "d"], ["B", "2", "e"]]
    with pytest.raises(ts.FormatError, match="is not a finite decimal number"):
        read_experiment(path, Problems("log.parquet"), numbers=["tags"])


def test_a_column_that_is_nearly_of_numbers_is_said(tmp_path: Path) -> None:
    path, problems = tmp_path / "log.csv", Problems("log.csv")
    path.write_text("arm,m,spent,land\nA,1,2,d\nB,0,nan,e\nA,1,3,d\n")
    assert read_experiment(path, problems).numbers == ("m",)
    what = "'spent' has numbers in 2 of the first 3 rows and is read as text: in this row there is 'nan' as 'spent'"
    assert list(map(str, problems.notes)) == [f"log.csv:3: {what}"]


def test_a_unit_that_stands_twice_is_named_by_line(frame: pl.DataFrame, tmp_path: Path) -> None:
    who = [f"u{i}" for i in range(frame.height - 1)] + ["u5"]
    frame.with_columns(who=pl.Series(who)).write_csv(tmp_path / "log.csv")
    with pytest.raises(ts.FormatError) as refused:
        ts.analyse_experiment(tmp_path / "log.csv", variant="arm", control="A", unit="who", measures=["spent"])
    (problem,) = refused.value.problems
    assert (problem.line, problem.reason) == (2_401, "the unit stands in line 7 already: a row a unit")
    frame.with_columns(who=pl.int_range(frame.height)).write_csv(tmp_path / "log.csv")
    assert ts.analyse_experiment(tmp_path / "log.csv", variant="arm", control="A", unit="who", measures=["spent"])


@pytest.mark.parametrize(
    ("content", "options", "reason"),
    [
        ("arm,m\nA,1\nB,x\n", ("--measure", "m"), "1 problem"),
        ("arm,m\nA,1\nB,\n", ("--measure", "m"), "1 problem"),
        ("arm,m\n,1\n", ("--measure", "m"), "1 problem"),
        ("arm,m\n", ("--measure", "m"), "1 problem"),
        ("arm,m\nA,1\n", ("--measure", "z"), "1 problem"),
        ("arm,m\n" + "".join(f"v{i},1\n" for i in range(60)), ("--measure", "m"), "1 problem"),
        ("arm,m\nA,1\nA,2\n", ("--measure", "m"), "at least two variants; there is A"),
        ("arm,m\nA,1\nA,2\n", ("--measure", "arm"), "asked for as two things"),
        ("arm,m,who\nA,1,x\nA,2,y\nB,3,x\n", ("--measure", "m", "--unit", "who"), "1 problem"),
        ("arm,m\nA,1\n", ("--measure", "m", "--unit", "arm"), "asked for as two things"),
        ("arm,m\nA,1\n", (), "at least one measure"),
        ("arm,m\nA,1\n", ("--ratio", "m"), "two columns are expected"),
        ("arm,m\nA,1\n", ("--guardrail", "m=low"), "NAME=NUMBER is expected"),
        ("arm,m\nA,1\n", ("--guardrail", "m=0"), "the change that is too much"),
    ],
)
def test_what_is_refused(tmp_path: Path, content: str, options: tuple[str, ...], reason: str) -> None:
    (tmp_path / "log.csv").write_text(content)
    with pytest.raises(CommandError, match=reason):
        called("analyse_experiment", tmp_path / "log.csv", "--variant", "arm", "--control", "A", *options)


@pytest.fixture
def parted(frame: pl.DataFrame) -> pl.DataFrame:
    """With a day, a land (some none) and a session of two units or so of one variant."""
    rng = np.random.default_rng(6)
    n = frame.height
    day = [f"2026-03-{one:02}" for one in rng.integers(1, 15, n).tolist()]
    land = [("fi", "nl", None)[one] for one in rng.integers(0, 3, n).tolist()]
    number = rng.integers(0, 600, n).tolist()
    session = [f"{arm}{one}" for arm, one in zip(frame["arm"].to_list(), number, strict=True)]
    return frame.with_columns(day=pl.Series(day), land=pl.Series(land), session=pl.Series(session))


def test_segments_looks_and_clusters_are_those_of_the_rows(parted: pl.DataFrame, tmp_path: Path) -> None:
    parted.write_csv(tmp_path / "log.csv")
    parted.with_columns(pl.col("day").str.to_datetime()).write_parquet(tmp_path / "log.parquet")
    asked = ["--variant", "arm", "--control", "A", "--measure", "spent", "--covariate", "before"]
    over = ["--segment", "land", "--time", "day", "--start", "300", "--events", "0", "--json"]
    facts, parquet = (
        json.loads(called("analyse_experiment", tmp_path / f"log.{form}", *asked, *over)[0])
        for form in ("csv", "parquet")
    )
    assert facts == parquet
    assert [one["segment"] for one in facts["segments"]] == ["(none)", "fi", "nl"]
    for one in facts["segments"]:
        here = parted.filter(
            pl.col("land").is_null() if one["segment"] == "(none)" else pl.col("land") == one["segment"]
        )
        here.write_csv(tmp_path / "part.csv")
        alone = ts.analyse_experiment(
            tmp_path / "part.csv", variant="arm", control="A", measures=["spent"], covariate="before"
        )
        assert one["effect"]["difference"] == pytest.approx(alone.comparisons[0].effect.difference)
        assert one["effect"]["p"] == pytest.approx(alone.comparisons[0].effect.p)
        assert one["n_control"] + one["n_treatment"] == here.height
    (path,) = facts["paths"]
    assert [look["end"] for look in path["looks"]] == [f"2026-03-{day:02}" for day in range(2, 16)]
    for look in path["looks"]:
        n = parted.filter(pl.col("day") < look["end"]).group_by("arm").len().sort("arm")["len"].to_list()
        assert look["n"] == n
        assert (look["always_valid"] is None) == (min(n) < 300)
    last, whole = path["looks"][-1], facts["comparisons"][0]
    assert last["always_valid"]["low"] == pytest.approx(whole["always_valid"]["low"])
    assert path["stop"] is not None
    assert path["begin"] <= path["stop"]
    weeks = json.loads(called("analyse_experiment", tmp_path / "log.csv", *asked, *over, "--every", "week")[0])
    assert [look["end"] for look in weeks["paths"][0]["looks"]] == ["2026-03-02", "2026-03-09", "2026-03-16"]
    sessions = called("analyse_experiment", tmp_path / "log.csv", *asked, "--cluster", "session", "--json")[0]
    by_session = json.loads(sessions)
    n_sessions = parted.group_by("arm").agg(pl.col("session").n_unique()).sort("arm")["session"].to_list()
    assert list(by_session["sample_ratio"]["n"].values()) == n_sessions
    analysis = ts.analyse_experiment(
        tmp_path / "log.parquet",
        variant="arm", control="A", measures=["spent"], covariate="before", cluster="session",
    )  # fmt: skip
    assert by_session["comparisons"][0]["error"] == pytest.approx(analysis.comparisons[0].effect.error, rel=1e-9)


def test_segments_of_clusters_are_those_of_their_rows(parted: pl.DataFrame, tmp_path: Path) -> None:
    """Each session in one land, some in none; one that is in two is refused by its line."""
    land = pl.col("session").str.slice(-1).replace_strict({"1": "fi", "2": "fi", "3": "nl"}, default=None)
    nested = parted.with_columns(land=land).sample(fraction=1.0, shuffle=True, seed=3)
    nested.write_csv(tmp_path / "log.csv")
    nested.with_columns(pl.col("land").cast(pl.Categorical)).write_parquet(tmp_path / "log.parquet")
    asked = ["--variant", "arm", "--control", "A", "--measure", "spent", "--cluster", "session", "--segment", "land"]
    facts = [
        json.loads(called("analyse_experiment", tmp_path / f"log.{form}", *asked, "--json")[0])
        for form in ("csv", "parquet")
    ]
    assert facts[0] == facts[1]
    for one in facts[0]["segments"]:
        name = one["segment"]
        here = nested.filter(pl.col("land").is_null() if name == "(none)" else pl.col("land") == name)
        here.write_csv(tmp_path / "part.csv")
        alone = ts.analyse_experiment(
            tmp_path / "part.csv", variant="arm", control="A", measures=["spent"], cluster="session"
        )
        assert (one["n_control"], one["n_treatment"]) == tuple(alone.ratio.n.values())
        assert one["effect"]["difference"] == pytest.approx(alone.comparisons[0].effect.difference)
        assert one["effect"]["error"] == pytest.approx(alone.comparisons[0].effect.error, rel=0.15)
    parted.head(40).write_csv(tmp_path / "two.csv")
    with pytest.raises(ts.FormatError) as refused:
        ts.analyse_experiment(
            tmp_path / "two.csv", variant="arm", control="A", measures=["spent"], cluster="day", segments=["land"]
        )
    assert "in line" in refused.value.problems[0].reason
    (tmp_path / "place.csv").write_text("arm,u,land,m\nA,x,fi,1\nB,y,nl,2\nA,x,,3\n")
    with pytest.raises(ts.FormatError) as refused:
        ts.analyse_experiment(
            tmp_path / "place.csv", variant="arm", control="A", measures=["m"], cluster="u", segments=["land"]
        )
    (problem,) = refused.value.problems
    assert (problem.line, problem.reason) == (
        4,
        "the u of this row is in '(none)', and in 'fi' in line 2 of land: each is in one segment",
    )


@pytest.mark.parametrize(
    ("content", "options", "reason"),
    [
        ("arm,m,t\nA,1,2026-01-01\nB,2,soon\n", ("--time", "t"), "log.csv:3: the t 'soon' is not a date"),
        ("arm,m,t\nA,1,2026-01-01\nB,2,9999-12-31\n", ("--time", "t"), "log.csv:3: the t '9999-12-31' is not a date"),
        (
            "arm,m,t\nA,1,5\nB,2,2026-01-01\n",
            ("--time", "t", "--every", "5"),
            "log.csv:3: the t '2026-01-01' is not a number",
        ),
        ("arm,m,t\nA,1,5\nB,2,\n", ("--time", "t", "--every", "5"), "log.csv:3: there is no t"),
        ("arm,m,t\nA,1,5\nB,2,6\n", ("--time", "t"), "t has numbers: say how many"),
        ("arm,m,t\nA,1,5\nB,2,6\n", ("--time", "t", "--every", "soon"), "soon is no length of time"),
        (
            "arm,m,c\nA,1,u\nA,2,v\nB,3,u\n",
            ("--cluster", "c"),
            "log.csv:4: the c of this row is in 'B', and in 'A' in line 2",
        ),
        ("arm,m,c\nA,1,u\nA,2,v\nB,3,\n", ("--cluster", "c"), "log.csv:4: there is no c"),
        ("arm,m,c\n" + "".join(f"A,1,{i}\n" for i in range(51)), ("--segment", "c"), "more than 50 different values"),
    ],
)
def test_what_is_wrong_with_texts_is_refused(
    tmp_path: Path, content: str, options: tuple[str, ...], reason: str
) -> None:
    (tmp_path / "log.csv").write_text(content)
    asked = ("--variant", "arm", "--control", "A", "--measure", "m", *options)
    ended = ran("analyse_experiment", str(tmp_path / "log.csv"), *asked)
    assert ended.code != 0
    assert reason in ended.out + ended.err
