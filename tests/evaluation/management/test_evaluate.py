import csv
import gzip
import io
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tests.evaluation.management.calling import called

QRELS = b"1 0 a 2\n1 0 b 0\n2 0 a 1\n3 0 a 0\n"
RUN = b"1 Q0 b 1 2 me\n1 Q0 a 2 1 me\n2 Q0 a 1 1 me\n9 Q0 a 1 1 me\n"


@pytest.fixture
def qrels(tmp_path: Path) -> Path:
    (tmp_path / "a.qrels").write_bytes(QRELS)
    return tmp_path / "a.qrels"


@pytest.fixture
def run(tmp_path: Path) -> Path:
    (tmp_path / "me.run.gz").write_bytes(gzip.compress(RUN))
    return tmp_path / "me.run.gz"


def printed(*arguments: str | Path) -> tuple[str, str]:
    return called("evaluate", *arguments)


def test_a_table_of_means_and_what_to_know_about_them(qrels: Path, run: Path) -> None:
    out, err = printed(qrels, run, "--measure", "RR", "-m", "P_10")
    assert out == "run      RR    P@10\nme   0.5000  0.0667\n"
    assert err.splitlines() == [
        "me: 1 topic (3) of the qrels missing from the run, counted as 0",
        "me: 1 topic (3) without a relevant document, counted as 0",
        "me: 1 topic (9) of the run not in the qrels, ignored",
    ]


def test_only_the_topics_of_the_run(qrels: Path, run: Path) -> None:
    out, err = printed(qrels, run, "-m", "RR", "--averaging", "retrieved", "--per-topic")
    assert out == "run  topic      RR\nme   1      0.5000\nme   2      1.0000\nme   all    0.7500\n"
    assert err.splitlines()[0] == "me: 1 topic (3) of the qrels missing from the run, left out"


def test_csv_has_every_digit(qrels: Path, run: Path) -> None:
    out, _ = printed(qrels, run, run, "-m", "P@10", "--format", "csv", "--per-topic")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [row["topic"] for row in rows] == ["1", "2", "3", "all"] * 2
    assert rows[3] == {"run": "me", "topic": "all", "P@10": "0.06666666666666667"}
    assert [row["run"] for row in rows] == ["me"] * 4 + ["me (2)"] * 4


def test_json_names_the_topics_too(qrels: Path, run: Path) -> None:
    """Topics .5, 1 and 0, 0.0412 of 0 and of 1: the ends solve the score equation with φ 1.000, t of 6.16 degrees."""
    report = json.loads(printed(qrels, run, "-m", "RR", "--format", "json", "--per-topic", "--device", "cpu")[0])
    assert report == [
        {
            "run": "me",
            "averaging": "complete",
            "n_topics": 3,
            "mean": {"RR": 0.5},
            "spread": {
                "RR": {
                    "deviation": 0.5,
                    "low": pytest.approx(0.0946491, abs=1e-7),
                    "high": pytest.approx(0.9053509, abs=1e-7),
                }
            },
            "missing": ["3"],
            "without_relevant": ["3"],
            "without_nonrelevant": ["2"],
            "unknown": ["9"],
            "n_judged_rows": 3,
            "n_tied_judged_rows": 0,
            "top_grade": 2,
            "topics": {"1": {"RR": 0.5}, "2": {"RR": 1.0}, "3": {"RR": 0.0}},
        }
    ]
    assert "topics" not in json.loads(printed(qrels, run, "--format", "json")[0])[0]


def test_sums_and_geometric_means_have_no_interval_even_where_they_are_what_the_mean_is(tmp_path: Path) -> None:
    qrels, run = tmp_path / "qrels", tmp_path / "all.run"
    qrels.write_text("1 0 a 1\n2 0 a 1\n")
    run.write_text("1 Q0 a 1 1 all\n2 Q0 a 1 1 all\n")
    measures = ["-m", "AP", "-m", "GMAP", "-m", "NumUnjudgedRet"]
    (report,) = json.loads(printed(qrels, run, *measures, "--format", "json")[0])
    assert report["mean"] == {"AP": 1, "GMAP": 1, "NumUnjudgedRet": 0}
    assert [*report["spread"]] == ["AP"]


def test_documents_are_counted_in_whole_numbers(qrels: Path, run: Path) -> None:
    out, _ = printed(qrels, run, "-m", "NumRet", "-m", "num_rel", "-m", "NumQ", "-m", "Hits@1", "--per-topic")
    assert [line.split() for line in out.splitlines()] == [
        ["run", "topic", "NumRet", "NumRel", "NumQ", "Hits@1"],
        ["me", "1", "2", "1", "1", "0.0000"],
        ["me", "2", "1", "1", "1", "1.0000"],
        ["me", "3", "0", "0", "1", "0.0000"],
        ["me", "all", "3", "2", "3", "0.3333"],
    ]


def test_where_bpref_has_nothing_to_count_it_is_said(qrels: Path, run: Path) -> None:
    _, err = printed(qrels, run, "-m", "bpref", "-m", "bpref(rel=2)", "-m", "AP")
    assert [line for line in err.splitlines() if "bpref" in line] == [
        "1 topic (2) of the qrels without a judged document below grade 1: bpref is recall there",
    ]
    assert "bpref" not in printed(qrels, run, "-m", "AP")[1]


def test_faults_are_named_by_file_and_line(qrels: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.run"
    bad.write_bytes(b"1 Q0 a 1 x me\n" * 25)
    err = io.StringIO()
    with pytest.raises(CommandError, match=r"^25 problems; nothing was evaluated\.$"):
        call_command("evaluate", str(qrels), str(bad), stderr=err)
    lines = err.getvalue().splitlines()
    assert lines[0] == f"{bad}:1: the score 'x' is not a finite decimal number"
    assert lines[20:] == ["… and 5 more"]


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["-m", "NDGC@10"], "no measure 'NDGC@10'; the nearest are nDCG@10"),
        (["-m", "α-nDCG@10"], r"^α-nDCG@10 needs --judgments diversity; not qrels$"),
        (["-m", "statAP"], r"^statAP needs --judgments prels or stratified; not qrels$"),
        (["-m", "xinfAP(eps=x)"], r"^xinfAP\(eps=x\) needs --judgments prels or stratified; not qrels$"),
        (["--judgments", "stratified", "-m", "bpref"], r"^bpref needs --judgments qrels; not stratified$"),
        (["-m", "Judged"], "Judged needs a cutoff: Judged@10"),
        (["--device", "abacus"], "no device 'abacus' for torch"),
        (["-", "-"], "The standard input can be read only once"),
        (["no-such-file"], "no-such-file: No such file or directory"),
    ],
)
def test_what_cannot_be_done_is_said(qrels: Path, run: Path, options: list[str], reason: str) -> None:
    with pytest.raises(CommandError, match=reason):
        printed(qrels, run, *options)


def test_as_a_command_it_reads_a_pipe_and_fails_with_1(qrels: Path) -> None:
    """From another process: the standard input, the exit status, and no word about system checks or the database."""
    command = [sys.executable, "manage.py", "evaluate", str(qrels), "-", "-m", "RR"]
    done = subprocess.run(command, input=gzip.compress(RUN), capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (0, b"run      RR\nme   0.5000\n")
    failed = subprocess.run(command, input=RUN + RUN, capture_output=True, check=False)
    assert (failed.returncode, failed.stdout) == (1, b"")
    assert failed.stderr.decode().splitlines()[0] == (
        "standard input:5: document 'b' is already retrieved for topic '1' in line 1"
    )


def test_latex_into_a_file(qrels: Path, run: Path, tmp_path: Path) -> None:
    out, _ = printed(qrels, run, "-m", "RR", "--format", "latex", "--output", tmp_path / "a.tex")
    assert out == ""
    assert "me & 0.5000 \\\\" in (tmp_path / "a.tex").read_text("utf-8").splitlines()
    with pytest.raises(CommandError, match="No such file or directory"):
        printed(qrels, run, "--output", tmp_path / "nowhere" / "a.tex")


def test_a_file_that_is_there_is_replaced_only_with_force(qrels: Path, run: Path, tmp_path: Path) -> None:
    place = tmp_path / "a.txt"
    place.write_text("mine", "utf-8")
    with pytest.raises(CommandError, match=r"a\.txt: there is such a file already; --force replaces it\."):
        printed(qrels, run, "--output", place)
    assert place.read_text("utf-8") == "mine"
    printed(qrels, run, "-m", "RR", "--output", place, "--force")
    assert "RR" in place.read_text("utf-8")


def test_plots_of_means_and_of_values_by_cutoff(qrels: Path, run: Path, tmp_path: Path) -> None:
    _, err = printed(
        qrels, run, "-m", "P@10", "-m", "nDCG(gains='exp')@5", "-m", "bpref", "--plot", tmp_path / "plots",
        "--cutoffs", "10,1,5",
    )  # fmt: skip
    written = sorted(path.name for path in (tmp_path / "plots").iterdir())
    assert written == [
        "P_vs_k.svg", "means_P@10.svg", "means_bpref.svg", "means_nDCG_gains=_exp_@5.svg", "nDCG_gains=_exp_vs_k.svg",
    ]  # fmt: skip
    assert sorted(line.rpartition("/")[2] for line in err.splitlines() if line.startswith("wrote ")) == written


def test_topics_without_anything_relevant_at_the_level_asked_for_are_named(qrels: Path, run: Path) -> None:
    out, err = printed(qrels, run, "-m", "AP(rel=2)", "-m", "P(rel=2)@1", "-m", "AP(rel=3)")
    assert out.splitlines()[1].split() == ["me", "0.1667", "0.0000", "0.0000"]
    assert err.splitlines()[-2:] == [
        "2 topics (2 3) of the qrels without a grade of at least 2, of value 0 with rel=2",
        "3 topics (1 2 3) of the qrels without a grade of at least 3, of value 0 with rel=3",
    ]


def test_what_is_no_mean_is_drawn_as_what_it_is(qrels: Path, run: Path, tmp_path: Path) -> None:
    printed(qrels, run, "-m", "GMAP", "-m", "NumRet", "-m", "AP", "--plot", tmp_path / "plots", "--cutoffs", "1,5")
    drawn = {path.name: path.read_text("utf-8") for path in (tmp_path / "plots").iterdir()}
    assert "GMAP: geometric mean over topics<" in drawn["means_GMAP.svg"]
    assert "GMAP@k, geometric mean over topics<" in drawn["GMAP_vs_k.svg"]
    assert "NumRet: sum over topics<" in drawn["means_NumRet.svg"]
    assert "AP: mean over topics, 95 % interval<" in drawn["means_AP.svg"]


@pytest.mark.parametrize(
    ("ties", "rr", "note"),
    [
        ("docno", "0.2500", "their docnos decide"),
        ("docno ascending", "0.5000", "their docnos decide, ascending"),
        ("file", "0.5000", "the order of their lines decides"),
    ],
)
def test_what_decides_between_equal_scores(tmp_path: Path, ties: str, rr: str, note: str) -> None:
    """a is relevant, b is not; the file has a first. Topic 2 is missing."""
    (tmp_path / "q").write_bytes(b"1 0 a 1\n1 0 b 0\n2 0 a 1\n")
    (tmp_path / "r").write_bytes(b"1 Q0 a 1 1 me\n1 Q0 b 2 1 me\n")
    out, err = printed(tmp_path / "q", tmp_path / "r", "-m", "RR", "--ties", ties)
    assert out == f"run      RR\nme   {rr}\n"
    assert err.splitlines()[-1] == f"me: 2 of 2 judged rows share their score: {note}"


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--max-grade", "1"), "the qrels have grade 2, above the top grade 1"),
        (("--depth", "0"), "the depth is at least 1"),
        (("--judged-only", "--unjudged", "top"), "either dropped or counted"),
        (("--ties", "averaged", "-m", "bpref"), "no values averaged over ties for bpref: name other measures"),
        (("--cutoffs", "0,5"), "cutoffs are whole numbers from 1"),
    ],
)
def test_options_that_make_no_sense(qrels: Path, run: Path, arguments: tuple[str, ...], reason: str) -> None:
    with pytest.raises(CommandError, match=reason):
        printed(qrels, run, *arguments)


def test_bounds_and_scenarios_of_what_is_unjudged(tmp_path: Path) -> None:
    """x is unjudged and first: it may be relevant. RBP goes on below the two documents of the run."""
    (tmp_path / "q").write_bytes(b"1 0 a 1\n1 0 b 0\n")
    (tmp_path / "r").write_bytes(b"1 Q0 x 1 2 me\n1 Q0 a 2 1 me\n")
    out, err = printed(tmp_path / "q", tmp_path / "r", "-m", "P@2", "-m", "RBP(p=0.5)", "-m", "AP", "--bounds")
    assert out.splitlines() == [
        "run                      P@2  RBP(p=0.5)      AP",
        "me                    0.5000      0.2500  0.5000",
        "me (unjudged as top)  1.0000      1.0000  1.0000",
    ]
    assert err.splitlines()[-2:] == [
        "unjudged as top: an upper bound for P@2, RBP(p=0.5)",
        "unjudged as top: a scenario for AP, whose values may lie outside the two",
    ]
    with pytest.raises(CommandError, match="say already what unjudged documents count as"):
        printed(tmp_path / "q", tmp_path / "r", "--bounds", "--judged-only")


def test_judgments_of_other_kinds(tmp_path: Path) -> None:
    """Two subtopics, of which the run finds one; a sample in which b stands for two documents."""
    (tmp_path / "r").write_bytes(b"1 Q0 a 1 2 me\n1 Q0 b 2 1 me\n")
    (tmp_path / "d").write_bytes(b"1 1 a 1\n1 2 c 1\n")
    (tmp_path / "p").write_bytes(b"1 a 1 1 1.0\n1 b 1 1 0.5\n1 c 0 1 NA\n")
    (tmp_path / "s").write_bytes(b"1 0 a 1 1\n1 0 b 1 0\n")
    assert printed(tmp_path / "d", tmp_path / "r", "--judgments", "diversity", "-m", "StRecall@1")[0].endswith(
        "  0.5000\n"
    )
    out, err = printed(tmp_path / "p", tmp_path / "r", "--judgments", "prels")
    assert out.splitlines()[0] == "run  statAP"
    assert "1 row left aside" in err
    out, _ = printed(tmp_path / "s", tmp_path / "r", "--judgments", "stratified", "-m", "xinfAP")
    assert out.split()[-1] == "1.0000"
    with pytest.raises(CommandError, match="no measure 'alpha_AP'"):
        printed(tmp_path / "d", tmp_path / "r", "--judgments", "diversity", "-m", "alpha_AP")
    with pytest.raises(CommandError, match="needs ordinary qrels"):
        printed(tmp_path / "d", tmp_path / "r", "--judgments", "diversity", "--bounds")


def test_means_of_few_judged_pairs_have_no_interval_and_a_reason(tmp_path: Path) -> None:
    """Of each topic's four pairs three are judged in the first file, all but one of the second topic in the other."""
    (tmp_path / "r").write_text("".join(f"{n} Q0 {d} 1 {9 - at} me\n" for n in (1, 2) for at, d in enumerate("abcd")))
    files = {"few": "110-", "most": "1100"}
    for name, of_first in files.items():
        rows = [
            f"{n} 0 {d} 1 {-1 if g == '-' else g}\n"
            for n, all_ in ((1, of_first), (2, "101-"))
            for d, g in zip("abcd", all_, strict=True)
        ]
        (tmp_path / name).write_text("".join(rows))
    measures = ("statAP", "xinfAP", "infNDCG", "infNDCG(fractions='counted')")
    asked = ("--judgments", "stratified", *(part for name in measures for part in ("-m", name)), "--format", "json")
    for name, without in ("few", ["infNDCG"]), ("most", ["infNDCG"]):
        out, err = printed(tmp_path / name, tmp_path / "r", *asked)
        spread = json.loads(out)[0]["spread"]
        assert [one for one in spread if spread[one]["low"] is None] == without
        assert [one for one in measures if f"no interval of {one}:" in err] == without
    (tmp_path / "fewer").write_text((tmp_path / "few").read_text().replace("1 0 c 1 0", "1 0 c 1 -1"))
    out, err = printed(tmp_path / "fewer", tmp_path / "r", *asked)
    spread = json.loads(out)[0]["spread"]
    assert [one for one in spread if spread[one]["low"] is None] == ["statAP", "xinfAP", "infNDCG"]
    assert "62 % of the pool is judged, and below 75 %" in err


def test_how_well_scores_tell_bad_topics(tmp_path: Path) -> None:
    """Ten topics with the value 1, 0, 1, 0 …: the first run is sure where it is right, the second where it is wrong."""
    (tmp_path / "q").write_text("".join(f"{n} 0 a {n % 2}\n{n} 0 b 1\n" for n in range(10)))
    for tag, sign in {"wise": 1, "proud": -1}.items():
        (tmp_path / tag).write_text("".join(f"{n} Q0 a 1 {sign * (n % 2)} {tag}\n" for n in range(10)))
    options = (tmp_path / "q", tmp_path / "wise", tmp_path / "proud", "-m", "P@1", "-m", "Judged@1", "--abstention")
    assert [line.split() for line in printed(*options)[0].splitlines()] == [
        ["run", "measure", "max", "std", "diff1"],
        ["wise", "P@1", "1.0000", "0.0000", "0.0000"],
        ["wise", "Judged@1", "–", "–", "–"],
        ["proud", "P@1", "-1.0000", "0.0000", "0.0000"],
        ["proud", "Judged@1", "–", "–", "–"],
    ]
    out, err = printed(*options, "--format", "json")
    assert err.splitlines() == [
        f"{tag}: no nAUC of Judged@1: it has the same value for all topics of the run" for tag in ("wise", "proud")
    ]
    rows = json.loads(out)
    assert rows[1] == {"run": "wise", "measure": "Judged@1", "max": None, "std": None, "diff1": None}
    assert printed(*options, "--format", "csv")[0].splitlines()[2] == "wise,Judged@1,,,"
    with pytest.raises(CommandError, match="written as table, csv, json, not latex"):
        printed(*options, "--format", "latex")


@pytest.mark.parametrize("command", ["evaluate", "trec_eval"])
def test_files_alone_need_neither_settings_nor_database(qrels: Path, run: Path, command: str) -> None:
    """A small job starts at once: the app is not loaded, so that broken settings do not matter either."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "manage.py", command, "-m", "P_5", str(qrels), str(run)],
        capture_output=True, text=True, check=False, env={"DATABASE_URL": "nonsense", "TOUCHSTONE_SECRET_KEY": "short"},
    )  # fmt: skip
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if line.startswith("import time:")}
    assert done.returncode == 0
    assert re.search(r"^(me|P_5)\b.*0\.[12]", done.stdout, re.MULTILINE)
    assert not loaded & {
        "annotation.models",
        "touchstone.settings",
        "django.db.models",
        "polars",
        "scipy",
        "torch",
        "matplotlib",
    }
