"""What is asked of files with grades, and of pairs that the collection does not have."""

import io

import pytest

from annotation.exchange.steps.bundles import import_collection_here
from annotation.models import AuditEvent, Collection, GoldEvent, Judgment, Pool, Snapshot
from annotation.trust.read.snapshots import qrels_path
from tests.annotation.exchange.steps.bundle_work import quiet
from tests.annotation.exchange.steps.import_work import problems_of, stored
from tests.annotation.formats.folder.test_opening import FILES, zipped
from tests.annotation.formats.test_foreign import PNG, XLSX
from tests.factories import make_collection, make_document, make_topic, make_user

pytestmark = pytest.mark.django_db

MAP = "0=0, 2=1, 4=2, 8=3, 16=4"
LINKED = {**FILES, "qrels/test.tsv": b"query-id\tcorpus-id\tscore\n1\td1\t16\n1\td2\t2\n"}


def with_a_pair() -> Collection:
    collection = make_collection()
    make_topic(collection, "1")
    make_document(collection, "A")
    return collection


def counts(record: object) -> dict[str, int]:
    return dict(map(tuple, record.preview["counts"]))  # type: ignore[attr-defined]


def test_qrels_of_another_scale_go_in_by_a_map() -> None:
    collection = make_collection()
    record = stored(collection, "qrels", "1 0 A 16\n1 0 B 2\n1 0 C 0\n", name="linking", grades=MAP)
    assert (record.state, counts(record)["Grade 4"]) == ("published", 1)
    assert qrels_path(Snapshot.objects.get()).read_text() == "1 0 A 4\n1 0 B 1\n1 0 C 0\n"


def test_a_folder_of_another_scale_goes_in_by_a_map() -> None:
    collection = make_collection()
    assert stored(collection, "collection", zipped(LINKED)).state == "refused"
    assert stored(collection, "collection", zipped(LINKED), grades=MAP).state == "published"
    assert qrels_path(Snapshot.objects.get(name="test")).read_text() == "1 0 d1 4\n1 0 d2 1\n"


@pytest.mark.django_db(transaction=True)
def test_a_new_collection_of_another_scale_comes_by_a_map() -> None:
    boss = make_user("boss", may_create_collections=True)
    stream = io.BytesIO(zipped(LINKED))
    job = import_collection_here(stream, filename="l.zip", slug="linking", actor=boss, watch=quiet, grades=MAP)
    assert job.state == "done", job.error
    assert qrels_path(Snapshot.objects.get(name="test")).read_text() == "1 0 d1 4\n1 0 d2 1\n"


def test_empty_grades_of_judgments_are_cannot_judge_where_the_map_says_so() -> None:
    text = "query,docno,annotator,grade\n1,A,w,\n1,B,w,2\n"
    assert stored(make_collection(), "judgments", text).state == "refused"
    record = stored(make_collection(), "judgments", text, grades="=cannot")
    assert (record.state, counts(record)["Cannot judge"], Judgment.objects.count()) == ("published", 1, 2)


@pytest.mark.parametrize(("kind", "text"), [("gold", "1\tA\t3\n1\tZ\t2\n7\tA\t1\n"), ("pairs", "1\tA\n1\tZ\n7\tA\n")])
def test_pairs_that_nobody_has_are_left_aside_only_where_that_is_chosen(kind: str, text: str) -> None:
    collection = with_a_pair()
    named = {"name": "mine"} if kind == "pairs" else {}
    refused = stored(collection, kind, text, **named)
    assert (refused.state, len(problems_of(refused)), refused.preview.get("aside")) == ("refused", 2, None)
    record = stored(collection, kind, text, unknown="skip", **named)
    assert record.state == "published", record.problems
    assert counts(record)["Left aside"] == 2
    assert [row["line"] for row in record.preview["aside"]] == [2, 3]
    assert [note for note in record.preview["notes"] if note.endswith(": 2")]
    assert AuditEvent.objects.get(verb="import published").detail["left_aside"] == 2
    taken = GoldEvent.objects.count() if kind == "gold" else Pool.objects.get().n_pairs
    assert taken == 1


@pytest.mark.parametrize(("kind", "text"), [("gold", "7\tA\t3\n"), ("pairs", "7\tA\n")])
def test_a_file_of_which_nothing_is_here_is_refused(kind: str, text: str) -> None:
    record = stored(with_a_pair(), kind, text, unknown="skip", name="mine")
    assert (record.state, record.n_problems) == ("refused", 1)


def test_a_pair_whose_document_has_no_text_is_left_aside_too() -> None:
    collection = with_a_pair()
    stored(collection, "judgments", "query,docno,annotator,grade\n1,B,w,2\n")
    record = stored(collection, "pairs", "1\tA\n1\tB\n", name="mine", unknown="skip")
    assert (record.state, counts(record)["Left aside"]) == ("published", 1)
    assert Pool.objects.get().origin["left_aside"] == 1


@pytest.mark.parametrize("data", [PNG, XLSX])
def test_a_folder_that_is_a_picture_is_called_so(data: bytes) -> None:
    into = stored(make_collection(), "collection", data)
    boss = make_user("boss", may_create_collections=True)
    job = import_collection_here(io.BytesIO(data), filename="x", slug="new", actor=boss, watch=quiet, dry_run=True)
    reasons = {problems_of(into)[0][2], job.result["problems"][0]["reason"]}
    assert (len(reasons), into.n_problems, job.result["n_problems"]) == (1, 1, 1)
