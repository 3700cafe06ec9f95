"""Qrels straight into a snapshot; and the real collections, texts and qrels, as they are."""

from pathlib import Path

import pytest

from annotation.corpus.read.texts import current_document_versions, visible_documents, visible_topics
from annotation.exchange.steps.importing import publish_import
from annotation.exchange.steps.importing.qrels import QrelsImporter
from annotation.kernel.jobs import JobRefusedError
from annotation.kernel.store import path_of
from annotation.models import ScaleVersion, Snapshot, Topic
from tests.annotation.exchange.steps.import_work import bring, claimed, problems_of, stored, work
from tests.factories import make_collection

pytestmark = [pytest.mark.django_db, pytest.mark.both("imports")]


def test_qrels_go_straight_into_a_snapshot_without_topics_and_documents() -> None:
    collection = make_collection()
    record = stored(collection, "qrels", "2 0 D9 1\n10 Q0 D1 4\n2 0 D10 -1\n", name="official")
    snapshot = Snapshot.objects.get()
    assert (snapshot.name, snapshot.origin, snapshot.policy, snapshot.brought_by) == (
        "official",
        "imported",
        None,
        record,
    )
    assert (snapshot.n_topics, snapshot.n_pairs, snapshot.scale) == (2, 3, collection.scale)
    kept = path_of(snapshot.qrels_sha256).read_bytes()
    assert kept == b"10 0 D1 4\n2 0 D10 -1\n2 0 D9 1\n"
    assert record.preview["counts"] == [["Topics", 2], ["Pairs", 3], ["Grade -1", 1], ["Grade 1", 1], ["Grade 4", 1]]
    assert Topic.objects.count() == 0


def test_grades_above_the_scale_are_problems_with_their_lines() -> None:
    record = stored(make_collection(), "qrels", "1 0 A 4\n\n1 0 B 5\n1 0 C 7\n", name="official")
    assert problems_of(record) == [
        ("my.qrels", 3, "the grade 5 is above the collection's scale, which ends at 4"),
        ("my.qrels", 4, "the grade 7 is above the collection's scale, which ends at 4"),
    ]
    assert Snapshot.objects.count() == 0


@pytest.mark.parametrize("grade", [3, 4])
def test_a_scale_that_has_become_shorter_since_the_check_refuses_the_grades_above_it(grade: int) -> None:
    collection = make_collection()
    record = bring(collection, "qrels", f"1 0 A 1\n1 0 B {grade}\n", name="official")
    work()
    record.refresh_from_db()
    assert collection.scale is not None
    grades = collection.scale.grades[:3]
    collection.scale = ScaleVersion.objects.create(collection=collection, number=2, sha256="1" * 64, grades=grades)
    collection.save()
    publish_import(record, actor=None)
    work()
    record.refresh_from_db()
    assert problems_of(record) == [
        ("my.qrels", 0, f"the grade {grade} is above the collection's scale, which ends at 2"),
    ]
    assert Snapshot.objects.count() == 0


def test_a_snapshot_that_took_the_name_at_the_last_moment_is_not_taken_for_these_qrels() -> None:
    collection = make_collection()
    record = bring(collection, "qrels", "1 0 A 1\n", name="official")
    work()
    record.refresh_from_db()
    publish_import(record, actor=None)
    importer = QrelsImporter(record, claimed())
    stored(collection, "qrels", "1 0 A 2\n", name="other")
    Snapshot.objects.update(name="official")
    with pytest.raises(JobRefusedError, match="another snapshot has been called official"):
        importer.publish()


def test_faulty_qrels_are_refused() -> None:
    record = stored(make_collection(), "qrels", "1 0 A 1\n1 0 B 0.7\n1 0 A 2\n", name="official")
    assert record.state == "refused"
    assert ("my.qrels", 2, "the grade '0.7' is not a whole number") in problems_of(record)
    assert Snapshot.objects.count() == 0


def test_the_same_qrels_again_change_nothing_and_others_need_another_name() -> None:
    collection = make_collection()
    stored(collection, "qrels", "1 0 A 1\n1 0 B 2\n", name="official")
    same = stored(collection, "qrels", "1 0 B 2\n1 0 A 1\n", name="official")
    other = stored(collection, "qrels", "1 0 A 1\n", name="official")
    assert (same.state, same.preview["notes"]) == (
        "published",
        ["my.qrels: the snapshot official is already here, unchanged"],
    )
    assert problems_of(other) == [("my.qrels", 0, "the collection already has another snapshot called official")]
    assert Snapshot.objects.count() == 1


@pytest.mark.shared
def test_cranfield_goes_in_as_it_is(shared_data: Path) -> None:
    collection = make_collection()
    folder = shared_data / "cranfield"
    topics = stored(collection, "topics", (folder / "queries.tsv").read_bytes())
    documents = stored(collection, "documents", (folder / "docs.jsonl").read_bytes())
    qrels = stored(collection, "qrels", (folder / "qrels.graded.txt").read_bytes(), name="graded")
    assert [topics.state, documents.state, qrels.state] == ["published"] * 3
    assert (visible_topics(collection).count(), visible_documents(collection).count()) == (225, 1400)
    snapshot = Snapshot.objects.get()
    assert (snapshot.n_topics, snapshot.n_pairs) == (225, 1612)
    empty = current_document_versions(collection).filter(title="", text="")
    assert [version.document.docno for version in empty] == ["471", "995"]
    first = current_document_versions(collection).get(document__docno="1")
    assert sorted(first.fields) == ["authors", "source"]


@pytest.mark.shared
def test_real_qrels_go_in_without_documents(shared_data: Path) -> None:
    collection = make_collection()
    stored(collection, "qrels", (shared_data / "robust03" / "qrels.robust03.txt.gz").read_bytes(), name="robust03")
    stored(collection, "qrels", (shared_data / "qrels" / "qrels.web.201-250.txt").read_bytes(), name="web")
    stored(collection, "qrels", (shared_data / "qrels" / "qrels.covid-complete.txt.gz").read_bytes(), name="covid")
    snapshots = Snapshot.objects.order_by("pk").values_list("name", "n_topics", "n_pairs")
    assert list(snapshots) == [("robust03", 100, 128_796), ("web", 50, 14_474), ("covid", 50, 69_318)]
