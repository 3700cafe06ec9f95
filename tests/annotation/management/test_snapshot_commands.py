"""Freezing and exporting by command."""

import io
import json
import sys

import pytest
from django.core.management import CommandError, call_command

from annotation.kernel.store import path_of
from annotation.models import Collection, Snapshot
from annotation.quality.policy import Policy as Parameters
from annotation.trust.steps.policies import store_policy
from tests.annotation.worked_campaign import GOLD_QRELS, QRELS, make_worked
from tests.commands import ran
from tests.factories import make_collection

pytestmark = pytest.mark.django_db
TREC = "".join(f"{number} 0 {docno} {grade}\n" for number, docno, grade in [*QRELS, *GOLD_QRELS])


def output_of(*words: str) -> str:
    out = io.StringIO()
    call_command(*words, stdout=out)
    return out.getvalue()


def written(capsysbinary: pytest.CaptureFixture[bytes], *words: str) -> str:
    call_command(*words)
    sys.stdout.flush()
    return capsysbinary.readouterr().out.decode()


def test_dry_run_freeze_verify_export(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    make_worked(make_collection("bees"))
    preview = output_of("snapshot", "bees", "one", "--dry-run").splitlines()
    assert preview == [
        "batches: first; policy: default v1",
        "would be kept: 22 pairs, 3 dropped",
        "  too few reliable judgments: 2",
        "  grades too far apart: 1",
        "  gold left out: 0",
        "This policy keeps fewer than half of the pairs that judgments decide.",
        "A milder one would keep 3 of them: Count people with too little gold: yes",
    ]
    assert Snapshot.objects.count() == 0
    frozen = output_of("snapshot", "bees", "one", "--batch", "first", "--policy", "default")
    snapshot = Snapshot.objects.get()
    assert f"frozen: 22 pairs of 2 topics, 3 dropped; qrels {snapshot.qrels_sha256}" in frozen
    assert "gives the same bytes" in output_of("snapshot", "bees", "one", "--verify")
    assert written(capsysbinary, "export_qrels", "bees", "one") == TREC
    pairs = written(capsysbinary, "export_qrels", "bees", "one", "--format", "jsonl").splitlines()
    assert [json.loads(line)["grade"] for line in pairs][:2] == [3, 2]


def test_the_same_for_programs() -> None:
    make_worked(make_collection("bees"))
    preview = json.loads(output_of("snapshot", "bees", "one", "--dry-run", "--json"))
    assert (preview["frozen"], preview["n_pairs"], preview["n_dropped"], preview["keeps_enough"]) == (
        False,
        22,
        3,
        False,
    )
    assert (preview["batches"], preview["policy"]) == (["first"], "default v1")
    facts = json.loads(output_of("snapshot", "bees", "one", "--json"))
    snapshot = Snapshot.objects.get()
    assert (facts["frozen"], facts["n_pairs"], facts["qrels_sha256"]) == (True, 22, snapshot.qrels_sha256)
    verified = json.loads(output_of("snapshot", "bees", "one", "--verify", "--json"))
    assert verified == {"name": "one", "sound": True, "rebuilt": True, "faults": []}


def test_a_damaged_snapshot_ends_with_one() -> None:
    make_worked(make_collection("bees"))
    output_of("snapshot", "bees", "one")
    path_of(Snapshot.objects.get().qrels_sha256).write_bytes(b"1 0 d1 4\n")
    with pytest.raises(CommandError) as refused:
        output_of("snapshot", "bees", "one", "--verify")
    assert (refused.value.returncode, str(refused.value)) == (1, "The file of its qrels is missing or damaged.")


def test_a_policy_is_named_with_or_without_its_version() -> None:
    worked = make_worked(make_collection("bees"))
    store_policy(worked.collection, name="mild", parameters=Parameters(count_unproven=True), actor=None)
    output_of("snapshot", "bees", "one", "--policy", "mild v1")
    assert (Snapshot.objects.get().n_pairs, str(Snapshot.objects.get().policy)) == (23, "mild v1")


def test_what_is_not_there_is_said() -> None:
    make_worked(make_collection("bees"))
    make_collection("empty")
    output_of("snapshot", "bees", "taken")
    for words, message in [
        (("snapshot", "wasps", "one"), "There is no collection wasps."),
        (("snapshot", "empty", "one"), "No batch of this collection is laid out."),
        (("snapshot", "bees", "one", "--batch", "second"), "There is no laid-out batch second in this collection."),
        (("snapshot", "bees", "one", "--policy", "mild"), "There is no policy mild."),
        (("snapshot", "bees", "taken"), "The collection already has a snapshot called taken."),
        (("snapshot", "bees", "one", "--verify"), "There is no snapshot one in this collection."),
        (("export_qrels", "bees", "one"), "There is no snapshot one in this collection."),
    ]:
        with pytest.raises(CommandError) as refused:
            output_of(*words)
        assert str(refused.value) == message
    assert Snapshot.objects.count() == 1


def test_a_dry_run_ends_as_freezing_would() -> None:
    make_worked(make_collection("bees"))
    store_policy(
        Collection.objects.get(), name="hard", parameters=Parameters(min_judgments=15, gold_pairs="omitted"), actor=None
    )
    output_of("snapshot", "bees", "taken")
    for words in (("bees", "taken"), ("bees", "none", "--policy", "hard")):
        tried, done = ran("snapshot", *words, "--dry-run", "--json"), ran("snapshot", *words, "--json")
        assert (tried.code, tried.error) == (done.code, done.error) == (1, done.error)
        assert (tried.facts["frozen"], done.out) == (False, "")
    assert Snapshot.objects.count() == 1


def test_raw_judgments_go_to_the_standard_output(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    make_worked(make_collection("bees"))
    lines = written(capsysbinary, "export_judgments", "bees").splitlines()
    assert (len(lines), lines[0].split(",")[:4]) == (1 + 50 + 17, ["number", "docno", "annotator", "grade"])
    lines = written(capsysbinary, "export_judgments", "bees", "--format", "jsonl").splitlines()
    assert json.loads(lines[-1])["docno"] == "d5"
