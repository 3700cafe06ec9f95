"""A bundle rebuilds a whole collection, to the same hashes, without an account of anybody."""

import io
import os
import time
from pathlib import Path
from typing import Any

import pytest

from annotation.exchange.read.bundles import Transfer
from annotation.exchange.steps.bundles import write_bundle
from annotation.exchange.steps.bundles.parts.judging import Judgments
from annotation.exchange.steps.bundles.parts.part import parts_of
from annotation.exchange.steps.bundles.parts.qualifications import QualificationAnswers, QualificationAttempts
from annotation.exchange.steps.bundles.temporary_files import clear_transit, put_in_transit, transit_path
from annotation.formats.identity import sha256_of
from annotation.kernel.access import collections_of
from annotation.kernel.store import path_of
from annotation.models import (
    Adjudication,
    Annotator,
    Assignment,
    AuditEvent,
    Batch,
    Collection,
    Consent,
    DocumentVersion,
    Import,
    Job,
    Judgment,
    Membership,
    QualificationAnswer,
    QualificationAttempt,
    Snapshot,
    User,
)
from annotation.trust.read.policies import unsaved_default
from annotation.trust.steps.snapshots import freeze_snapshot, verify_snapshot
from evaluation.models import Run
from tests.annotation.exchange.steps.bundle_work import (
    aged,
    bring,
    bundle_of,
    changed,
    copy_of,
    make_full,
    opened,
    snapshot_hashes,
)
from tests.annotation.exchange.steps.import_work import stored
from tests.factories import make_user

pytestmark = [pytest.mark.django_db, pytest.mark.both("imports")]


def test_what_is_brought_gives_the_same_bundle_again() -> None:
    worked = make_full()
    data = bundle_of(worked.collection)
    assert bring(data).error == ""
    copy = Collection.objects.get(slug="copy")
    once, again = opened(data).manifest, opened(bundle_of(copy)).manifest
    assert {name: facts.rows for name, facts in once.members.items() if facts.rows == 0} == {}
    assert again.members == once.members
    assert (copy.name, copy.description) == (worked.collection.name, worked.collection.description)
    assert (copy.language, copy.watch) == ("de-CH", {"good": 0.9, "poor": 0.7})


def test_what_came_before_judging_comes_along() -> None:
    worked = make_full()
    copy = copy_of(worked.collection)
    assert copy.guideline is not None
    assert copy.guideline.cases == worked.collection.guideline_versions.get(number=2).cases
    (batch,) = Batch.objects.filter(collection=copy)
    assert batch.information is not None
    assert batch.qualification is not None
    assert (batch.information.text, batch.qualification.name) == ("We keep **grades**.", "Basics")
    agreed = Consent.objects.filter(information=batch.information).values_list("annotator__pseudonym", flat=True)
    assert sorted(agreed) == ["Amber", "Birch"]
    attempts = batch.qualification.attempts.order_by("annotator__pseudonym")
    assert [(each.passed, each.answers.count()) for each in attempts] == [(True, 2), (None, 1)]
    assert list(batch.qualification.items.order_by("position").values_list("accepted", "hint", "explanation")) == [
        ([3], "Look", "So"),
        ([0, 1], "Look", "So"),
    ]


def test_an_attempt_ended_after_the_packing_began_has_not_ended_in_the_bundle() -> None:
    worked = make_full()
    transfer = Transfer.out_of(worked.collection)
    attempt = QualificationAttempt.objects.get(annotator__pseudonym="Birch")
    item = attempt.qualification.items.latest("position")
    QualificationAnswer.objects.create(attempt=attempt, item=item, grade=0, answered_at=attempt.started_at)
    QualificationAttempt.objects.filter(pk=attempt.pk).update(ended_at=attempt.started_at, passed=True)
    rows = {row.annotator: (row.passed, row.ended_at is None) for row in QualificationAttempts(transfer).rows()}
    assert rows == {"Amber": (True, False), "Birch": (None, True)}
    assert len(list(QualificationAnswers(transfer).rows())) == 3


def test_a_judgment_that_comes_after_the_packing_began_stays_behind() -> None:
    worked = make_full()
    transfer = Transfer.out_of(worked.collection)
    before = list(Judgments(transfer).rows())
    worked.judge("d1", "Amber", 0)
    assert list(Judgments(transfer).rows()) == before
    assert len(list(Judgments(Transfer.out_of(worked.collection)).rows())) == len(before) + 1


@pytest.mark.alike("what is missing is filled in before a row is written; samples of earlier versions come in there")
def test_a_bundle_of_the_first_version_still_comes_in() -> None:
    worked = make_full(guided=False)
    data = aged(bundle_of(worked.collection))
    job = bring(data)
    assert job.error == ""
    copy = Collection.objects.get(slug="copy")
    assert snapshot_hashes(copy) == snapshot_hashes(worked.collection)
    (batch,) = Batch.objects.filter(collection=copy)
    settings = (batch.nudge_minutes, batch.opening_cards, batch.feedback, batch.feedback_hours, batch.information)
    assert settings == (25, 0, "never", 24, None)
    assert [version.cases for version in copy.guideline_versions.all()] == [[]]
    now = opened(bundle_of(copy)).manifest.members
    before = opened(bundle_of(worked.collection)).manifest.members
    changed = {name for name in before if now[name] != before[name]}
    assert changed == {"batches.jsonl"}, "how many cards open a topic was not told"


@pytest.mark.alike("what is missing is filled in before a row is written; samples of earlier versions come in there")
def test_a_bundle_of_the_first_version_may_lack_no_more_than_came_later() -> None:
    data = bundle_of(make_full(guided=False).collection)
    job = bring(changed(aged(data), "guideline_versions.jsonl", '"examples": "", ', ""))
    assert job.error.startswith("guideline_versions.jsonl:1: the key 'examples' is missing")
    job = bring(aged(data, as_if=2))
    assert "bundle.json does not name the member consents.jsonl" in job.error


@pytest.mark.alike("what is missing is filled in before a row is written; samples of earlier versions come in there")
def test_a_bundle_of_the_second_version_still_comes_in() -> None:
    """Of before there were machine judges, pauses, withdrawn decisions and batches that are steered."""
    worked = make_full()
    Adjudication.objects.filter(action="withdraw").delete()
    job = bring(aged(bundle_of(worked.collection), version=2))
    assert job.error == ""
    copy = Collection.objects.get(slug="copy")
    assert snapshot_hashes(copy) == snapshot_hashes(worked.collection)
    assert set(copy.annotators.values_list("kind", flat=True)) == {"person"}


def test_machine_judges_stay_machine_judges() -> None:
    worked = make_full()
    bring(bundle_of(worked.collection))
    kinds = [dict(each.annotators.values_list("pseudonym", "kind")) for each in Collection.objects.order_by("pk")]
    assert kinds[0] == kinds[1]
    assert {name for name, kind in kinds[1].items() if kind == "machine"} == {"machine-1"}


def test_who_gets_no_cards_gets_none_in_the_copy() -> None:
    worked = make_full()
    bring(bundle_of(worked.collection))
    copy = Collection.objects.get(slug="copy")
    assert list(copy.annotators.filter(gets_cards=False).values_list("pseudonym", flat=True)) == ["Birch"]
    events = copy.pause_events.order_by("pk").values_list("annotator__pseudonym", "action", "rule", "told")
    assert list(events) == [
        ("Dune", "pause", "speed", "Please wait."),
        ("Dune", "resume", "", ""),
        ("Birch", "pause", "", ""),
    ]
    assert (copy.pausing, copy.pause_note) == ({"stop": "pause"}, "Ask the lead.")


def test_rules_that_are_none_are_refused() -> None:
    worked = make_full()
    Collection.objects.filter(pk=worked.collection.pk).update(pausing={"stop": "shout"})
    worked.collection.refresh_from_db()
    assert "pausing" in bring(bundle_of(worked.collection)).error


def test_the_same_collection_gives_the_same_bytes() -> None:
    worked = make_full()
    assert bundle_of(worked.collection) == bundle_of(worked.collection)


def test_an_import_published_meanwhile_is_in_it_whole() -> None:
    worked, asked, file = make_full(), list[str](), io.BytesIO()
    version = DocumentVersion.objects.filter(collection=worked.collection, is_current=True).earliest("pk")
    docno = version.document.docno

    def publish_once(words: str) -> None:
        if words == "0 document versions packed" and words not in asked:
            stored(worked.collection, "documents", f'{{"docno": "{docno}", "text": "new"}}', on_conflict="version")
        asked.append(words)

    write_bundle(worked.collection, file, report=publish_once)
    assert file.getvalue() == bundle_of(worked.collection)


def test_snapshots_rebuild_and_keep_their_hashes() -> None:
    worked = make_full()
    copy = copy_of(worked.collection)
    assert snapshot_hashes(copy) == snapshot_hashes(worked.collection)
    assert [verify_snapshot(each).faults for each in Snapshot.objects.filter(collection=copy)] == [[], [], []]


def test_judgments_brought_freeze_to_the_same_qrels() -> None:
    worked = make_full()
    copy = copy_of(worked.collection)
    batches = list(Batch.objects.filter(collection=copy))
    policy = unsaved_default(copy)
    again = freeze_snapshot(copy, name="again", batches=batches, policy=policy, created_by=None)
    first = Snapshot.objects.get(collection=worked.collection, name="first")
    assert (again.qrels_sha256, again.pairs_sha256) == (first.qrels_sha256, first.pairs_sha256)


def test_judgments_keep_order_revision_reading_times_and_words() -> None:
    worked = make_full()
    copy = copy_of(worked.collection)
    columns = (
        *("item__token", "token"),
        *("topic__number", "document__docno", "annotator__pseudonym", "assignment__reading", "revision", "grade"),
        *("comment", "evidence_start", "evidence_end", "active_ms", "wall_ms", "early", "surplus", "created_at"),
        *("scale__sha256", "guideline__sha256", "batch__name", "item__topic_version__sha256"),
    )

    def feedback_of(collection: Collection) -> list[tuple[object, ...]]:
        return list(Judgment.objects.filter(collection=collection).order_by("pk").values_list(*columns))

    before, after = feedback_of(worked.collection), feedback_of(copy)
    assert len(before) == 69
    assert [row[2:] for row in after] == [row[2:] for row in before]
    tokens = {row[:2] for row in before} & {row[:2] for row in after}
    assert tokens == set()


def test_no_account_goes_along() -> None:
    worked = make_full(make_user("Margarethe"))
    data = bundle_of(worked.collection)
    bundle = opened(data)
    names = set(User.objects.values_list("username", flat=True))
    text = b"".join(bundle.open(member).read() for member in bundle.manifest.members)
    assert [name for name in names if name.encode() in text] == []
    copy = copy_of(worked.collection)
    people = Annotator.objects.filter(collection=copy)
    assert set(people.values_list("pseudonym", flat=True)) == {
        "Amber",
        "Birch",
        "Cedar",
        "Dune",
        "simulated-1",
        "machine-1",
    }
    assert not people.filter(user__isnull=False).exists()


def test_who_brings_it_leads_it_and_nobody_else_sees_it() -> None:
    worked = make_full()
    admin, other = make_user("newcomer"), make_user("other")
    copy = copy_of(worked.collection)
    assert list(Membership.objects.filter(collection=copy).values_list("user__username", "role")) == [
        ("newcomer", "admin")
    ]
    assert [list(collections_of(person)) for person in (admin, other)] == [[copy], []]
    events = AuditEvent.objects.filter(collection=copy).order_by("pk").values_list("verb", "subject", "actor__username")
    assert list(events) == [("role added", "newcomer", "newcomer"), ("collection imported", "copy", "newcomer")]


def test_the_import_is_on_record_and_names_the_manifest() -> None:
    worked = make_full()
    data = bundle_of(worked.collection)
    bring(data)
    record = Import.objects.get(collection__slug="copy")
    assert (record.kind, record.state, record.filename) == ("collection", "published", "bees.zip")
    kept = path_of(record.sha256).read_bytes()
    assert kept == opened(data).manifest.to_json()
    assert ["Judgments", 69] in record.preview["counts"]


def test_runs_keep_file_and_facts() -> None:
    worked = make_full()
    copy = copy_of(worked.collection)
    columns = ("tag", "sha256", "n_topics", "n_rows", "n_tied", "created_at")

    def feedback_of(collection: Collection) -> list[tuple[object, ...]]:
        return list(Run.objects.filter(collection=collection).values_list(*columns))

    assert feedback_of(copy) == feedback_of(worked.collection)
    assert feedback_of(copy)[0][4] == 2


def test_a_card_in_somebodys_hands_stays_behind() -> None:
    worked = make_full()
    assignment = Assignment.objects.filter(item=worked.items["d4"], annotator=worked.people["Cedar"]).get()
    before = bundle_of(worked.collection)
    slot = worked.items["d2"].slots.earliest("n")
    slot.state, slot.lease_until = "leased", assignment.claimed_at
    slot.save()
    person = Annotator.objects.get(pseudonym="simulated-1")
    Assignment.objects.create(
        collection=worked.collection,
        batch=worked.batch,
        item=worked.items["d2"],
        annotator=person,
        slot=slot,
        claimed_at=assignment.claimed_at,
    )
    assert bundle_of(worked.collection) == before


def test_what_an_import_under_way_has_staged_stays_behind() -> None:
    worked = make_full()
    before = bundle_of(worked.collection)
    record = Import.objects.create(collection=worked.collection, kind="judgments", sha256="0" * 64, state="storing")
    worked.collection.topics.create(number="77", brought_by=record)
    worked.collection.documents.create(docno="d77", brought_by=record)
    Annotator.objects.create(collection=worked.collection, pseudonym="staged", brought_by=record)
    Batch.objects.create(
        collection=worked.collection,
        name="staged",
        scale=worked.batch.scale,
        seed=1,
        state=Batch.State.IMPORTING,
        brought_by=record,
    )
    assert bundle_of(worked.collection) == before


def test_an_empty_collection_goes_as_well() -> None:
    empty = Collection.objects.create(slug="empty", name="Empty")
    copy = copy_of(empty)
    assert opened(bundle_of(copy)).manifest.members == opened(bundle_of(empty)).manifest.members


def test_every_member_has_its_row_in_the_docs() -> None:
    text = (Path(__file__).resolve().parents[4] / "docs" / "formats.md").read_text("utf-8")
    members = [f"{part.name}.jsonl" for part in parts_of(Transfer(Collection()))]
    assert len(members) == 36
    assert [name for name in members if f"`{name}`" not in text] == []


def test_files_on_their_way_are_gone_after_a_day_unless_a_job_waits_for_them() -> None:
    shas = [put_in_transit(io.BytesIO(data)) for data in (b"old", b"new", b"waited for")]
    yesterday = time.time() - 25 * 3600
    for sha in (shas[0], shas[2]):
        path = transit_path(sha)
        assert path is not None
        os.utime(path, (yesterday, yesterday))
    Job.objects.create(kind="import_bundle", payload={"sha256": shas[2]})
    assert clear_transit() == 1
    assert [transit_path(sha) is not None for sha in shas] == [False, True, True]
    put_in_transit(io.BytesIO(b"waited for"))
    Job.objects.update(state="done")
    assert clear_transit() == 0


def test_html_and_judgments_made_elsewhere_come_along() -> None:
    """A batch that an import has brought has no pool, its items may have no text, its assignments no slot."""
    collection = make_full().collection
    text: dict[str, Any] = {"title": "Bees", "text": "<p>Bees make <b>honey</b>.</p>", "fields": {}, "form": "html"}
    page = collection.documents.create(docno="page")
    DocumentVersion.objects.create(collection=collection, document=page, sha256=sha256_of(text), **text)
    csv = "query,docno,annotator,grade,time,comment\n1,d1,ann,3,2026-01-31T12:00:00Z,fine\n1,unknown,bob,0,,\n"
    stored(collection, "judgments", csv, name="from elsewhere")
    brought = Batch.objects.get(collection=collection, name="from elsewhere")
    assert (brought.state, brought.pool) == (Batch.State.CLOSED, None)
    data = bundle_of(collection)
    copy = copy_of(collection)
    again = Batch.objects.get(collection=copy, name="from elsewhere")
    assert (again.state, again.pool, again.brought_by) == (
        Batch.State.CLOSED,
        None,
        Import.objects.get(collection=copy),
    )
    assert set(again.assignments.values_list("state", flat=True)) == {Assignment.State.BROUGHT}
    assert again.items.filter(document_version=None).count() == 1
    assert opened(bundle_of(copy)).manifest.members == opened(data).manifest.members
    assert DocumentVersion.objects.get(collection=copy, document__docno="page").form == "html"
