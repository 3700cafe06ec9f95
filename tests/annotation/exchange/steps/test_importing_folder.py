"""A BEIR folder goes in as a whole, into a collection that is there or a new one, or not at all."""

import io
import json

import pytest

from annotation.corpus.read.texts import current_document_versions, current_topic_versions
from annotation.exchange.steps.bundles import import_collection_here
from annotation.exchange.steps.importing import publish_import
from annotation.models import Collection, Document, Import, Job, Membership, Snapshot, Topic
from annotation.trust.read.snapshots import qrels_path
from tests.annotation.exchange.steps.bundle_work import quiet
from tests.annotation.exchange.steps.import_work import bring, problems_of, stored, work
from tests.annotation.formats.folder.test_opening import FILES, tarred, zipped
from tests.factories import make_collection, make_document, make_snapshot, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.both("imports")]


def test_everything_is_shown_first_and_stored_at_once() -> None:
    collection = make_collection()
    record = bring(collection, "collection", zipped(FILES))
    assert work() == ["done"]
    record.refresh_from_db()
    assert (record.state, record.problems, Topic.objects.count(), Snapshot.objects.count()) == ("checked", [], 0, 0)
    counts = dict(map(tuple, record.preview["counts"]))
    assert (counts["Topics: new"], counts["Documents: new"], counts["Qrels dev: pairs"]) == (1, 1, 1)
    assert record.preview["format"]["title"] == "BEIR folder"
    assert [(table["name"], table["columns"], table["rows"]) for table in record.preview["tables"]] == [
        ("queries.jsonl", ["number", "title", "description", "narrative"], [["1", "bees", "", ""]]),
        ("corpus.jsonl", ["docno", "title", "text", "further fields"], [["d1", "Bees", "Bees make honey.", ""]]),
        ("qrels/dev.tsv", ["number", "docno", "grade"], [["1", "d1", "0"]]),
        ("qrels/test.tsv", ["number", "docno", "grade"], [["1", "d1", "1"]]),
    ]
    assert {table["read_as"] for table in record.preview["tables"]} == {
        "BEIR queries.jsonl",
        "BEIR corpus.jsonl",
        "BEIR qrels",
    }
    again = stored(collection, "collection", zipped(FILES))
    assert again.state == "published", again.problems
    assert [version.title for version in current_topic_versions(collection)] == ["bees"]
    assert [version.text for version in current_document_versions(collection)] == ["Bees make honey."]
    qrels = {each.name: qrels_path(each).read_text() for each in Snapshot.objects.filter(collection=collection)}
    assert qrels == {"dev": "1 0 d1 0\n", "test": "1 0 d1 1\n"}
    assert set(Snapshot.objects.values_list("brought_by", flat=True)) == {again.pk}


def test_the_same_folder_twice_changes_nothing() -> None:
    collection = make_collection()
    stored(collection, "collection", zipped(FILES))
    again = stored(collection, "collection", tarred(FILES))
    assert again.state == "published", again.problems
    assert (Topic.objects.count(), Document.objects.count(), Snapshot.objects.count()) == (1, 1, 2)


def test_a_name_tells_the_snapshots_of_several_folders_apart() -> None:
    collection = make_collection()
    stored(collection, "collection", zipped(FILES), name="first")
    assert set(Snapshot.objects.values_list("name", flat=True)) == {"first dev", "first test"}
    only = {name: data for name, data in FILES.items() if name != "qrels/dev.tsv"}
    stored(collection, "collection", zipped(only), name="second")
    assert Snapshot.objects.filter(name="second").count() == 1


def test_faults_are_told_by_member_and_line_and_nothing_is_stored() -> None:
    collection = make_collection()
    make_document(collection, "d1", text="Other words.")
    make_snapshot(collection, "1 0 d1 3\n", name="test")
    broken = {
        **FILES,
        "queries.jsonl": b'{"_id": "1", "text": "bees"}\n{"_id": "1", "text": "wasps"}\n{"_id": "2"}\n',
        "qrels/dev.tsv": b"query-id\tcorpus-id\tscore\n1\td1\t9\n",
    }
    record = stored(collection, "collection", zipped(broken))
    assert (record.state, record.n_problems) == ("refused", 5)
    places = [(file, line) for file, line, _ in problems_of(record)]
    assert places == [
        ("queries.jsonl", 2),
        ("queries.jsonl", 3),
        ("corpus.jsonl", 1),
        ("qrels/dev.tsv", 2),
        ("qrels/test.tsv", 0),
    ]
    reasons = [reason for _, _, reason in problems_of(record)]
    assert reasons[2:] == [
        "document d1 is already here with another text",
        "the grade 9 is above the collection's scale, which ends at 4",
        "the collection already has another snapshot called test",
    ]
    assert (Topic.objects.count(), Document.objects.count(), Snapshot.objects.count()) == (0, 1, 1)


@pytest.mark.parametrize(("path", "name"), [("qrels/test.tsv.gz", ""), ("qrels/test-of-the-second-kind.tsv", "n" * 80)])
def test_two_files_of_qrels_never_become_one_snapshot(path: str, name: str) -> None:
    collection = make_collection()
    other = FILES["qrels/dev.tsv"]
    first = {"qrels/test-of-the-second-half.tsv": other} if name else {}
    record = stored(collection, "collection", zipped({**FILES, **first, path: other}), name=name)
    assert (record.state, Snapshot.objects.count()) == ("refused", 0)
    called = f"{name} {'test-of-the-second-half'[:19]}" if name else "test"
    assert [reason for _, _, reason in problems_of(record)] == [
        f"another file of qrels would become the snapshot {called} too: only one of them can"
    ]


def test_a_fault_met_while_storing_leaves_nothing() -> None:
    collection = make_collection()
    record = bring(collection, "collection", zipped(FILES))
    work()
    make_snapshot(collection, "1 0 d1 3\n", name="test")
    record.refresh_from_db()
    publish_import(record, actor=None)
    work()
    record.refresh_from_db()
    assert (record.state, problems_of(record)[0][0]) == ("refused", "qrels/test.tsv")
    assert (Topic.objects.count(), Document.objects.count(), Snapshot.objects.count()) == (0, 0, 1)


def job_of(data: bytes, *, slug: str = "scifact", dry_run: bool = False) -> Job:
    person = make_user("boss")
    return import_collection_here(
        io.BytesIO(data), filename="scifact.zip", slug=slug, actor=person, watch=quiet, dry_run=dry_run
    )


def test_a_folder_becomes_a_new_collection() -> None:
    job = job_of(zipped(FILES))
    assert job.error == ""
    collection = Collection.objects.get()
    assert (collection.slug, collection.name) == ("scifact", "scifact")
    assert collection.scale is not None
    assert collection.guideline is not None
    assert list(Membership.objects.values_list("user__username", "role")) == [("boss", "admin")]
    assert [version.title for version in current_topic_versions(collection)] == ["bees"]
    assert set(Snapshot.objects.values_list("name", flat=True)) == {"dev", "test"}
    record = Import.objects.get()
    assert (record.kind, record.state) == ("collection", "published")


@pytest.mark.parametrize(
    ("files", "slug", "error"),
    [
        (
            {**FILES, "queries.jsonl": b'{"_id": "1"}\n'},
            "scifact",
            "queries.jsonl:1: ",
        ),
        (FILES, "", "A BEIR folder does not say what it is called: give the new collection a short name."),
        ({"a.txt": b""}, "scifact", "scifact.zip: this is no BEIR folder: there is no corpus.jsonl, queries.jsonl"),
    ],
)
def test_a_folder_with_a_fault_becomes_nothing(files: dict[str, bytes], slug: str, error: str) -> None:
    assert job_of(zipped(files), slug=slug).error.startswith(error)
    assert (Collection.objects.count(), Import.objects.count(), Topic.objects.count()) == (0, 0, 0)


def test_a_new_collection_can_be_tried() -> None:
    job = job_of(zipped(FILES), dry_run=True)
    assert dict(map(tuple, job.result["preview"]["counts"]))["Topics: new"] == 1
    assert (Collection.objects.count(), Import.objects.count(), Topic.objects.count()) == (0, 0, 0)


def test_further_fields_of_documents_come_along() -> None:
    collection = make_collection()
    line = json.dumps({"_id": "d1", "title": "Bees", "text": "Honey.", "url": "bees.example"}).encode()
    stored(collection, "collection", zipped({"corpus.jsonl": line}))
    assert current_document_versions(collection).get().fields == {"url": "bees.example"}
