"""Pools by command, from runs and from files."""

import io
import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from annotation.models import AuditEvent, Collection, Pool, PoolPair
from tests.commands import ran
from tests.factories import make_collection, make_document, make_run, make_topic

pytestmark = pytest.mark.django_db


@pytest.fixture
def bees() -> Collection:
    collection = make_collection("bees")
    for number in ("1", "2"):
        make_topic(collection, number)
    for docno in "abcd":
        make_document(collection, docno)
    make_run(collection, "1 Q0 a 1 9 one\n1 Q0 b 2 8 one\n1 Q0 c 3 7 one\n2 Q0 d 1 9 one\n")
    make_run(collection, "1 Q0 b 1 9 two\n1 Q0 c 2 8 two\n")
    return collection


def printed(*words: str) -> str:
    out = io.StringIO()
    call_command("pool", *words, stdout=out, stderr=io.StringIO())
    return out.getvalue()


def refused(*words: str) -> tuple[str, int, list[str]]:
    err = io.StringIO()
    with pytest.raises(CommandError) as raised:
        call_command("pool", *words, stdout=io.StringIO(), stderr=err)
    return str(raised.value), raised.value.returncode, err.getvalue().splitlines()


def pairs_of(name: str) -> list[tuple[str, str]]:
    pairs = PoolPair.objects.filter(pool__name=name).order_by("topic__number", "rank")
    return list(pairs.values_list("topic__number", "document__docno"))


def test_the_tops_of_runs_in_fused_order(bees: Collection) -> None:
    facts = json.loads(printed("bees", "two deep", "--depth", "2", "--run", "one", "--run", "two", "--json"))
    assert facts == {
        "stored": True,
        "name": "two deep",
        "pairs": 4,
        "topics": 2,
        "fewest": 1,
        "most": 3,
        "origin": {"kind": "runs", "depth": 2, "runs": ["one", "two"], "topics": ["1", "2"]},
    }
    assert pairs_of("two deep") == [("1", "b"), ("1", "a"), ("1", "c"), ("2", "d")]
    assert printed("bees", "first topic", "--run", "one", "--topic", "1") == "stored: first topic, 3 pairs of 1 topic\n"


def test_a_file_of_pairs(bees: Collection, tmp_path: Path) -> None:
    file = tmp_path / "pairs.txt"
    file.write_text("2 b\n1 c\n1 a\n")
    assert printed("bees", "by hand", "--pairs", str(file)) == "stored: by hand, 3 pairs of 2 topics\n"
    assert pairs_of("by hand") == [("1", "c"), ("1", "a"), ("2", "b")]
    file.write_text("2 b\n9 c\n1 z\n")
    assert refused("bees", "bad", "--pairs", str(file)) == (
        "2 problems; nothing was stored.",
        1,
        ["pairs.txt:2: the collection has no topic 9", "pairs.txt:3: the collection has no document z"],
    )
    assert Pool.objects.count() == 1


def test_pairs_from_the_standard_input(bees: Collection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"2 b\n1 a\n")))
    assert ran("pool", "bees", "piped", "--pairs", "-", "--json").facts["pairs"] == 2
    assert pairs_of("piped") == [("1", "a"), ("2", "b")]
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"9 b\n")))
    ended = ran("pool", "bees", "wrong", "--pairs", "-", "--json")
    reason = "the collection has no topic 9"
    assert (ended.code, ended.out) == (1, "")
    assert ended.error["problems"] == [{"file": "standard input", "line": 1, "reason": reason}]


def test_a_dry_run_finds_the_same_and_stores_nothing(bees: Collection, tmp_path: Path) -> None:
    assert printed("bees", "x", "--run", "one", "--dry-run") == "would be stored: x, 4 pairs of 2 topics\n"
    make_run(bees, "1 Q0 unknown 1 9 three\n")
    message, code, lines = refused("bees", "x", "--run", "three", "--dry-run")
    assert (message, code) == ("1 problem; nothing was stored.", 1)
    assert lines == ["the chosen runs: the collection has no document unknown"]
    assert (Pool.objects.count(), AuditEvent.objects.count()) == (0, 0)


def test_misuse_is_said(bees: Collection, tmp_path: Path) -> None:
    printed("bees", "taken", "--run", "one")
    missing, file = tmp_path / "missing.txt", tmp_path / "pairs.txt"
    file.write_text("1 a\n")
    for words, message in [
        (("wasps", "x", "--run", "one"), "There is no collection wasps."),
        (("bees", "x", "--run", "nine"), "There is no run nine in this collection."),
        (("bees", "x", "--run", "one", "--depth", "0"), "depth: Ensure this value is greater than or equal to 1."),
        (("bees", "x", "--run", "one", "--topic", "9"), "numbers: Not in the collection: 9."),
        (("bees", "x", "--pairs", str(missing)), f"{missing}: No such file or directory"),
        (("bees", "x", "--pairs", str(file), "--depth", "3"), "--depth and --topic go with --run."),
        (("bees", "x"), "Error: one of the arguments --run --pairs --all-pairs --sample --bm25 is required"),
    ]:
        assert refused(*words)[:2] == (message, 2 if "Error" not in message else 1)
    for taken in (("--run", "one"), ("--pairs", str(file))):
        reason, code, _ = refused("bees", "taken", *taken, "--dry-run")
        assert (reason.endswith("The collection already has a pool of this name."), code) == (True, 1)
    assert Pool.objects.count() == 1
