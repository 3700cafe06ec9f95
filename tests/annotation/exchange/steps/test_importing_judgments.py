"""Judgments made elsewhere: a file becomes a closed batch with the people who made them, all or nothing."""

import json

import pytest
from pytest_django import Settings

from annotation.corpus.read.document_counts import Documents, counted_documents, kept_documents
from annotation.corpus.read.texts import (
    current_document_versions,
    documents_with_text,
    topics_with_text,
    visible_documents,
    visible_topics,
)
from annotation.exchange.read.exports import JUDGMENT_FORMATS, outgoing_judgments
from annotation.exchange.steps.importing.judgments import JudgmentImporter
from annotation.exchange.steps.importing.judgments.importer import name_from
from annotation.kernel.jobs import ask_cancel, run_job
from annotation.kernel.visible import visible_annotators, visible_batches, visible_judgments
from annotation.models import (
    Annotator,
    Assignment,
    Batch,
    Collection,
    Document,
    DocumentVersion,
    Import,
    Item,
    Job,
    Judgment,
    Participation,
    Topic,
)
from annotation.trust.read.tables import read_table
from tests.annotation.exchange.steps.import_work import bring, claimed, problems_of, stored, work
from tests.factories import make_annotator, make_batch, make_collection, make_document, make_judgment, make_topic

pytestmark = [pytest.mark.django_db, pytest.mark.both("imports")]

HERE = "tests.annotation.exchange.steps.test_importing_judgments"
HEADER = "query\tdocno\tannotator\tgrade\n"
THREE = HEADER + "1\tA\tw1\t4\n1\tA\tw2\t2\n2\tB\tw1\t-2\n"
STAGED = (Judgment, Assignment, Participation, Item, Batch, Annotator, Topic, Document)


def n_rows() -> list[int]:
    return [model.objects.count() for model in STAGED]


def grades(collection: Collection, name: str) -> list[tuple[str, str, str, int, int]]:
    """Topic, document, annotator, revision and grade of each judgment of a batch, as they were saved."""
    rows = Judgment.objects.filter(collection=collection, batch__name=name).order_by("pk")
    columns = ("topic__number", "document__docno", "annotator__pseudonym", "revision", "grade")
    return list(rows.values_list(*columns))


def test_a_file_becomes_a_closed_batch() -> None:
    collection = make_collection()
    record = stored(collection, "judgments", THREE, name="crowd")
    batch = Batch.objects.get()
    assert (batch.name, batch.state, batch.pool, batch.brought_by) == ("crowd", "closed", None, record)
    assert (batch.scale, batch.n_expected, sorted(batch.topics.values_list("number", flat=True))) == (
        collection.scale,
        3,
        ["1", "2"],
    )
    assert grades(collection, "crowd") == [
        ("1", "A", "w1", 1, 4),
        ("1", "A", "w2", 1, 2),
        ("2", "B", "w1", 1, -2),
    ]
    assert record.preview["counts"] == [
        ["Judgments", 3],
        ["Topics", 2],
        ["Documents", 2],
        ["Annotators", 2],
        ["Pairs", 2],
        ["Revisions", 0],
        ["Grade 0", 0],
        ["Grade 1", 0],
        ["Grade 2", 1],
        ["Grade 3", 0],
        ["Grade 4", 1],
        ["Cannot judge", 1],
    ]
    assert record.preview["notes"] == ["my.judgments: without a text here: 2 topics and 2 documents"]
    assert record.preview["rows"][0] == ["1", "A", "w1", "4", "", "", ""]


def test_what_the_rows_say() -> None:
    collection = make_collection()
    record = stored(collection, "judgments", THREE, name="crowd")
    judgment = Judgment.objects.select_related("assignment", "item").get(annotator__pseudonym="w2")
    assert (judgment.surplus, judgment.blind, judgment.early) == (False, True, False)
    assert (judgment.wall_ms, judgment.active_ms, judgment.guideline, judgment.comment) == (None, None, None, "")
    assert (judgment.created_at, judgment.criterion, judgment.scale) == (
        record.created_at,
        "relevance",
        collection.scale,
    )
    assert (judgment.assignment.state, judgment.assignment.slot, judgment.assignment.reading) == ("brought", None, 1)
    assert (judgment.item.topic_version, judgment.item.document_version, judgment.item.n_judged) == (None, None, 2)
    people = Annotator.objects.filter(user__isnull=True, brought_by=record).order_by("pseudonym")
    assert list(people.values_list("pseudonym", flat=True)) == ["w1", "w2"]
    assert list(Participation.objects.order_by("annotator__pseudonym").values_list("n_judged", flat=True)) == [2, 1]


def test_topics_and_documents_that_are_here_keep_their_texts() -> None:
    collection = make_collection()
    topic, document = make_topic(collection, "1"), make_document(collection, "A")
    record = stored(collection, "judgments", THREE, name="crowd")
    item = Item.objects.get(topic=topic)
    assert (item.document, item.topic_version, item.document_version) == (
        document,
        topic.versions.get(),
        document.versions.get(),
    )
    assert sorted(Topic.objects.values_list("number", "brought_by")) == [("1", None), ("2", record.pk)]
    assert record.preview["notes"] == ["my.judgments: without a text here: 1 topic and 1 document"]


def test_several_judgments_of_one_person_on_one_pair_are_revisions_in_the_order_of_the_file() -> None:
    collection = make_collection()
    stored(collection, "judgments", HEADER + "1\tA\tw1\t4\n1\tA\tw2\t0\n1\tA\tw1\t1\n1\tB\tw1\t3\n", name="crowd")
    assert grades(collection, "crowd") == [
        ("1", "A", "w1", 1, 4),
        ("1", "A", "w1", 2, 1),
        ("1", "A", "w2", 1, 0),
        ("1", "B", "w1", 1, 3),
    ]
    assert Assignment.objects.count() == 3
    assert Item.objects.get(document__docno="A").n_judged == 2


def test_judgments_are_kept_in_the_order_of_the_file_or_of_time_where_all_are_dated() -> None:
    collection = make_collection()
    undated = HEADER + "2\tB\tw2\t4\n1\tA\tw2\t0\n2\tB\tw1\t1\n1\tA\tw1\t3\n1\tC\tw2\t2\n"
    stored(collection, "judgments", undated, name="undated")
    assert [row[:3] for row in grades(collection, "undated")] == [
        ("2", "B", "w2"),
        ("1", "A", "w2"),
        ("2", "B", "w1"),
        ("1", "A", "w1"),
        ("1", "C", "w2"),
    ]
    days = (("A\ta", 3), ("B\ta", 1), ("A\tb", 2))
    dated = HEADER.strip() + "\ttime\n" + "".join(f"1\t{who}\t0\t2020-05-0{day}T10:00:00Z\n" for who, day in days)
    stored(collection, "judgments", dated, name="dated")
    assert [row[1:3] for row in grades(collection, "dated")] == [("B", "a"), ("A", "b"), ("A", "a")]


def test_revisions_stand_in_the_order_of_their_times_where_all_have_one() -> None:
    collection = make_collection()
    header = "query\tdocno\tannotator\tgrade\ttime\tcomment\n"
    dated = "1\tA\tw1\t4\t2020-05-02T10:00:00Z\tlate\n1\tA\tw1\t1\t2020-05-01T10:00:00Z\tearly\n"
    half = "1\tB\tw1\t4\t2020-05-02T10:00:00Z\t\n1\tB\tw1\t1\t\t\n"
    record = stored(collection, "judgments", header + dated + half, name="crowd")
    assert grades(collection, "crowd") == [
        ("1", "A", "w1", 1, 1),
        ("1", "A", "w1", 2, 4),
        ("1", "B", "w1", 1, 4),
        ("1", "B", "w1", 2, 1),
    ]
    judgments = Judgment.objects.order_by("pk").values_list("comment", "created_at")
    assert [(comment, at.isoformat()) for comment, at in judgments[:2]] == [
        ("early", "2020-05-01T10:00:00+00:00"),
        ("late", "2020-05-02T10:00:00+00:00"),
    ]
    assert judgments[3][1] == record.created_at
    met = Assignment.objects.get(item__document__docno="A")
    assert (met.claimed_at.day, met.ended_at and met.ended_at.day) == (1, 2)


def test_a_map_gives_grades_of_the_scale() -> None:
    collection = make_collection()
    file = HEADER + "1\tA\tw1\t2\n1\tA\tw2\tgood\n1\tA\tw3\t-2\n"
    record = stored(collection, "judgments", file, name="crowd", grades="2=4, good=3, -2=cannot")
    assert [row[4] for row in grades(collection, "crowd")][:2] == [4, 3]
    assert dict(record.preview["counts"])["Cannot judge"] == 1
    assert record.preview["rows"][2][3] == "cannot"
    table, _ = read_table(collection, list(Batch.objects.all()))
    assert [int(grade) for grade in table.grade if 0 <= grade <= 4] == [4, 3]


def test_the_same_file_read_as_another_form_is_not_the_same() -> None:
    """As Touchstone's own file its silent repeat is left aside; as any table it is a revision, which counts."""
    collection = make_collection()
    header = "number,docno,annotator,grade,criterion,batch,revision,reading,created_at\n"
    own = header + "".join(f"1,A,w1,{4 - n},relevance,b,1,{n},2025-06-0{n}T10:00:00+00:00\n" for n in (1, 2))
    stored(collection, "judgments", own, name="crowd")
    again = stored(collection, "judgments", own, name="crowd", format="csv")
    assert grades(collection, "crowd") == [("1", "A", "w1", 1, 3)]
    assert (again.state, problems_of(again)[0][2]) == (
        "refused",
        "the collection already has another batch called crowd: choose another name",
    )


def test_the_same_file_again_changes_nothing() -> None:
    collection = make_collection()
    stored(collection, "judgments", THREE, name="crowd", grades="4=3")
    before = n_rows()
    again = stored(collection, "judgments", THREE, name="crowd", grades="4=3")
    assert (again.state, again.preview["notes"][0]) == (
        "published",
        "my.judgments: the batch crowd is already here with these judgments, unchanged",
    )
    otherwise = stored(collection, "judgments", THREE, name="crowd", grades="4=2")
    other = stored(collection, "judgments", HEADER + "1\tA\tw1\t1\n", name="crowd", annotators="same")
    reason = "the collection already has another batch called crowd: choose another name"
    assert [problems_of(otherwise), problems_of(other)] == [[("my.judgments", 0, reason)]] * 2
    assert n_rows() == before


def test_a_name_that_a_batch_made_here_has_is_taken() -> None:
    collection = make_collection()
    make_batch(collection, [], name="crowd")
    record = stored(collection, "judgments", THREE, name="crowd")
    assert problems_of(record)[0][2] == "the collection already has another batch called crowd: choose another name"


@pytest.mark.parametrize(
    ("filename", "name"), [("crowd.tsv.gz", "crowd"), ("judgments.csv", "judgments"), (".tsv", ".tsv"), ("a", "a")]
)
def test_without_a_name_the_file_gives_it(filename: str, name: str) -> None:
    assert name_from(filename) == name


def test_people_who_came_before_are_asked_about() -> None:
    collection = make_collection()
    stored(collection, "judgments", THREE, name="first")
    before = n_rows()
    record = stored(collection, "judgments", HEADER + "1\tA\tw1\t1\n1\tA\tw3\t1\n", name="second")
    reason = "w1 came with earlier judgments: say whether they are the same people or new"
    assert problems_of(record) == [("my.judgments", 0, reason)]
    assert record.preview["notes"] == ["my.judgments: without a text here: 1 topic and 1 document"]
    assert n_rows() == before


def test_people_whom_an_import_under_way_brings_are_not_here_yet() -> None:
    collection = make_collection()
    other = Import.objects.create(collection=collection, kind="judgments", filename="f", sha256="0" * 64)
    Annotator.objects.create(collection=collection, pseudonym="w1", brought_by=other)
    record = bring(collection, "judgments", THREE, name="first")
    run_job(claimed())
    record.refresh_from_db()
    assert (record.state, problems_of(record)) == ("checked", [])


def test_people_who_came_before_may_be_the_same() -> None:
    collection = make_collection()
    stored(collection, "judgments", THREE, name="first")
    stored(collection, "judgments", HEADER + "1\tA\tw1\t1\n1\tA\tw3\t1\n", name="second", annotators="same")
    assert sorted(Annotator.objects.values_list("pseudonym", flat=True)) == ["w1", "w2", "w3"]
    assert [row[2] for row in grades(collection, "second")] == ["w1", "w3"]


def test_people_who_came_before_may_be_others() -> None:
    collection = make_collection()
    stored(collection, "judgments", THREE, name="first")
    record = stored(collection, "judgments", HEADER + "1\tA\tw1\t1\n1\tA\tw1-2\t1\n", name="second", annotators="new")
    assert sorted(Annotator.objects.values_list("pseudonym", flat=True)) == ["w1", "w1-2", "w1-3", "w2"]
    assert [row[2] for row in grades(collection, "second")] == ["w1-3", "w1-2"]
    assert "my.judgments: ids that are taken here got a number: w1 is w1-3 here" in record.preview["notes"]


@pytest.mark.parametrize("rule", ["", "same", "new"])
def test_nobody_becomes_a_person_with_an_account(rule: str) -> None:
    collection = make_collection()
    make_annotator(collection, pseudonym="w1")
    stored(collection, "judgments", THREE, name="crowd", annotators=rule)
    assert {row[2] for row in grades(collection, "crowd")} == {"w1-2", "w2"}
    assert Judgment.objects.filter(annotator__user__isnull=False).count() == 0


class FallingImporter(JudgmentImporter):
    """The process dies in the first attempt, once everything is staged."""

    def publish(self) -> None:
        if self.run.attempt == 1:
            raise MemoryError("the machine went away")
        super().publish()


class CancelledImporter(JudgmentImporter):
    """Everything is staged, and then somebody cancels."""

    def publish(self) -> None:
        seen.append(
            [
                query.count()
                for query in (
                    visible_batches(self.collection),
                    visible_annotators(self.collection),
                    visible_judgments(self.collection),
                    visible_topics(self.collection),
                    visible_documents(self.collection),
                )
            ]
        )
        seen.append(n_rows())
        ask_cancel(self.run.job)
        self.run.fence()


seen: list[list[int]] = []


def test_nothing_is_seen_before_the_flip_and_nothing_is_left_of_a_cancelled_import(settings: Settings) -> None:
    collection = make_collection()
    seen.clear()
    settings.TOUCHSTONE_IMPORTERS = {"judgments": f"{HERE}.CancelledImporter"}
    record = bring(collection, "judgments", THREE, publish=True, name="crowd")
    assert work() == [Job.State.DONE, Job.State.CANCELLED]
    record.refresh_from_db()
    assert seen == [[0, 0, 0, 0, 0], [3, 3, 2, 2, 1, 2, 2, 2]]
    assert (record.state, n_rows()) == ("cancelled", [0] * len(STAGED))


def test_an_attempt_that_fell_is_cleared_away_by_the_next_one(settings: Settings) -> None:
    collection, undisturbed = make_collection(), make_collection()
    stored(undisturbed, "judgments", THREE, name="crowd")
    settings.TOUCHSTONE_IMPORTERS = {"judgments": f"{HERE}.FallingImporter"}
    record = stored(collection, "judgments", THREE, name="crowd")
    assert record.state == "published"
    assert grades(collection, "crowd") == grades(undisturbed, "crowd")
    assert n_rows() == [6, 6, 4, 4, 2, 4, 4, 4]


def test_a_file_without_any_judgment_is_refused() -> None:
    record = stored(make_collection(), "judgments", HEADER, name="crowd")
    assert (record.state, [reason for _, _, reason in problems_of(record)]) == (
        "refused",
        ["there is no judgment in this file"],
    )


def test_texts_may_come_after_the_judgments() -> None:
    collection = make_collection()
    stored(collection, "judgments", THREE, name="crowd")
    topics = stored(collection, "topics", "1\tbees\n3\twasps\n")
    documents = stored(collection, "documents", '{"docno": "A", "text": "one"}\n')
    assert [record.preview["counts"][0] for record in (topics, documents)] == [["New", 2], ["New", 1]]
    assert sorted(topics_with_text(collection).values_list("number", flat=True)) == ["1", "3"]
    assert list(documents_with_text(collection).values_list("docno", flat=True)) == ["A"]
    assert [version.text for version in current_document_versions(collection)] == ["one"]
    assert Item.objects.filter(topic_version__isnull=False).count() == 0
    assert kept_documents(collection) == counted_documents(collection) == Documents(2, 1)
    assert stored(collection, "topics", "1\tbees\n3\twasps\n").preview["counts"][:2] == [["New", 0], ["Unchanged", 2]]


def test_evidence_goes_out_and_comes_in_again() -> None:
    collection = make_collection()
    batch = make_batch(collection, [make_annotator(collection, pseudonym="Amber")], n_documents=2)
    items = list(batch.items.order_by("pk"))
    person = Annotator.objects.get(collection=collection)
    for item, place in zip(items, ((0, 4), (5, 10)), strict=True):
        make_judgment(item, person, 3, evidence_start=place[0], evidence_end=place[1])
    html = items[1].document.versions.get()
    DocumentVersion.objects.filter(pk=html.pk).update(form="html", text="<p>Only <b>bees</b></p>")
    for form in JUDGMENT_FORMATS[:2]:
        data = b"".join(outgoing_judgments(collection, form).pieces).decode()
        there = make_collection()
        for item in items:
            make_document(there, item.document.docno, text="Some")
        make_document(there, "longer")
        record = stored(there, "judgments", data, name="crowd")
        judgments = Judgment.objects.filter(collection=there).order_by("pk")
        assert list(judgments.values_list("evidence_start", "evidence_end")) == [(0, 4), (None, None)]
        assert record.preview["counts"][-1] == ["With evidence", 1]
        beyond = "my.judgments: evidence behind the end of the document that is here, left aside: 1"
        assert beyond in record.preview["notes"]
    again = stored(make_collection(), "judgments", data, name="crowd")
    assert again.preview["counts"][-1] == ["With evidence", 2], "of a document without a text here nothing is known"


def test_evidence_of_html_counts_in_its_text() -> None:
    collection = make_collection()
    document = make_document(collection, "A", text="<p>Only <b>bees</b></p>")
    document.versions.update(form="html")
    rows = [
        {"number": "1", "docno": "A", "annotator": f"w{end}", "grade": 1, "criterion": "relevance", "batch": "b",
         "revision": 1, "reading": 1, "created_at": "", "evidence_start": 5, "evidence_end": end}
        for end in (9, 10)
    ]  # fmt: skip
    stored(collection, "judgments", "\n".join(map(json.dumps, rows)), name="crowd")
    judgments = Judgment.objects.order_by("annotator__pseudonym").values_list("annotator__pseudonym", "evidence_end")
    assert list(judgments) == [("w10", None), ("w9", 9)]
