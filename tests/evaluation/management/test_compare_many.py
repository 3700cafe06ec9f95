"""Which of many runs can be told apart, by the command."""

import csv
import io
import json
from pathlib import Path

import pytest
from django.core.management import CommandError

from tests.evaluation.management.calling import called

ORDERS = {"one": "abcdef", "two": "bacdef", "six": "fedcba"}


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """Forty topics in which a is relevant: one has it first, two second, six last."""
    numbers = range(1, 41)
    (tmp_path / "qrels").write_text("".join(f"{n} 0 a 1\n{n} 0 b 0\n" for n in numbers))
    for tag, order in ORDERS.items():
        (tmp_path / tag).write_text("".join(f"{n} Q0 {d} 1 {-i} {tag}\n" for n in numbers for i, d in enumerate(order)))
    return [tmp_path / name for name in ("qrels", *ORDERS)]


def printed(*arguments: str | Path) -> str:
    return called("compare_many", *arguments, "-m", "RR")[0]


def test_a_table_with_its_conclusion(files: list[Path]) -> None:
    """No value varies within a run: 1, 1/2 and 1/6. Their intervals have a width all the same."""
    level = "at the level of 0.05 (randomised Tukey test, 10,000 draws)"
    assert printed(*files).splitlines() == [
        "RR",
        "run    mean     95 % interval  ranks  groups",
        "one  1.0000  [0.9064, 1.0000]    1–1       a",
        "two  0.5000  [0.4887, 0.5113]    2–2       b",
        "six  0.1667  [0.1617, 0.1724]    3–3       c",
        f"Over 40 topics 3 of 3 pairs of 3 runs can be told apart in RR {level}.",
        "The level holds for all pairs together, and so do the ranges of ranks.",
        "one is better than every other run.",
        "This holds for topics like these, under these judgments, by this measure.",
    ]


def test_csv_json_and_latex(files: list[Path]) -> None:
    rows = list(csv.DictReader(io.StringIO(printed(*files, "--format", "csv"))))
    assert [(row["run"], row["best_rank"], row["groups"]) for row in rows] == [
        ("one", "1", "a"), ("two", "2", "b"), ("six", "3", "c"),
    ]  # fmt: skip
    (measure,) = json.loads(printed(*files, "--json"))["measures"]
    assert (measure["test"], measure["correction"], measure["alpha"]) == ("tukey", "none", 0.05)
    assert measure["groups"] == [["one"], ["two"], ["six"]]
    assert measure["difference"][0][1] == 0.5
    assert measure["adjusted_p"][2][2] == 1.0
    assert measure["conclusion"][2] == "one is better than every other run."
    assert r"two & 0.5000 & $[0.4887, 0.5113]$ & 2--2 & b \\" in printed(*files, "--format", "latex").splitlines()


def test_a_level_a_test_and_a_correction(files: list[Path]) -> None:
    """Of 100,095 sign vectors of forty equal differences hardly one is as extreme: p is 1/100,096, by Bonferroni thrice
    that, and no p of so many draws is below 1e-5."""
    options = ("--test", "randomization", "--correction", "bonferroni", "--json")
    (measure,) = json.loads(printed(*files, *options, "--alpha", "0.00001", "--confidence", "0.9"))["measures"]
    assert (measure["exact"], measure["adjusted_p"][0][1]) == (False, 3 / (measure["n_draws"] + 1))
    assert (measure["alpha"], measure["confidence"], measure["apart"]["n_apart"]) == (0.00001, 0.9, 0)
    assert measure["groups"] == [["one", "two", "six"]]


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--test", "sign"), "invalid choice"),
        (("--alpha", "0"), "alpha lies between 0 and 1"),
        (("--draws", "0"), "at least one draw"),
        (("--seed", "x"), "a seed is a whole number"),
    ],
)
def test_what_cannot_be_done(files: list[Path], options: tuple[str, ...], reason: str) -> None:
    with pytest.raises(CommandError, match=reason):
        printed(*files, *options)


def test_one_run_is_too_few(files: list[Path]) -> None:
    with pytest.raises(CommandError, match="needs two runs"):
        printed(*files[:2])
