"""Freezing, rebuilding and verifying; policies; exclusions; adjudication, as steps of the flow."""

import json
from pathlib import Path

import pytest
from django.db import IntegrityError, transaction

from annotation.kernel.jobs import ask_cancel, claim_job, run_job
from annotation.kernel.store import path_of
from annotation.models import AuditEvent, Batch, GoldEvent, Job, Membership, Policy, Role, ScaleVersion, Snapshot
from annotation.quality.consolidation import CONSOLIDATORS
from annotation.quality.policy import Policy as Parameters
from annotation.trust.read.policies import parameters_of, policies_of, policy_named, unsaved_default
from annotation.trust.read.snapshots import frozen_outcome
from annotation.trust.steps.exclusions import ExclusionError, exclude_annotator, reinstate_annotator
from annotation.trust.steps.policies import store_policy
from annotation.trust.steps.snapshots import (
    FreezeError,
    freeze_snapshot,
    start_freezing,
    verify_snapshot,
)
from tests.annotation.worked_campaign import GOLD_QRELS, QRELS, Worked, make_worked
from tests.factories import make_batch, make_decision, make_gold, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.both("locks")]


def frozen(worked: Worked, name: str = "round one", policy: Policy | None = None) -> Snapshot:
    policy = policy or unsaved_default(worked.collection)
    return freeze_snapshot(worked.collection, name=name, batches=[worked.batch], policy=policy, created_by=None)


def stored(sha: str) -> Path:
    return path_of(sha)


def test_a_snapshot_holds_the_qrels_and_names_what_it_was_made_from() -> None:
    worked = make_worked()
    snapshot = frozen(worked)
    assert stored(snapshot.qrels_sha256).read_text() == "".join(
        f"{number} 0 {docno} {grade}\n" for number, docno, grade in [*QRELS, *GOLD_QRELS]
    )
    assert (snapshot.n_topics, snapshot.n_pairs, snapshot.n_dropped) == (2, 22, 3)
    assert (str(snapshot.policy), list(snapshot.batches.all())) == ("default v1", [worked.batch])
    assert snapshot.scale == worked.batch.scale
    lines = [json.loads(line) for line in stored(snapshot.pairs_sha256).read_text().splitlines()]
    assert lines[1] == {
        "number": "1",
        "docno": "d2",
        "criterion": "relevance",
        "grade": 2,
        "confidence": 0.75,
        "n_judgments": 2,
        "min": 2,
        "median": 2.5,
        "max": 3,
        "source": "judged",
    }
    assert (lines[2]["docno"], lines[2]["confidence"], lines[2]["source"]) == ("G00", 1.0, "expert")
    event = AuditEvent.objects.get(verb="snapshot frozen")
    assert (event.subject, event.detail["policy"], event.detail["pairs"]) == ("round one", "default v1", 22)
    assert event.detail["qrels_sha256"] == snapshot.qrels_sha256


def test_batches_of_two_scale_versions_are_frozen_on_the_newer_one() -> None:
    """They differ in wording alone; the qrels are read with the names of today."""
    worked = make_worked()
    older = worked.batch.scale
    newer = ScaleVersion.objects.create(
        collection=worked.collection, number=older.number + 1, sha256="2" * 64, grades=older.grades
    )
    later = make_batch(worked.collection, [], n_documents=1, scale=newer)
    for name, batches in (("old first", [worked.batch, later]), ("new first", [later, worked.batch])):
        policy = unsaved_default(worked.collection)
        snapshot = freeze_snapshot(worked.collection, name=name, batches=batches, policy=policy, created_by=None)
        assert snapshot.scale == newer


def test_rebuilding_gives_the_same_bytes_whatever_happened_since() -> None:
    worked = make_worked()
    snapshot = frozen(worked)
    exclude_annotator(worked.people["Amber"], reason="Looked away", actor=None)
    make_gold(worked.items["G00"], 4)
    first = worked.items["G01"]
    GoldEvent.objects.create(
        collection=worked.collection, topic=first.topic, document=first.document, scale=first.scale, action="withdraw"
    )
    worked.judge("d1", "Birch", 0)
    worked.judge("d5", "Birch", 1)
    make_decision(worked.items["d2"], 0)

    verification = verify_snapshot(snapshot)
    assert (verification.sound, verification.rebuilt) == (True, True)
    later = frozen(worked, "later")
    assert later.qrels_sha256 != snapshot.qrels_sha256
    assert verify_snapshot(later).rebuilt


def test_the_same_judgments_give_the_same_files() -> None:
    worked = make_worked()
    first, second = frozen(worked), frozen(worked, "again")
    assert (first.qrels_sha256, first.pairs_sha256, first.inputs_sha256) == (
        second.qrels_sha256,
        second.pairs_sha256,
        second.inputs_sha256,
    )


def test_another_policy_is_part_of_the_inputs() -> None:
    worked = make_worked()
    mild = store_policy(worked.collection, name="mild", parameters=Parameters(count_unproven=True), actor=None)
    snapshot = frozen(worked, policy=mild)
    assert snapshot.n_pairs == 23  # d4 as well
    outcome = frozen_outcome(snapshot)
    assert outcome is not None
    assert outcome.policy == Parameters(count_unproven=True)


def test_every_rule_is_frozen_and_rebuilt() -> None:
    worked = make_worked()
    for rule in CONSOLIDATORS:
        parameters = Parameters(count_unproven=True, accuracy_threshold=0, max_range=None, consolidation=rule)
        policy = store_policy(worked.collection, name=rule, parameters=parameters, actor=None)
        snapshot = frozen(worked, rule, policy)
        verification = verify_snapshot(snapshot)
        assert (rule, verification.faults, verification.rebuilt) == (rule, [], True)
        assert parameters_of(policy).consolidation == rule


def test_damage_is_found() -> None:
    snapshot = frozen(make_worked())
    stored(snapshot.pairs_sha256).chmod(0o600)
    stored(snapshot.pairs_sha256).write_bytes(b"other")
    stored(snapshot.qrels_sha256).unlink()
    assert verify_snapshot(snapshot).faults == [
        "The file of its qrels is missing or damaged.",
        "The file of its pairs is missing or damaged.",
    ]


def test_other_qrels_under_its_name_are_found() -> None:
    worked = make_worked()
    snapshot = frozen(worked)
    worked.judge("d1", "Birch", 2)
    Snapshot.objects.filter(pk=snapshot.pk).update(qrels_sha256=frozen(worked, "other").qrels_sha256)
    snapshot.refresh_from_db()
    assert verify_snapshot(snapshot).faults == ["Rebuilding gives other qrels."]


def test_what_cannot_be_frozen_is_refused_and_nothing_is_stored() -> None:
    worked = make_worked()
    policy = unsaved_default(worked.collection)
    strict = store_policy(
        worked.collection, name="strict", parameters=Parameters(min_judgments=3, gold_pairs="omitted"), actor=None
    )
    draft = Batch.objects.get(pk=worked.batch.pk)
    draft.state = Batch.State.DRAFT
    elsewhere = make_worked().batch
    taken = frozen(worked)
    refusals = []
    for name, batches, rule in [
        ("empty", [], policy),
        ("", [worked.batch], policy),
        (taken.name, [worked.batch], policy),
        ("draft", [draft], policy),
        ("foreign", [elsewhere], policy),
        ("nothing", [worked.batch], strict),
    ]:
        with pytest.raises(FreezeError) as refused:
            freeze_snapshot(worked.collection, name=name, batches=batches, policy=rule, created_by=None)
        refusals.append(str(refused.value))
    assert refusals == [
        "Choose at least one batch.",
        "A snapshot needs a name.",
        "The collection already has a snapshot called round one.",
        "The batch first is a draft: nothing is laid out in it.",
        "The batch first does not belong to this collection and criterion.",
        (
            "The snapshot would be empty: no pair is kept (too few reliable judgments: 5, gold left out: 20). "
            "Choose a milder policy."
        ),
    ]
    assert list(Snapshot.objects.all()) == [taken]


def test_a_name_that_is_taken_meanwhile_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    worked = make_worked()
    policy = unsaved_default(worked.collection)

    taken = frozen(worked)
    monkeypatch.setattr("annotation.trust.steps.snapshots._check_freezable", lambda *_: None)  # it was free by then
    with pytest.raises(FreezeError) as refused:
        freeze_snapshot(worked.collection, name=taken.name, batches=[worked.batch], policy=policy, created_by=None)
    assert str(refused.value) == "The collection already has a snapshot called round one."
    assert list(Snapshot.objects.all()) == [taken]


def test_another_constraint_is_not_called_a_taken_name() -> None:
    worked = make_worked()

    def break_another(_snapshot: Snapshot) -> None:
        Membership.objects.create(collection=worked.collection, role=Role.ADMIN)  # nobody's

    with pytest.raises(IntegrityError):
        freeze_snapshot(
            worked.collection,
            name="free",
            batches=[worked.batch],
            policy=unsaved_default(worked.collection),
            created_by=None,
            finish=break_another,
        )
    assert not Snapshot.objects.exists()


def test_the_job_freezes_and_is_done_with_that() -> None:
    worked = make_worked()
    admin = make_user()
    job = start_freezing(
        worked.collection,
        name="by job",
        batches=[worked.batch],
        policy=unsaved_default(worked.collection),
        created_by=admin,
    )
    run = claim_job()
    assert run is not None
    assert run_job(run).state == Job.State.DONE
    snapshot = Snapshot.objects.get()
    assert (snapshot.name, snapshot.created_by, run.job.result) == ("by job", admin, {"snapshot": snapshot.pk})
    assert list(job.events.order_by("pk").values_list("text", flat=True)) == ["Attempt 1 began.", "Done."]


def test_a_job_that_is_to_be_cancelled_freezes_nothing() -> None:
    worked = make_worked()
    policy = unsaved_default(worked.collection)
    job = start_freezing(worked.collection, name="by job", batches=[worked.batch], policy=policy, created_by=None)
    run = claim_job()
    assert run is not None
    ask_cancel(job)
    assert (run_job(run).state, Snapshot.objects.count()) == (Job.State.CANCELLED, 0)


def test_a_job_that_cannot_freeze_says_why() -> None:
    worked = make_worked()
    for _ in range(2):
        start_freezing(
            worked.collection,
            name="twice",
            batches=[worked.batch],
            policy=unsaved_default(worked.collection),
            created_by=None,
        )
    ended = [run_job(run) for run in iter(claim_job, None) if run]
    assert [(job.state, job.error) for job in ended] == [
        (Job.State.DONE, ""),
        (Job.State.FAILED, "The collection already has a snapshot called twice."),
    ]


def test_a_job_whose_lease_is_lost_commits_nothing() -> None:
    worked = make_worked()

    def lost(_snapshot: Snapshot) -> None:
        raise RuntimeError("somebody else has it")

    with pytest.raises(RuntimeError, match="somebody else"), transaction.atomic():
        freeze_snapshot(
            worked.collection,
            name="fenced",
            batches=[worked.batch],
            policy=unsaved_default(worked.collection),
            created_by=None,
            finish=lost,
        )
    assert (Snapshot.objects.count(), Policy.objects.count()) == (0, 0)


def test_policies_are_versions_under_a_name_and_the_same_parameters_are_the_same_version() -> None:
    collection = make_worked().collection
    first = store_policy(collection, name="mine", parameters=Parameters(), actor=None)
    second = store_policy(collection, name="mine", parameters=Parameters(min_gold=5), actor=None)
    again = store_policy(collection, name="mine", parameters=Parameters(), actor=None)
    other = store_policy(collection, name="other", parameters=Parameters(), actor=None)
    assert [(str(policy), policy.pk) for policy in (first, second, again, other)] == [
        ("mine v1", first.pk),
        ("mine v2", second.pk),
        ("mine v1", first.pk),
        ("other v1", other.pk),
    ]
    assert parameters_of(Policy.objects.get(pk=second.pk)) == Parameters(min_gold=5)
    assert first.sha256 == Parameters().sha256 != second.sha256
    known = policies_of(collection)
    assert [str(policy) for policy in known] == ["default v1", "mine v2", "mine v1", "other v1"]
    matches = [policy_named(known, words) for words in ("mine", "mine v1", "nobody")]
    assert [policy and str(policy) for policy in matches] == ["mine v2", "mine v1", None]
    assert AuditEvent.objects.filter(verb="policy stored").count() == 3


def test_an_exclusion_is_an_event_and_only_a_change_is_one() -> None:
    worked = make_worked()
    amber = worked.people["Amber"]
    with pytest.raises(ExclusionError, match="Amber is not excluded"):
        reinstate_annotator(amber, reason="x", actor=None)
    exclude_annotator(amber, reason="Too fast", actor=None)
    with pytest.raises(ExclusionError, match="Amber is excluded already"):
        exclude_annotator(amber, reason="y", actor=None)
    reinstate_annotator(amber, reason="Was a fault of ours", actor=None)
    events = amber.exclusion_events.order_by("pk").values_list("action", "reason")
    assert list(events) == [("exclude", "Too fast"), ("reinstate", "Was a fault of ours")]
    verbs = AuditEvent.objects.order_by("pk").values_list("verb", "subject")
    assert list(verbs) == [("annotator excluded", "Amber"), ("annotator reinstated", "Amber")]
