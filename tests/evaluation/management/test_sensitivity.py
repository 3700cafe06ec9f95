"""How sure the order of runs is, by the command and by `ts.sensitivity`: the same numbers, from files."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.management import CommandError

import touchstone as ts
from evaluation.formats.sensitivity import as_object, of_object
from tests.evaluation.management.calling import called

TOPICS, DOCUMENTS, PEOPLE = range(6), "abcdefgh", "vwxyz"
FAULTS = {
    "{": "not JSON",
    "[]": "JSON object",
    '{"x": 1}': "no parameter",
    '{"min_gold": -1}': "below 0",
    '{"min_gold": 1, "min_gold": 2}': "stands twice",
}
ORDERS = {"one": "abcdefgh", "two": "bacdefhg", "six": "hgfedcba"}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six topics; a document is the better the earlier its letter, and five people see it more or less so."""
    folder, rng = tmp_path_factory.mktemp("files"), np.random.default_rng(1)
    rows = [
        (t, d, person, int(np.clip(3 - at // 2 + rng.integers(-1, 2), 0, 3)))
        for t in TOPICS
        for at, d in enumerate(DOCUMENTS)
        for person in PEOPLE
    ]
    lines = [f"{t}\t{d}\t{person}\t{grade}\n" for t, d, person, grade in rows]
    (folder / "judgments.tsv").write_text("query_id\tdoc_id\tannotator_id\tlabel\n" + "".join(lines))
    pairs = [(t, d, max(0, 3 - at // 2)) for t in TOPICS for at, d in enumerate(DOCUMENTS)]
    (folder / "qrels").write_text("".join(f"{t} 0 {d} {grade}\n" for t, d, grade in pairs))
    (folder / "machine").write_text("".join(f"{t} 0 {d} {3 - grade}\n" for t, d, grade in pairs))
    (folder / "gold").write_text("".join(f"{t}\t{d}\t{grade}\n" for t, d, grade in pairs if d in "abcd"))
    for tag, order in ORDERS.items():
        ranked = "".join(f"{t} Q0 {d} 1 {-i} {tag}\n" for t in TOPICS for i, d in enumerate(order))
        (folder / tag).write_text(ranked)
    return folder


def printed(folder: Path, *options: str | Path, judged: str = "qrels") -> str:
    return called("sensitivity", folder / judged, *(folder / tag for tag in ORDERS), *options)[0]


def studied(folder: Path, *options: str | Path, judged: str = "qrels") -> dict[str, Any]:
    result: dict[str, Any] = json.loads(printed(folder, *options, "--json", judged=judged))
    return result


def change(result: dict[str, Any], kind: str) -> dict[str, Any]:
    return next(each for each in result["changes"] if each["kind"] == kind)


def test_people_from_a_file_are_left_out_and_drawn(files: Path) -> None:
    result = studied(files, "--judgments", "annotators", "--draws", "40", "--seed", "7", judged="judgments.tsv")
    assert change(result, "annotators")["cases"] == list(PEOPLE)
    assert (change(result, "one_annotator")["n_cases"], result["seed"], result["n_draws"]) == (40, 7, 40)
    assert [pair["first"] for pair in result["shares"]] == result["tags"][:-1]
    assert 0 <= result["shares"][0]["both"]["share"] <= 1
    assert '"consolidation":"median"' in result["policy"]


def test_the_numbers_of_the_library_are_those_of_the_command(files: Path) -> None:
    options = ("--gold", files / "gold", "--draws", "30", "--seed", "3", "--pair", "two", "one", "--anew", "posterior")
    written = studied(files, "--judgments", "annotators", *options, "-m", "nDCG@5", judged="judgments.tsv")
    result = ts.sensitivity(
        None,
        [files / tag for tag in ORDERS],
        "nDCG@5",
        judgments=files / "judgments.tsv",
        gold=files / "gold",
        pairs=[("two", "one")],
        anew="posterior",
        n_draws=30,
        seed=3,
    )
    assert as_object(result) == written
    assert of_object(written) == result


def test_qrels_a_machine_judge_groups_and_a_table(files: Path) -> None:
    options = ("--beside", f"llm={files / 'machine'}", "--group", "near=one,t*")
    result = studied(files, *options)
    assert change(result, "judges")["tau_b"] == [-1.0]
    assert change(result, "groups")["cases"] == ["near", "six"]
    assert change(result, "judges")["n_swaps"] == [2]  # one and two are equal
    table = printed(files, *options)
    assert "3 runs by nDCG@10 does not hold throughout" in table
    assert "Not tried: one annotator left out; " in table
    assert "a share of .95 means about .88" in table
    assert "Rank (mean) of each run, as it stands and under each judge" in table
    assert "llm: τ-b −1.00, τ-AP,b −1.00; 2 of 3 pairs of runs change places: one and six; two and six." in table
    (judge,) = result["judges"]
    orders = list(csv.DictReader(io.StringIO(printed(files, *options, "--format", "orders"))))
    assert [(row["judge"], row["run"], int(row["rank"])) for row in orders] == [
        (name, tag, rank)
        for name, ranks in (("", result["rank"]), ("llm", judge["rank"]))
        for tag, rank in zip(result["tags"], ranks, strict=True)
    ]
    assert (result["rank"], judge["rank"]) == ([1, 1, 3], [2, 2, 1])
    assert "as it stands and under" not in printed(files)
    rows = list(csv.DictReader(io.StringIO(printed(files, "--format", "csv"))))
    assert sum(row["kind"] == "topics" for row in rows) == len(TOPICS)
    assert printed(files, "--format", "swaps").startswith("kind,ahead,behind,difference,n,n_cases\n")
    assert len(printed(files, "--format", "shares").splitlines()) == 1 + 2 * 3


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--beside", "machine"), "takes NAME=VALUE"),
        (("--gold", "x"), "go with --judgments annotators"),
        (("--group", "a=zebra"), "no run is called zebra"),
        (("--pair", "one", "zebra"), "no run zebra"),
        (("-m", "NumRet"), "measure of quality"),
        (("--draws", "0"), "at least 1"),
        (("--snapshot", "x", "--collection", "c"), "without files"),
    ],
)
def test_what_cannot_be_done(files: Path, options: tuple[str, ...], reason: str) -> None:
    with pytest.raises(CommandError, match=reason):
        printed(files, *options)


def test_a_policy_from_a_file_and_its_faults(files: Path, tmp_path: Path) -> None:
    policy = tmp_path / "policy.json"
    policy.write_text('{"accuracy_threshold": 0, "count_unproven": true, "consolidation": "majority"}')
    options = ("--judgments", "annotators", "--policy", policy)
    assert '"majority"' in studied(files, *options, judged="judgments.tsv")["policy"]
    for text, reason in FAULTS.items():
        policy.write_text(text)
        with pytest.raises(CommandError, match=reason):
            printed(files, *options, judged="judgments.tsv")


def test_a_faulty_line_is_named(files: Path, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.tsv"
    wrong.write_text("query_id\tdoc_id\tannotator_id\tlabel\n1\ta\t\t2\n")
    with pytest.raises(CommandError) as error:
        called("sensitivity", wrong, files / "one", files / "two", "--judgments", "annotators")
    assert "wrong.tsv:2: the annotator is empty" in "\n".join(error.value.lines())  # type: ignore[attr-defined]


def test_one_run_is_too_few(files: Path) -> None:
    with pytest.raises(CommandError, match="two runs at least"):
        called("sensitivity", files / "qrels", files / "one")


@pytest.mark.shared
def test_a_real_track_under_each_of_three_machine_judges(shared_data: Path) -> None:
    """τ-b of the 25 runs by nDCG@10 under people and under each machine, against scipy on means of an evaluation."""
    stats = pytest.importorskip("scipy.stats")
    folder = shared_data / "dl19"
    runs, machines = sorted((folder / "runs").iterdir()), sorted((folder / "machine").iterdir())
    beside = [part for machine in machines for part in ("--beside", f"{machine.stem}={machine}")]
    result = json.loads(called("sensitivity", folder / "qrels.txt", *runs, *beside, "--max-grade", "3", "--json")[0])
    judges = change(result, "judges")
    assert judges["cases"] == [machine.stem for machine in machines]
    people = [float(run.mean["nDCG@10"]) for run in ts.evaluate(folder / "qrels.txt", runs, "nDCG@10", max_grade=3)]
    for machine, tau in zip(machines, judges["tau_b"], strict=True):
        means = [float(run.mean["nDCG@10"]) for run in ts.evaluate(machine, runs, "nDCG@10", max_grade=3)]
        assert tau == pytest.approx(stats.kendalltau(people, means).statistic, abs=1e-9)
    assert all(0.8 < tau < 0.95 for tau in judges["tau_b"])
