"""What a person at the command line gets for a malformed file: each fault, the exit status 1, and no figures."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.corpus import Malformed, qrels, runs

RUNS = [
    "five fields",
    "score nan",
    "NUL in a docno",
    "gzip cut in the middle",
    "a docno twice",
    "two tags",
    "UTF-16",
    "zip",
]
QRELS = ["grade 0.7", "five fields", "two grades for a pair", "gzip of gzip"]


def evaluated(folder: Path, *, judged: bytes, run: bytes) -> subprocess.CompletedProcess[str]:
    (folder / "a.qrels").write_bytes(judged)
    (folder / "a.run").write_bytes(run)
    command = [sys.executable, "manage.py", "evaluate", str(folder / "a.qrels"), str(folder / "a.run")]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def expect_refusal(done: subprocess.CompletedProcess[str], case: Malformed, folder: Path) -> None:
    n = len(case.faults)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines() == [
        *(f"{folder}/{fault}" for fault in case.faults),
        f"{n} problem{'s' if n > 1 else ''}; nothing was evaluated.",
    ]


@pytest.mark.parametrize("name", RUNS)
def test_a_malformed_run(tmp_path: Path, name: str) -> None:
    case = next(case for case in runs.MALFORMED if case.name == name)
    expect_refusal(evaluated(tmp_path, judged=qrels.GOOD, run=case.data), case, tmp_path)


@pytest.mark.parametrize("name", QRELS)
def test_malformed_qrels(tmp_path: Path, name: str) -> None:
    case = next(case for case in qrels.MALFORMED if case.name == name)
    expect_refusal(evaluated(tmp_path, judged=case.data, run=runs.GOOD), case, tmp_path)


def test_an_empty_file_is_none_of_the_forms(tmp_path: Path) -> None:
    done = evaluated(tmp_path, judged=b"", run=runs.GOOD)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines()[0] == f"{tmp_path}/a.qrels: there is nothing in this file"


def test_what_is_none_of_the_forms_is_read_as_trecs(tmp_path: Path) -> None:
    """So that a file of TREC's with a fault in every line is told which."""
    case = next(case for case in qrels.MALFORMED if case.name == "CR alone")
    done = evaluated(tmp_path, judged=case.data, run=runs.GOOD)
    first, *faults, last = done.stderr.splitlines()
    assert (done.returncode, done.stdout) == (1, "")
    assert first.startswith(f"{tmp_path}/a.qrels: not recognised as any of TREC qrels (trec), BEIR qrels (beir)")
    assert faults == [f"{tmp_path}/{fault}" for fault in case.faults]
    assert last == f"{len(case.faults) + 1} problems; nothing was evaluated."


def test_good_files_of_the_corpus_are_evaluated(tmp_path: Path) -> None:
    done = evaluated(tmp_path, judged=qrels.GOOD, run=runs.GOOD)
    without = "1 topic (1) of the qrels without a judged document below grade 1: bpref is recall there\n"
    assert (done.returncode, done.stderr) == (0, without)
    assert done.stdout.splitlines()[1].split()[:2] == ["me", "1.0000"]
