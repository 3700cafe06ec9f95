"""An import is visible all or nothing, whatever happens on its way."""

import gzip
import json
from collections.abc import Generator
from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, Settings

from annotation.corpus.read.texts import (
    current_document_versions,
    current_topic_versions,
    found_documents,
    found_topics,
    topic_versions,
    visible_documents,
    visible_topics,
)
from annotation.exchange.steps.importing import cancel_import, job_of, publish_import, sweep_imports
from annotation.exchange.steps.importing.documents import DocumentImporter
from annotation.exchange.steps.importing.texts import rows_at_once
from annotation.formats.problems import Problems
from annotation.kernel.jobs import claim_job, run_job
from annotation.kernel.store import path_of
from annotation.models import (
    AuditEvent,
    Document,
    DocumentVersion,
    Import,
    Job,
    Topic,
    TopicVersion,
)
from tests.annotation.exchange.steps import import_work
from tests.annotation.exchange.steps.import_work import bring, claimed, many, problems_of, stored, work
from tests.factories import make_collection, make_topic, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.both("imports")]

HERE = "tests.annotation.exchange.steps.import_work"
TOPICS = "number\ttitle\tdescription\n1\tbees\tWhat do bees eat?\n2\thoney\n"


@pytest.fixture(autouse=True)
def nothing_seen() -> Generator[None, None, None]:
    import_work.seen.clear()
    yield
    import_work.seen.clear()


# --- the way of a file ---


def test_a_checked_file_stores_no_row_until_it_is_published() -> None:
    collection = make_collection()
    record = bring(collection, "topics", TOPICS)
    assert work() == ["done"]
    record.refresh_from_db()
    assert (record.state, record.n_problems, Topic.objects.count()) == ("checked", 0, 0)
    assert record.preview["counts"] == [["New", 2], ["Unchanged", 0], ["Changed", 0]]
    assert record.preview["rows"] == [["1", "bees", "What do bees eat?", ""], ["2", "honey", "", ""]]

    publish_import(record, actor=None)
    assert work() == ["done"]
    record.refresh_from_db()
    assert record.state == "published"
    texts = current_topic_versions(collection).values_list("topic__number", "title", "description", "brought_by")
    assert list(texts) == [("1", "bees", "What do bees eat?", record.pk), ("2", "honey", "", record.pk)]
    assert list(AuditEvent.objects.values_list("verb", "subject")) == [("import published", "my.topics")]


def test_the_file_is_kept_under_its_hash() -> None:
    record = bring(make_collection(), "topics", TOPICS)
    assert path_of(record.sha256).read_bytes() == TOPICS.encode()


def test_documents_come_in_gzipped_with_their_further_fields() -> None:
    collection = make_collection()
    line = json.dumps({"doc_id": "FT/1", "title": "A title", "body": "A text.", "year": 1968})
    record = stored(collection, "documents", gzip.compress(line.encode()))
    version = current_document_versions(collection).get()
    assert record.state == "published"
    assert (version.document.docno, version.title, version.text) == ("FT/1", "A title", "A text.")
    assert version.fields == {"year": "1968"}


def test_a_file_with_any_problem_is_refused_as_a_whole() -> None:
    collection = make_collection()
    record = stored(collection, "topics", "1\tbees\n2\n1\tbees again\n")
    counts = [["New", 1], ["Unchanged", 0], ["Changed", 0], ["Duplicates", 1]]
    assert (record.state, record.n_problems, record.preview["counts"]) == ("refused", 2, counts)
    assert problems_of(record) == [
        ("my.topics", 2, "2 to 4 columns expected (number, title, description, narrative), 1 found"),
        ("my.topics", 3, "topic 1 twice, first on line 1"),
    ]
    assert (Topic.objects.count(), Job.objects.count()) == (0, 1)


def test_a_refused_import_cannot_be_published() -> None:
    record = stored(make_collection(), "topics", "1\n")
    with pytest.raises(ValueError, match="not ready to be published: refused"):
        publish_import(record, actor=None)
    assert Job.objects.count() == 1


def test_publishing_twice_is_one_job() -> None:
    record = bring(make_collection(), "topics", TOPICS)
    work()
    assert publish_import(record, actor=None) == publish_import(record, actor=None)


def test_damaged_gzip_is_refused() -> None:
    record = stored(make_collection(), "documents", gzip.compress(many(50).encode())[:-20])
    assert problems_of(record) == [
        ("my.documents", 0, "the gzip is cut short: the upload or the file is incomplete"),
    ]
    assert Document.objects.count() == 0


def test_replaced_characters_are_told_of() -> None:
    record = stored(make_collection(), "topics", "1\tbees\0\n")
    assert record.preview["notes"] == ["my.topics: 1 NUL character was replaced by U+FFFD"]
    assert TopicVersion.objects.get().title == "bees\ufffd"


# --- the same again, and another text ---


def test_the_same_file_again_changes_nothing() -> None:
    collection = make_collection()
    stored(collection, "topics", TOPICS)
    before = list(TopicVersion.objects.order_by("pk").values())
    record = stored(collection, "topics", TOPICS)
    assert record.preview["counts"] == [["New", 0], ["Unchanged", 2], ["Changed", 0]]
    assert list(TopicVersion.objects.order_by("pk").values()) == before


def test_another_text_is_refused_unless_asked_for() -> None:
    collection = make_collection()
    stored(collection, "topics", TOPICS)
    record = stored(collection, "topics", "3\twax\n2\tmead\n")
    assert problems_of(record) == [("my.topics", 2, "topic 2 is already here with another text")]
    assert list(visible_topics(collection).order_by("pk").values_list("number", flat=True)) == ["1", "2"]


def test_a_new_version_takes_the_place_of_the_old_one_which_stays() -> None:
    collection = make_collection()
    stored(collection, "topics", TOPICS)
    record = stored(collection, "topics", "3\twax\n2\tmead\n", on_conflict="version")
    assert record.preview["counts"] == [["New", 1], ["Unchanged", 0], ["Changed", 1]]
    titles = current_topic_versions(collection).values_list("topic__number", "title")
    assert list(titles) == [("1", "bees"), ("2", "mead"), ("3", "wax")]
    versions = topic_versions(visible_topics(collection).get(number="2"))
    assert list(versions.values_list("title", "is_current")) == [("mead", True), ("honey", False)]


def test_a_text_that_was_current_once_becomes_current_again() -> None:
    collection = make_collection()
    stored(collection, "topics", "2\thoney\n")
    stored(collection, "topics", "2\tmead\n", on_conflict="version")
    stored(collection, "topics", "2\thoney\n", on_conflict="version")
    versions = TopicVersion.objects.order_by("pk").values_list("title", "is_current")
    assert list(versions) == [("honey", True), ("mead", False)]


@pytest.mark.parametrize(("n_here", "n_statements"), [(0, 2), (5, 4)])
def test_making_texts_current_takes_two_statements_a_portion(
    n_here: int, n_statements: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    """None where every document is new, beside those that count them and say that the index lacks them.

    PostgreSQL has taken hours for finding out that there was nothing to turn.
    """
    collection = make_collection()
    stored(collection, "documents", many(n_here) or '{"docno": "other"}\n')
    record = bring(collection, "documents", many(8, text="another"), on_conflict="version")
    importer = DocumentImporter(record, claimed())
    with path_of(record.sha256).open("rb") as stream:
        importer.stage(stream, Problems("d"))
    with django_assert_num_queries(n_statements):
        importer.publish()
    texts = DocumentVersion.objects.filter(brought_by=record, is_current=True).values_list("text", flat=True)
    assert list(texts) == ["another"] * 8


def test_what_came_in_between_check_and_publishing_is_noticed() -> None:
    collection = make_collection()
    late = bring(collection, "topics", "2\tmead\n7\twax\n")
    work()
    stored(collection, "topics", TOPICS)
    publish_import(late, actor=None)
    assert work() == ["done"]
    late.refresh_from_db()
    assert (late.state, problems_of(late)) == (
        "refused",
        [("my.topics", 1, "topic 2 is already here with another text")],
    )
    assert visible_topics(collection).count() == Topic.objects.count() == 2


def test_collections_do_not_see_each_other() -> None:
    ours, theirs = make_collection(), make_collection()
    stored(ours, "topics", TOPICS)
    record = stored(theirs, "topics", "2\tmead\n")
    assert record.state == "published"
    assert [version.title for version in current_topic_versions(ours)] == ["bees", "honey"]


# --- all or nothing ---


def test_a_crash_in_the_middle_leaves_nothing_visible_and_a_retry_gives_the_same(settings: Settings) -> None:
    settings.TOUCHSTONE_IMPORTERS = {"documents": f"{HERE}.FallingImporter"}
    collection = make_collection()
    bring(collection, "documents", many(2500), publish=True)
    run_job(claimed())
    fallen = run_job(claimed())
    assert (fallen.state, fallen.error) == ("queued", "MemoryError: the machine went away")
    assert (Document.objects.count(), visible_documents(collection).count()) == (rows_at_once(), 0)
    assert found_documents(collection, "title").count() == 0
    sweep_imports()
    assert Import.objects.get().state == "storing"

    assert work() == ["done"]
    assert set(import_work.seen) == {0}
    record = Import.objects.get()
    assert (record.state, record.preview["counts"][0]) == ("published", ["New", 2500])
    assert visible_documents(collection).count() == DocumentVersion.objects.filter(is_current=True).count() == 2500


def test_an_import_given_up_is_swept(settings: Settings) -> None:
    settings.TOUCHSTONE_IMPORTERS = {"documents": f"{HERE}.FallingImporter"}
    collection = make_collection()
    record = bring(collection, "documents", many(1500), publish=True)
    run_job(claimed())
    run_job(claimed())
    job = job_of(record)
    assert job is not None
    lapsed = timezone.now() - timedelta(seconds=1)
    Job.objects.filter(pk=job.pk).update(state="running", attempt=3, lease_until=lapsed)
    assert claim_job() is None
    assert Document.objects.count() == rows_at_once()
    assert sweep_imports() == 1
    record.refresh_from_db()
    assert (record.state, Document.objects.count(), DocumentVersion.objects.count()) == ("failed", 0, 0)
    assert sweep_imports() == 0


def test_cancelling_in_the_middle_leaves_nothing(settings: Settings) -> None:
    settings.TOUCHSTONE_IMPORTERS = {"documents": f"{HERE}.CancelledImporter"}
    collection = make_collection()
    record = bring(collection, "documents", many(2500), publish=True)
    assert work() == ["done", "cancelled"]
    record.refresh_from_db()
    assert (record.state, record.published_at) == ("cancelled", None)
    assert (Document.objects.count(), DocumentVersion.objects.count()) == (0, 0)


def test_a_frozen_worker_stages_nothing_more_once_it_is_overtaken(settings: Settings) -> None:
    settings.TOUCHSTONE_IMPORTERS = {"documents": f"{HERE}.OvertakenImporter"}
    collection = make_collection()
    record = bring(collection, "documents", many(2500), publish=True)
    run_job(claimed())
    frozen = run_job(claimed())
    record.refresh_from_db()
    assert (frozen.state, record.state, Document.objects.count()) == ("running", "storing", rows_at_once())
    Job.objects.filter(pk=frozen.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    assert work() == ["done"]
    record.refresh_from_db()
    assert (record.state, visible_documents(collection).count(), Document.objects.count()) == ("published", 2500, 2500)


def test_the_rows_of_other_imports_are_not_swept(settings: Settings) -> None:
    collection = make_collection()
    stored(collection, "documents", many(3))
    settings.TOUCHSTONE_IMPORTERS = {"documents": f"{HERE}.CancelledImporter"}
    bring(collection, "documents", many(5, text="another"), publish=True, on_conflict="version")
    work()
    assert [version.text for version in current_document_versions(collection)] == ["a text"] * 3
    assert DocumentVersion.objects.count() == 3


def test_one_import_of_a_collection_is_stored_at_a_time(settings: Settings) -> None:
    """The second waits, saying so, and can be cancelled meanwhile; here somebody has already asked."""
    settings.TOUCHSTONE_IMPORTERS = {"documents": f"{HERE}.FallingImporter", **settings.TOUCHSTONE_IMPORTERS}
    collection = make_collection()
    bring(collection, "documents", many(3), publish=True)
    run_job(claimed())
    Import.objects.update(state="storing")
    second = bring(collection, "topics", TOPICS, publish=True)
    Job.objects.filter(kind="store_import").update(state="cancelled")
    run_job(claimed())
    run = claimed()
    run.watch = lambda _done, _total, _message: cancel_import(second, actor=None)
    job = run_job(run)
    assert (job.state, job.message) == ("cancelled", "Waiting until another import of this collection is stored")
    assert Topic.objects.count() == 0


def test_cancelling_what_is_published_changes_and_records_nothing() -> None:
    record = stored(make_collection(), "topics", TOPICS)
    cancel_import(record, actor=None)
    record.refresh_from_db()
    assert record.state == "published"
    assert list(AuditEvent.objects.values_list("verb", flat=True)) == ["import published"]


def test_cancelling_before_the_worker_comes() -> None:
    collection, person = make_collection(), make_user()
    record = bring(collection, "topics", TOPICS)
    cancel_import(record, actor=person)
    record.refresh_from_db()
    assert (record.state, work()) == ("cancelled", [])
    assert list(AuditEvent.objects.values_list("verb", "actor")) == [("import cancelled", person.pk)]


def test_a_published_import_stays_published_when_cancelled_too_late() -> None:
    record = stored(make_collection(), "topics", TOPICS)
    cancel_import(record, actor=None)
    record.refresh_from_db()
    assert (record.state, Topic.objects.count()) == ("published", 2)


def test_topics_of_an_import_under_way_are_not_found() -> None:
    collection = make_collection()
    topic = make_topic(collection, "9", title="bees at night")
    record = Import.objects.create(collection=collection, kind="topics", filename="f", sha256="0" * 64)
    hidden = make_topic(collection, "10", title="bees by day")
    Topic.objects.filter(pk=hidden.pk).update(brought_by=record)
    assert [version.topic for version in found_topics(collection, "bees")] == [topic]
    assert list(visible_topics(collection)) == [topic]


# --- search ---


def test_every_word_must_begin_one_of_the_document() -> None:
    collection = make_collection()
    lines = [
        {"docno": "A-1", "title": "Bees", "text": "eat pollen"},
        {"docno": "A-2", "title": "", "text": "100% bees"},
    ]
    stored(collection, "documents", "\n".join(map(json.dumps, lines)))

    def docnos(words: str) -> list[str]:
        return [version.document.docno for version in found_documents(collection, words)]

    assert docnos("") == ["A-1", "A-2"]
    assert docnos("bees") == ["A-1", "A-2"]
    assert docnos("BEES pollen") == ["A-1"]
    assert docnos("a-2") == ["A-2"]
    assert docnos("100%") == ["A-2"]
    assert docnos("wasps") == []
