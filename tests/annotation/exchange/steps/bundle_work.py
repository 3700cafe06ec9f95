"""A collection with something in every table that a bundle has, and bundles of it."""

import hashlib
import io
import json
import zipfile
from collections.abc import Sequence
from datetime import timedelta
from decimal import Decimal

from django.conf import settings
from django.utils import timezone

from annotation.batches.steps.qualifications import (
    QualificationSettings,
    add_pair,
    create_qualification,
    open_qualification,
)
from annotation.corpus.steps.guidelines import revise_guideline
from annotation.exchange.read.bundles import Transfer
from annotation.exchange.steps.bundles import import_collection_here, write_bundle
from annotation.exchange.steps.bundles.parts.part import parts_of
from annotation.formats.bundle import Bundle, open_bundle
from annotation.formats.bundle.row_schema import later_fields
from annotation.formats.bundle.rows import CollectionFacts
from annotation.formats.identity import sha256_of
from annotation.formats.problems import Problems
from annotation.models import (
    Adjudication,
    AlertEvent,
    Annotator,
    Appeal,
    Assignment,
    Batch,
    Case,
    Collection,
    Consent,
    DocumentVersion,
    ExclusionEvent,
    Feedback,
    GoldEvent,
    GuidelineReading,
    GuidelineVersion,
    Job,
    PoolPair,
    Qualification,
    QualificationAnswer,
    QualificationAttempt,
    ScaleVersion,
    Slot,
    Snapshot,
    Topic,
    TopicVersion,
    User,
)
from annotation.people.steps.information import revise_information
from annotation.quality.policy import Policy as Parameters
from annotation.trust.read.policies import unsaved_default
from annotation.trust.steps.pausing import pause_annotator, resume_annotator
from annotation.trust.steps.policies import store_policy
from annotation.trust.steps.snapshots import freeze_snapshot
from tests.annotation.worked_campaign import Worked, make_worked
from tests.evaluation.series.made import make_series
from tests.factories import make_judgment, make_run, make_snapshot, make_topic, make_user

RUN = "1 Q0 d1 1 3.5 bm25\n1 Q0 d2 2 3.5 bm25\n1 Q0 d9 3 1 bm25\ng Q0 G00 1 0.25 bm25\n"


def quiet(_done: int, _total: int, _message: str) -> None:
    """For steps that report how far they are."""


def make_full(admin: User | None = None, *, guided: bool = True) -> Worked:
    """The worked campaign, judged, decided, frozen; with a run, and everything that is rare.

    `guided`: with all that came after the first version of bundles.
    """
    worked = make_worked()
    collection, batch = worked.collection, worked.batch
    admin = admin or make_user("lead")
    collection.name, collection.description = "Bienen “und” Wespen", "Line one\nline two \u2028 three"
    collection.language = "de-CH" if guided else ""
    collection.watch = {"good": 0.9, "poor": 0.7} if guided else {}
    collection.pausing = {"stop": "pause"} if guided else {}
    collection.pause_note = "Ask the lead." if guided else ""
    if guided:
        collection.alerts = {"accuracy": 0.6}
        collection.cost_per_judgment, collection.currency = Decimal("0.05"), "EUR"
    collection.save()
    tell_identities(collection)
    _leave_traces(worked, admin)
    if guided:
        _guide(worked)
        _tell_how_it_was(worked)
        make_series(collection)
    rule = Parameters(min_gold=0, accuracy_threshold=0.0, consolidation="dawid_skene")
    policy = store_policy(collection, name="lenient", parameters=rule, actor=admin)
    for name, chosen in (("first", unsaved_default(collection)), ("second", policy)):
        freeze_snapshot(collection, name=name, batches=[batch], policy=chosen, created_by=admin)
    make_snapshot(collection, "1 0 d1 2\n1 0 d2 -1\n", name="from elsewhere")
    make_run(collection, RUN)
    return worked


def tell_identities(collection: Collection) -> None:
    """The factories give every text the same hash; a bundle wants the true one."""
    for scale in ScaleVersion.objects.filter(collection=collection):
        ScaleVersion.objects.filter(pk=scale.pk).update(sha256=sha256_of({"grades": scale.grades}))
    for version in GuidelineVersion.objects.filter(collection=collection):
        text = {name: getattr(version, name) for name in ("introduction", "examples", "edge_cases")}
        GuidelineVersion.objects.filter(pk=version.pk).update(sha256=sha256_of(text))
    for topic in TopicVersion.objects.filter(collection=collection):
        text = {name: getattr(topic, name) for name in ("title", "description", "narrative")}
        TopicVersion.objects.filter(pk=topic.pk).update(sha256=sha256_of(text))
    for document in DocumentVersion.objects.filter(collection=collection):
        text = {name: getattr(document, name) for name in ("title", "text", "fields")}
        DocumentVersion.objects.filter(pk=document.pk).update(sha256=sha256_of(text))


def _leave_traces(worked: Worked, admin: User) -> None:
    collection, batch = worked.collection, worked.batch
    item, people = worked.items["d1"], worked.people
    make_judgment(item, people["Amber"], 2, comment="Second thoughts — “really”", evidence_start=0, evidence_end=4)
    make_judgment(item, people["Birch"], 3, reading=2, early=True, wall_ms=None)
    earlier = timezone.now() - timedelta(days=40)
    _hold_slot(worked, "d4", "Amber")
    Assignment.objects.create(
        collection=collection,
        batch=batch,
        item=worked.items["d5"],
        annotator=people["Amber"],
        state=Assignment.State.SKIPPED,
        skip_reason=Assignment.SkipReason.LANGUAGE,
        skip_note="Danish",
        claimed_at=earlier,
        ended_at=earlier,
    )
    for action, reason in (("exclude", "too fast"), ("reinstate", "a slow machine")):
        event = ExclusionEvent.objects.create(
            collection=collection, annotator=people["Cedar"], action=action, reason=reason, created_by=admin
        )
        ExclusionEvent.objects.filter(pk=event.pk).update(created_at=earlier)
    Adjudication.objects.create(
        collection=collection,
        topic=item.topic,
        document=worked.items["d3"].document,
        scale=item.scale,
        grade=4,
        reason="the narrative says so",
        created_by=admin,
    )
    assert batch.pool is not None
    PoolPair.objects.create(pool=batch.pool, topic=item.topic, document=item.document, rank=1)
    batch.topics.set(Topic.objects.filter(collection=collection))
    Annotator.objects.create(collection=collection, pseudonym="simulated-1", simulated=True)
    old = make_topic(collection, "9", title="An old title")
    old.versions.update(is_current=False, sha256=sha256_of(_topic_text("An old title")))
    new = _topic_text("A new title")
    TopicVersion.objects.create(collection=collection, topic=old, sha256=sha256_of(new), **new)


def _decide_blind_and_withdraw(worked: Worked) -> None:
    """The decision there was becomes one with a blind grade, after another that was withdrawn."""
    (decision,) = Adjudication.objects.filter(collection=worked.collection)
    about = {"topic": decision.topic, "scale": decision.scale, "created_by": decision.created_by}
    for grade, action in ((2, "decide"), (None, "withdraw")):
        Adjudication.objects.create(
            collection=worked.collection,
            document=worked.items["d5"].document,
            grade=grade,
            action=action,
            reason="a slip",
            **about,
        )
    Adjudication.objects.filter(pk=decision.pk).update(blind_grade=3, knew="judged", blind_ms=61_000, decide_ms=9_500)


def _guide(worked: Worked) -> None:
    """Worked examples, a text agreed to, a guideline read, a round passed by one person and begun by another."""
    collection, batch = worked.collection, worked.batch
    Annotator.objects.create(collection=collection, pseudonym="machine-1", kind=Annotator.Kind.MACHINE)
    pause_annotator(worked.people["Dune"], reason="Too fast", told="Please wait.", actor=None, rule="speed")
    resume_annotator(worked.people["Dune"], reason="A fast reader", actor=None)
    pause_annotator(worked.people["Birch"], reason="On holiday", actor=None)
    case = Case(topic="Bees", document="About “moths”", grade=0, reason="No bee\nanywhere")
    revise_guideline(collection, introduction="New", examples="", edge_cases="", cases=[case], actor=None)
    batch.information = revise_information(collection, text="We keep **grades**.", based_on=0, actor=None)
    batch.qualification = create_qualification(
        collection, settings=QualificationSettings(name="Basics", pass_mark=0.5), actor=None
    )
    batch.save()
    for docno, accepted in (("d1", [3]), ("d2", [0, 1])):
        topic, document = worked.items[docno].texts
        add_pair(batch.qualification, topic=topic, document=document, accepted=accepted, hint="Look", explanation="So")
    open_qualification(batch.qualification, actor=None)
    for name, grades in (("Amber", [3, 4]), ("Birch", [2])):
        annotator, moment = worked.people[name], timezone.now()
        Consent.objects.create(annotator=annotator, information=batch.information, given_at=moment)
        for version in collection.guideline_versions.order_by("number"):
            GuidelineReading.objects.create(annotator=annotator, guideline=version, read_at=moment)
        _train(batch.qualification, annotator, grades)


def _train(qualification: Qualification, annotator: Annotator, grades: Sequence[int]) -> None:
    moment = timezone.now()
    attempt = QualificationAttempt.objects.create(
        qualification=qualification, annotator=annotator, number=1, started_at=moment
    )
    for item, grade in zip(qualification.items.order_by("position"), grades, strict=False):
        QualificationAnswer.objects.create(attempt=attempt, item=item, grade=grade, answered_at=moment)
    if len(grades) == qualification.items.count():
        QualificationAttempt.objects.filter(pk=attempt.pk).update(ended_at=moment, passed=True)


def _tell_how_it_was(worked: Worked) -> None:
    """Settings that are not the usual ones, strata, explanations, and what somebody was told."""
    batch = worked.batch
    Batch.objects.filter(pk=batch.pk).update(
        nudge_minutes=20, opening_cards=5, feedback=Batch.Feedback.DELAYED, feedback_hours=48
    )
    batch.refresh_from_db()
    batch.items.filter(pk=worked.items["d1"].pk).update(stratum=4)
    GoldEvent.objects.filter(collection=batch.collection, document__docno="G00").update(explanation="It says so.")
    _decide_blind_and_withdraw(worked)
    Batch.objects.filter(pk=batch.pk).update(cost_per_judgment=Decimal("0.25"))
    feedback = Feedback.objects.create(
        batch=batch,
        annotator=worked.people["Amber"],
        assignment=Assignment.objects.get(item=worked.items["d4"], annotator=worked.people["Amber"]),
        grade=3,
        accepted=[3, 4],
        explanation="Two of three sides.",
        created_at=timezone.now() - timedelta(days=1),
        seen_at=timezone.now(),
    )
    _object(worked, feedback)
    AlertEvent.objects.create(batch=batch, rule="racing", about="Birch", action="set_aside", level=0.375, note="Known")


def _object(worked: Worked, feedback: Feedback) -> None:
    """One objection that was upheld and changed gold, and one that waits for its answer."""
    collection, item = worked.collection, worked.items["d4"]
    pair = {"topic": item.topic, "document": item.document}
    about = {"collection": collection, "feedback": feedback, **pair}
    objection = {"annotator": feedback.annotator, "told_grade": 3, **about}
    for grade in (2, 3):
        event = GoldEvent.objects.create(collection=collection, scale=item.scale, action="set", grade=grade, **pair)
    answer = {"state": "upheld", "answer": "You are right.", "answered_at": timezone.now(), "event": event}
    Appeal.objects.create(reason="It has “both”.", **objection, **answer)
    Appeal.objects.create(reason="And a third side.", **objection)


def _topic_text(title: str) -> dict[str, str]:
    return {"title": title, "description": "", "narrative": ""}


def _hold_slot(worked: Worked, docno: str, name: str) -> None:
    slot = Slot.objects.filter(item=worked.items[docno]).earliest("n")
    Slot.objects.filter(pk=slot.pk).update(state=Slot.State.JUDGED)
    assignments = Assignment.objects.filter(item=worked.items[docno], annotator=worked.people[name])
    assignments.update(state=Assignment.State.JUDGED, slot=slot)


def bundle_of(collection: Collection) -> bytes:
    file = io.BytesIO()
    write_bundle(collection, file, report=lambda _words: None)
    return file.getvalue()


def opened(data: bytes) -> Bundle:
    kinds = {name.removesuffix(".jsonl"): 1 for name in names_in(data) if name.endswith(".jsonl")}
    return open_bundle(io.BytesIO(data), Problems("bundle"), kinds=kinds)


def names_in(data: bytes) -> list[str]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return archive.namelist()


def changed(data: bytes, member: str, old: str, new: str) -> bytes:
    """The bundle with a text replaced in one member, and hashes that say so."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    assert old.encode() in members[member]
    members[member] = members[member].replace(old.encode(), new.encode(), 1)
    manifest = json.loads(members["bundle.json"])
    entry = manifest["members"][member]
    entry["sha256"], entry["size"] = hashlib.sha256(members[member]).hexdigest(), len(members[member])
    members["bundle.json"] = json.dumps(manifest).encode()
    return packed(members)


def aged(data: bytes, *, version: int = 1, as_if: int = 0) -> bytes:
    """The bundle as that version was: without the kinds of rows and the fields that came later. `as_if`: the version
    that it says it has, if that is another."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    parts = {f"{part.name}.jsonl": part for part in parts_of(Transfer(Collection()))}
    manifest = json.loads(members.pop("bundle.json"))
    for name in later_fields(CollectionFacts, as_if or version):
        del manifest["collection"][name]
    for name, part in parts.items():
        if part.since > version:
            del members[name], manifest["members"][name]
            continue
        later = later_fields(part.row, version)
        rows = [json.loads(line) for line in members[name].splitlines()]
        lines = [json.dumps({key: value for key, value in row.items() if key not in later}) for row in rows]
        members[name] = "".join(f"{line}\n" for line in lines).encode()
        manifest["members"][name] |= {"sha256": hashlib.sha256(members[name]).hexdigest(), "size": len(members[name])}
    return packed({**members, "bundle.json": json.dumps({**manifest, "version": as_if or version}).encode()})


def packed(members: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return file.getvalue()


def bring(data: bytes, *, slug: str = "copy", admin: User | None = None, dry_run: bool = False) -> Job:
    admin = admin or User.objects.filter(username="newcomer").first() or make_user("newcomer")
    return import_collection_here(
        io.BytesIO(data), filename="bees.zip", slug=slug, actor=admin, watch=quiet, dry_run=dry_run
    )


def copy_of(collection: Collection, **options: str) -> Collection:
    job = bring(bundle_of(collection), **options)  # type: ignore[arg-type]
    assert job.state == Job.State.DONE, job.error
    return Collection.objects.get(slug=job.result["collection"])


def snapshot_hashes(collection: Collection) -> list[tuple[str, str, str, str]]:
    snapshots = Snapshot.objects.filter(collection=collection).order_by("pk")
    return list(snapshots.values_list("name", "qrels_sha256", "pairs_sha256", "inputs_sha256"))


def files_stored() -> set[str]:
    return {path.name for path in settings.TOUCHSTONE_FILES.glob("??/*")}


def open_states(collection: Collection) -> list[str]:
    return list(Batch.objects.filter(collection=collection).values_list("state", flat=True))
