"""An A/B test from a log, by command and from Python: the same numbers from every form."""

import datetime
import json
from pathlib import Path

import polars as pl
import pytest
from django.core.management import CommandError

import touchstone as ts
from tests.evaluation.engine.experiments.test_experiments import COLUMNS, units
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
    found = ts.analyse_experiment(
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
        found.comparisons[0].effect.difference, found.comparisons[0].effect.p,
        found.comparisons[0].effect.variance_saved, found.comparisons[0].p_adjusted,
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
        found = ts.analyse_experiment(tmp_path / "log.parquet", variant="arm", control="A", measures=["m"])
        assert (found.comparisons[0].effect.control, found.comparisons[0].effect.treatment) == (0.6, 0.6)
    for odd in (day, pl.Series("m", [[1.0]] * 20)):
        arms.with_columns(odd).write_parquet(tmp_path / "log.parquet")
        with pytest.raises(ts.FormatError, match="is not a finite decimal number"):
            ts.analyse_experiment(tmp_path / "log.parquet", variant="arm", control="A", measures=["m"])
    pl.DataFrame({"arm": [["A"], ["B"]], "m": [1, 2]}).write_parquet(tmp_path / "log.parquet")
    with pytest.raises(ts.FormatError, match="the arm is not text"):
        ts.analyse_experiment(tmp_path / "log.parquet", variant="arm", control="A", measures=["m"])


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
