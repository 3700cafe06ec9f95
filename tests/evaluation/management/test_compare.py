import csv
import io
import json
from pathlib import Path

import pytest
from django.core.management import CommandError

from tests.evaluation.management.calling import called

FIRST = {"1": "abcd", "2": "abcd", "3": "bacd", "4": "abcd", "5": "cabd", "6": "abcd"}
SECOND = {"1": "bacd", "2": "dbca", "3": "bdca", "4": "badc", "5": "cabd", "6": "dcba"}
THIRD = {number: order[::-1] for number, order in FIRST.items()}


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """Qrels in which a is relevant, and three runs."""
    (tmp_path / "qrels").write_text("".join(f"{n} 0 a 1\n{n} 0 b 0\n" for n in FIRST))
    for tag, orders in {"one": FIRST, "two": SECOND, "three": THIRD}.items():
        lines = [f"{n} Q0 {d} 1 {-i} {tag}\n" for n, order in orders.items() for i, d in enumerate(order)]
        (tmp_path / tag).write_text("".join(lines))
    return [tmp_path / name for name in ("qrels", "one", "two", "three")]


def printed(*arguments: str | Path) -> str:
    return called("compare", *arguments)[0]


def test_a_table_for_each_measure_and_how_far_they_agree(files: list[Path]) -> None:
    """Of RR run one has .5 in topic 3 and 5, else 1; two has .5, .25, .25, .5, .5, .25.

    P@1 ties two and three, which RR has apart. τ-b: 2/√(3·2). τ-AP,b: by RR 2·(1 + ½)/2 − 1 = .5, by P@1 1. RBO at
    p = .9: .1·(1 + .9·¾ + .81) + .729.
    """
    intervals = "95 % t intervals, each for its pair alone"
    level = "at the level of 0.05 (randomization test, p 0.0625)"
    few = "This test can find nothing: 5 topics that differ give no p below 0.0625."
    assert printed(*files[:3], "-m", "RR").splitlines() == [
        f"RR: 6 topics, randomization test, exact, correction holm; 0 of 1 pairs apart at 0.05; {intervals}",
        "means: one 0.8333, two 0.3750",
        "first  second  difference            interval       p  adjusted p     d_z  better/equal/worse",
        "one    two        +0.4583  [+0.1516, +0.7650]  0.0625      0.0625  +1.568               5/1/0",
        "Over 6 topics one minus two is +0.4583 in RR (95 % interval +0.1516 to +0.7650).",
        f"The two cannot be told apart {level}. {few} That does not show that they are equal.",
        "By other tests the two would be told apart: paired t-test, bootstrap test. Choose a test before you look.",
        "This holds for topics like these, under these judgments, by this measure; it says nothing of single topics.",
    ]
    assert printed(*files, "-m", "RR", "-m", "P@1").splitlines()[-2:] == [
        "agreement of the orders of the runs",
        "  RR and P@1: τ-b +0.816, τ-AP +0.750, RBO 0.978",
    ]


def test_csv_and_json_have_every_digit(files: list[Path]) -> None:
    rows = list(csv.DictReader(io.StringIO(printed(*files, "-m", "RR", "--format", "csv"))))
    assert [(row["first"], row["second"], row["p"]) for row in rows] == [
        ("one", "two", "0.0625"), ("one", "three", "0.03125"), ("two", "three", "0.25"),
    ]  # fmt: skip
    assert rows[0]["power"] == ""
    report = json.loads(printed(*files, "-m", "RR", "--format", "json", "--minimum-difference", "0.1"))
    asked = ("interval", "confidence", "baseline", "minimum_difference", "power_wanted")
    assert [report["measures"][0][name] for name in asked] == ["t", 0.95, None, 0.1, 0.8]
    assert (report["seed"], report["agreement"]) == (0, [])
    pair = report["measures"][0]["pairs"][0]
    assert (pair["first"], pair["p"], pair["better"]) == ("one", 0.0625, 5)
    assert all(pair[f"{size}_low"] < pair[size] < pair[f"{size}_high"] for size in ("d_z", "d", "g"))
    assert 0 < pair["power"] < 1 < pair["topics_needed"]


def test_runs_of_one_tag_are_told_apart(files: list[Path], tmp_path: Path) -> None:
    """Many tools write the same tag into every run they make."""
    (tmp_path / "again").write_text(files[2].read_text().replace(" two\n", " one\n"))
    out, err = called("compare", files[0], files[1], tmp_path / "again", "-m", "RR")
    assert err.splitlines() == [f"{tmp_path / 'again'}: another run of the tag one; here it is called 'one (2)'"]
    assert out.splitlines()[1] == "means: one 0.8333, one (2) 0.3750"
    lines = printed(*files[:2], tmp_path / "again", "-m", "RR", "--baseline", "one (2)").splitlines()
    assert lines[3].startswith("one ")


def test_what_cannot_be_said_is_left_out_with_its_reason(files: list[Path], tmp_path: Path) -> None:
    """Run two against itself under another tag: no difference varies, so that there is no d_z and no interval of d."""
    (tmp_path / "copy").write_text(files[2].read_text().replace(" two\n", " copy\n"))
    options = (files[0], files[2], tmp_path / "copy", "-m", "RR")
    why = "all differences are equal: they have no standard deviation to divide by"
    assert printed(*options).splitlines()[-2:] == [
        f"–: {why}",
        "two and copy have the same value on each of the 6 topics.",
    ]
    assert f"% –: {why}" in printed(*options, "--format", "latex").splitlines()
    pair = json.loads(printed(*options, "--format", "json"))["measures"][0]["pairs"][0]
    assert [pair[name] for name in ("d_z", "d_z_low", "d", "d_low")] == [None, None, 0.0, None]
    assert pair["note"] == f"d_z: {why}; d, g: all differences are equal: no interval"
    [row] = csv.DictReader(io.StringIO(printed(*options, "--format", "csv")))
    assert (row["d_z"], row["note"]) == ("", pair["note"])


def test_orders_without_a_coefficient_say_why(files: list[Path]) -> None:
    out = printed(*files, "-m", "RR", "-m", "NumQ").splitlines()[-1]
    assert out == "  RR and NumQ: τ-b –, τ-AP –, RBO 0.903 (all systems are tied in one of the orders)"


def test_latex(files: list[Path]) -> None:
    options = ("-m", "RR", "--format", "latex", "--confidence", ".975", "--interval", "bca")
    lines = printed(*files[:3], *options).splitlines()
    assert lines[0].startswith("% RR: 6 topics, randomization test, exact, correction holm; ")
    assert lines[0].endswith("; 97.5 % bca intervals, each for its pair alone")
    assert lines[1] == "% seed 0"
    assert "adjusted $p$" in lines[4]
    assert printed(*files[:3], "-m", "RR", "--format", "latex").splitlines()[7] == (
        r"one $-$ two & $+0.4583$ & $[+0.1516, +0.7650]$ & 0.0625 & $+1.568$ \\"
    )


def test_a_baseline_and_plots(files: list[Path], tmp_path: Path) -> None:
    out = printed(*files, "-m", "RR", "--baseline", "three", "--plot", tmp_path / "plots", "--plot-format", "png")
    assert [line.split()[:2] for line in out.splitlines()[3:5]] == [["one", "three"], ["two", "three"]]
    assert sorted(path.name for path in (tmp_path / "plots").iterdir()) == [
        "differences_RR.png", "topics_RR_1.png", "topics_RR_2.png",
    ]  # fmt: skip


def test_the_same_seed_says_the_same(files: list[Path]) -> None:
    options = ("-m", "AP", "--test", "bootstrap", "--draws", "500", "--interval", "percentile")
    assert printed(*files, *options, "--seed", "3") == printed(*files, *options, "--seed", "3")


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--baseline", "four"), "no run has the tag 'four'; there are one, two, three"),
        (("--test", "tukey", "--baseline", "one"), "takes no baseline"),
        (("--confidence", "2"), "confidence"),
        (("-m", "nDGC"), "no measure 'nDGC'; the nearest are"),
        (("--minimum-difference", "0"), "the minimum difference is above 0, not 0"),
        (("--minimum-difference", "-0.1"), "the minimum difference is above 0, not -0.1"),
        (("--seed", "-1"), "a seed is a whole number of at least 0, not -1"),
        (("-m", "GMAP@10"), r"no differences of geometric means \(GMAP@10\): compare AP or bpref"),
    ],
)
def test_what_cannot_be_done(files: list[Path], options: tuple[str, ...], reason: str) -> None:
    with pytest.raises(CommandError, match=reason):
        printed(*files, *options)


def test_one_run_is_no_comparison(files: list[Path]) -> None:
    with pytest.raises(CommandError, match="needs two runs"):
        printed(*files[:2])
