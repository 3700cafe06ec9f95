"""Judgments made elsewhere on the pages and in the API: shown once they are published, never before, never judged."""

import csv
import json
from io import StringIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.batches.steps.layout import dry_run
from annotation.corpus.steps.document_counts import recount_documents
from annotation.corpus.steps.scales import store_scale
from annotation.home.read.collection import collection_counts, steps_of
from annotation.models import DEFAULT_GRADES, Batch, GoldEvent, Import, Item, Pool, Snapshot
from annotation.quality.policy import Policy as Parameters
from annotation.trust.pages.report import quality_report
from annotation.trust.read.policies import policies_of
from annotation.trust.read.withheld import judged_batches
from annotation.trust.steps.snapshots import FreezeError, freeze_snapshot
from tests.annotation.callers import caller
from tests.annotation.exchange.steps.import_work import problems_of, stored, work
from tests.annotation.roles import ADMINS_ONLY, RESEARCH_ONLY, People, make_people
from tests.factories import make_annotator, make_batch, make_gold, make_judgment, make_topic

pytestmark = pytest.mark.django_db

FILE = "query\tdocno\tannotator\tgrade\n1\tA\tw1\t4\n1\tA\tw2\t3\n2\tB\tw1\t-2\n2\tB\tw2\t1\n"


@pytest.fixture
def people() -> People:
    return make_people()


def brought(people: People, name: str = "crowd", **options: str) -> Batch:
    stored(people.collection, "judgments", FILE, name=name, **options)
    return Batch.objects.get(name=name)


def staged(people: People) -> Batch:
    """As it is just before the flip."""
    brought(people)
    Import.objects.update(state=Import.State.STORING, published_at=None)
    Batch.objects.update(state=Batch.State.IMPORTING)
    recount_documents(people.collection)
    return Batch.objects.get()


def page(people: People, address: str, who: str = "admin") -> str:
    response = people.client(who).get(address)
    assert response.status_code == 200
    return response.text


def test_who_sees_it(people: People) -> None:
    batch = brought(people)
    assert people.statuses(reverse("batch", args=["bees", batch.token])) == RESEARCH_ONLY
    assert people.statuses(reverse("adjudicate", args=["bees"]) + "?number=1&docno=A") == ADMINS_ONLY


def test_the_way_of_judgments_made_elsewhere_is_shown_from_the_overview_to_the_quality(people: People) -> None:
    judgments, gold = (reverse("import_new", args=["bees", kind]) for kind in ("judgments", "gold"))
    overview = reverse("collection", args=["bees"])
    assert all(f'<a href="{address}">' in page(people, overview) for address in (judgments, gold))
    brought(people)
    assert f'<a href="{judgments}">' not in page(people, overview)
    published = page(people, reverse("import_detail", args=["bees", Import.objects.get().pk]))
    assert f'<a href="{reverse("quality", args=["bees"])}">Look at the quality</a>' in published
    preview = page(people, reverse("snapshot_new", args=["bees"]))
    assert f"{reverse('quality_agreement', args=['bees'])}?" in preview
    assert 'href="#agreement"' not in preview


def test_the_page_says_where_it_came_from(people: People) -> None:
    batch = brought(people)
    shown = page(people, reverse("batch", args=["bees", batch.token]))
    assert "my.judgments</a> on" in shown
    assert reverse("import_detail", args=["bees", batch.brought_by_id]) in shown
    for absent in ("Reopen", "Minimum time", "Assign", "hours.csv", "Seed"):
        assert absent not in shown
    assert [shown.count(f"/annotators/{name}/") for name in ("w1", "w2")] == [1, 1]
    listed = page(people, reverse("batches", args=["bees"]), "researcher")
    assert "from my.judgments" in listed
    assert "4 of 4" in listed


def test_the_api_says_so_too(people: People) -> None:
    batch = brought(people)
    client = caller(people.researcher)
    (row,) = client.get(reverse("api_batches", args=["bees"])).json()["results"]
    facts = {name: row[name] for name in ("state", "pool", "brought_from", "judgments_per_item", "n_items", "n_judged")}
    assert facts == {
        "state": "closed",
        "pool": None,
        "brought_from": "my.judgments",
        "judgments_per_item": None,
        "n_items": 2,
        "n_judged": 4,
    }
    one = client.get(reverse("api_batch", args=["bees", batch.token])).json()
    assert one["topics"] == [
        {"number": "1", "n_items": 1, "n_wanted": 2, "n_judged": 2, "n_withheld": 0},
        {"number": "2", "n_items": 1, "n_wanted": 2, "n_judged": 2, "n_withheld": 0},
    ]
    assert [(each["annotator"], each["n_judged"]) for each in one["people"]] == [("w1", 2), ("w2", 2)]


@pytest.mark.parametrize(
    ("deed", "data"),
    [
        ("step", {"step": "open"}),
        ("step", {"step": "reopen"}),
        ("lay-out", {}),
        ("delete", {}),
    ],
)
def test_nothing_can_be_done_to_it(people: People, deed: str, data: dict[str, str]) -> None:
    batch = brought(people)
    address = reverse("batch", args=["bees", batch.token])
    response = people.client("admin").post(f"{address}{deed}", data, follow=True)
    assert response.redirect_chain[-1][0] == address
    assert "made elsewhere" in str(next(iter(response.context["messages"])))
    batch.refresh_from_db()
    assert batch.state == Batch.State.CLOSED


def test_nobody_is_assigned_or_unassigned(people: People) -> None:
    batch = brought(people)
    address = reverse("batch", args=["bees", batch.token])
    annotator = people.collection.annotators.get(pseudonym="A-ONE")
    admin = people.client("admin")
    admin.post(f"{address}assign", {"annotators": [annotator.pk]})
    admin.post(f"{address}unassign", {"annotator": people.collection.annotators.get(pseudonym="w1").pk})
    parts = batch.participations.order_by("annotator__pseudonym")
    assert list(parts.values_list("annotator__pseudonym", "is_active")) == [("w1", True), ("w2", True)]


@pytest.mark.parametrize("way", ["edit", "dry-run"])
def test_its_settings_are_nowhere_to_be_changed(people: People, way: str) -> None:
    batch = brought(people)
    address = reverse("batch", args=["bees", batch.token])
    response = people.client("admin").get(f"{address}{way}")
    assert (response.status_code, response["Location"]) == (302, address)


def test_before_the_flip_nobody_sees_anything(people: People) -> None:
    batch = staged(people)
    admin = people.client("admin")
    for name in ("batch", "api_batch"):
        assert admin.get(reverse(name, args=["bees", batch.token])).status_code == 404
    assert admin.get(reverse("adjudicate", args=["bees"]) + "?number=1&docno=A").status_code == 404
    assert admin.get(reverse("annotator_exclude", args=["bees", "w1"])).status_code == 404
    assert admin.get(reverse("topic", args=["bees", "1"])).status_code == 404
    for name in ("batches", "quality", "snapshot_new"):
        assert "crowd" not in page(people, reverse(name, args=["bees"]))
    assert admin.get(reverse("api_batches", args=["bees"])).json()["results"] == []
    counts = collection_counts(people.collection)
    assert (counts.topics, counts.documents, counts.batches, counts.judgments, counts.annotators) == (0, 0, 0, 0, 1)
    assert judged_batches(people.collection) == []
    with pytest.raises(FreezeError, match="still being imported"):
        freeze_snapshot(
            people.collection,
            name="early",
            batches=[batch],
            policy=policies_of(people.collection)[0],
            created_by=None,
        )


def test_before_the_flip_judgments_are_in_no_export_and_count_for_nobody(people: People) -> None:
    batch = brought(people)
    other = make_batch(people.collection, [], n_documents=1)
    item = batch.items.get(topic__number="1")
    make_gold(item, 4)
    admin, link = people.client("admin"), f'href="{reverse("annotator", args=["bees", "w1"])}'
    make_judgment(other.items.get(), make_annotator(people.collection), 1)
    shown = page(people, reverse("quality_annotators", args=["bees"]))
    assert link in shown
    Import.objects.update(state=Import.State.STORING, published_at=None)
    Batch.objects.filter(pk=batch.pk).update(state=Batch.State.IMPORTING)
    shown = page(people, reverse("quality_annotators", args=["bees"]))
    assert link not in shown
    rows = admin.get(reverse("judgments_export", args=["bees", "jsonl"])).getvalue().splitlines()
    assert len(rows) == 1
    assert json.loads(rows[0])["annotator"] not in {"w1", "w2"}


def test_the_export_has_them(people: People) -> None:
    brought(people)
    response = people.client("researcher").get(reverse("judgments_export", args=["bees", "csv"]))
    rows = list(csv.DictReader(StringIO(response.getvalue().decode())))
    assert [(row["annotator"], row["grade"], row["counted"], row["batch"]) for row in rows] == [
        ("w1", "4", "true", "crowd"),
        ("w2", "3", "true", "crowd"),
        ("w1", "-2", "false", "crowd"),
        ("w2", "1", "true", "crowd"),
    ]


def test_a_pair_without_a_text_can_be_decided_on(people: People) -> None:
    brought(people)
    address = reverse("adjudicate", args=["bees"]) + "?number=2&docno=B"
    blind = reverse("adjudicate_blind", args=["bees"]) + "?number=2&docno=B"
    assert page(people, address).count("its text is not here") == 2
    assert people.client("admin").post(blind, {"grade": 2}).status_code == 302
    assert '<span class="said-grade">cannot judge</span>' in page(people, address)
    response = people.client("admin").post(address, {"grade": 2, "reason": "looked it up", "based_on": 0})
    assert response.status_code == 302
    assert "Decided before" in page(people, address)


def test_a_pair_that_was_laid_out_here_is_shown_with_its_texts(people: People) -> None:
    item = make_batch(people.collection, [], n_documents=1).items.get()
    item.topic.versions.update(is_current=False)
    file = f"query\tdocno\tannotator\tgrade\n{item.topic.number}\t{item.document.docno}\tw1\t4\n"
    stored(people.collection, "judgments", file, name="crowd")
    shown = page(people, f"{reverse('adjudicate', args=['bees'])}?number={item.topic}&docno={item.document}")
    assert "Some text." in shown
    assert "its text is not here" not in shown


def test_quality_and_snapshot(people: People) -> None:
    batch = brought(people)
    for pseudonym, grade in (("w1", 4), ("w2", 3)):
        assert people.collection.annotators.get(pseudonym=pseudonym).judgments.filter(grade=grade).exists()
    shown = page(people, reverse("quality_annotators", args=["bees"]))
    assert "crowd (closed)" in shown
    mild = policies_of(people.collection)[0]
    mild.parameters = {**mild.parameters, "count_unproven": True, "min_gold": 10}
    snapshot = freeze_snapshot(people.collection, name="all", batches=[batch], policy=mild, created_by=None)
    assert (snapshot.n_pairs, snapshot.n_topics) == (1, 1)
    assert page(people, reverse("snapshot", args=["bees", snapshot.pk])).count("crowd") >= 1
    assert Snapshot.objects.count() == 1


def test_where_all_is_gold_and_no_error_is_critical_the_page_says_so(people: People) -> None:
    people.collection.scale = store_scale(people.collection, DEFAULT_GRADES[:2])
    people.collection.save(update_fields=["scale"])
    rows = "".join(f"1\tD{i}\t{who}\t{i % 2}\n" for i in range(12) for who in ("w1", "w2"))
    stored(people.collection, "judgments", "query\tdocno\tannotator\tgrade\n" + rows, name="crowd")
    stored(people.collection, "gold", "".join(f"1\tD{i}\t{i % 2}\n" for i in range(12)))
    report = quality_report(people.collection, list(Batch.objects.all()), Parameters())
    assert report.verdict[-1].whole.startswith("0 pairs are left to decide: all here are gold")
    assert (report.agreement.n_pairs, report.agreement.exact.value) == (12, 1.0)  # gold that nobody planted
    watch = report.people[0].watch
    assert (watch.state, watch.words) == ("watching", "no critical error is possible on this gold")
    assert (watch.n_gold, watch.after) == (12, None)


def test_grades_mapped_onto_a_longer_scale_are_remarked_on_beside_the_watch(people: People) -> None:
    rows = "".join(f"1\tD{i}\t{who}\t{i % 3}\n" for i in range(60) for who in ("w1", "w2"))
    stored(people.collection, "judgments", "query\tdocno\tannotator\tgrade\n" + rows, name="crowd", grades="1=2, 2=4")
    make_gold(Item.objects.get(document__docno="D1"), 2)
    assert "Nobody gave grade 1 or 3." in page(people, reverse("quality_annotators", args=["bees"]))
    stored(people.collection, "judgments", "query\tdocno\tannotator\tgrade\n1\tD0\tw9\t1\n1\tD2\tw9\t3\n", name="more")
    assert "Nobody gave grade" not in page(people, reverse("quality_annotators", args=["bees"]))


def test_topics_and_documents_without_a_text_are_told_of(people: People) -> None:
    brought(people)
    make_topic(people.collection, "3")
    assert "Further topics without a text here: 2." in page(people, reverse("topics", args=["bees"]))
    assert "Further documents without a text here: 2." in page(people, reverse("documents", args=["bees"]))
    assert "Its text is not here" in page(people, reverse("topic", args=["bees", "1"]))
    assert "Its text is not here" in page(people, reverse("document", args=["bees", "A"]))


def test_the_way_to_qrels_has_been_gone(people: People) -> None:
    brought(people)
    steps = steps_of(people.collection, collection_counts(people.collection))
    undone = [step.page for step in steps if not step.done and not step.optional]
    assert undone == ["gold", "quality", "snapshots"]


def test_what_has_no_text_gets_into_no_pool(people: People) -> None:
    brought(people)
    make_topic(people.collection, "3")
    record = stored(people.collection, "pairs", "1 A\n3 B\n3 C\n", name="pool")
    assert problems_of(record) == [
        ("my.pairs", 1, "topic 1 has no text here: it came with judgments"),
        ("my.pairs", 1, "document A has no text here: it came with judgments"),
        ("my.pairs", 2, "document B has no text here: it came with judgments"),
        ("my.pairs", 3, "the collection has no document C"),
    ]
    assert Pool.objects.count() == 0


def test_gold_without_a_text_is_not_laid_out(people: People) -> None:
    batch = make_batch(people.collection, [], n_documents=2, state=Batch.State.DRAFT, gold_share=0.5)
    topic = batch.items.first().topic  # type: ignore[union-attr]
    batch.topics.set([topic])
    file = f"query\tdocno\tannotator\tgrade\n{topic.number}\tX\tw1\t4\n"
    stored(people.collection, "judgments", file, name="crowd")
    make_gold(Batch.objects.get(name="crowd").items.get(), 4)
    assert dry_run(batch).n_gold == 0


def test_batches_takes_as_many_queries_for_three_as_for_one(people: People) -> None:
    brought(people)
    client = people.client("admin")
    address = reverse("batches", args=["bees"])
    with CaptureQueriesContext(
        connection,
    ) as one:
        client.get(address)
    brought(people, "second", annotators="same")
    brought(people, "third", annotators="same")
    with CaptureQueriesContext(connection) as three:
        client.get(address)
    assert len(one) == len(three)
    assert json.dumps(page(people, address)).count("from my.judgments") == 3


def uploaded(people: People, kind: str, text: str, **options: str) -> Import:
    """By the form, checked, and published by a click."""
    client = people.client("admin")
    file = SimpleUploadedFile(f"my.{kind}", text.encode())
    response = client.post(reverse("import_new", args=["bees", kind]), {"file": file, **options})
    assert response.status_code == 302
    work()
    record = Import.objects.latest("pk")
    client.post(reverse("import_publish", args=["bees", record.pk]))
    work()
    record.refresh_from_db()
    return record


def test_judgments_and_their_gold_come_in_by_the_pages(people: People) -> None:
    judgments = uploaded(people, "judgments", FILE, name="crowd", grades="4=3, -2=cannot", format="tsv")
    gold = uploaded(people, "gold", "number\tdocno\tgrade\n1\tA\t2\n2\tB\t3\n", grades="2=3, 3=cannot")
    assert [judgments.state, gold.state] == ["published", "published"]
    assert list(GoldEvent.objects.values_list("document__docno", "grade")) == [("A", 3)]
    report = quality_report(people.collection, judged_batches(people.collection), Parameters())
    assert [(person.pseudonym, person.n_gold, person.accuracy) for person in report.people] == [
        ("w1", 1, 1.0),
        ("w2", 1, 1.0),
    ]


@pytest.mark.parametrize("kind", ["judgments", "gold"])
def test_a_map_that_is_none_is_said_beside_the_field(people: People, kind: str) -> None:
    file = SimpleUploadedFile("x.tsv", FILE.encode())
    form = {"file": file, "grades": "4"}
    response = people.client("admin").post(reverse("import_new", args=["bees", kind]), form)
    assert response.status_code == 422
    assert "is not of the form word=grade" in response.text
    assert Import.objects.count() == 0
