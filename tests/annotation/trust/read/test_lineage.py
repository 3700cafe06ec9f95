"""What a snapshot comes from, and that page, API, datasheet and citation say the same of it."""

import io
import json
import zipfile
from dataclasses import asdict
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from annotation.exchange.read.exports.dataset import snapshot_dataset
from annotation.formats.citation import citation
from annotation.formats.lineage import Ancestor, sources_in_words
from annotation.gold.steps.events import set_gold, withdraw_gold
from annotation.gold.steps.qrels import take_gold_from_snapshot
from annotation.kernel.store import path_of
from annotation.models import Import, Pool, Snapshot
from annotation.trust.pages.lineage import with_addresses
from annotation.trust.read.lineage import lineage_of
from annotation.trust.read.policies import unsaved_default
from annotation.trust.read.snapshots import cited_as
from annotation.trust.steps.snapshots import freeze_snapshot
from tests.annotation.roles import make_people
from tests.annotation.worked_campaign import Worked, make_worked
from tests.factories import make_collection, make_documents, make_snapshot

pytestmark = pytest.mark.django_db
SHA = "b" * 64


def frozen(worked: Worked, name: str) -> Snapshot:
    rule = unsaved_default(worked.collection)
    return freeze_snapshot(worked.collection, name=name, batches=[worked.batch], policy=rule, created_by=None)


def brought(snapshot: Snapshot, *, kind: str = Import.Kind.QRELS, **options: str) -> Snapshot:
    """The snapshot as imported from a file."""
    snapshot.brought_by = Import.objects.create(
        collection=snapshot.collection,
        kind=kind,
        state=Import.State.PUBLISHED,
        published_at=timezone.now(),
        filename="nist.qrels",
        sha256=SHA,
        options=options,
        preview={"format": {"title": "TREC qrels"}},
    )
    snapshot.save()
    return snapshot


def imported_on(snapshot: Snapshot) -> str:
    assert snapshot.brought_by
    return f"{snapshot.brought_by.published_at:%Y-%m-%d}"


def test_a_frozen_one_comes_from_judgments_policy_batch_and_pool() -> None:
    worked = make_worked()
    snapshot = frozen(worked, "first")
    policy = snapshot.policy
    assert policy
    assert [(one.what, one.name, one.sha256) for one in lineage_of(snapshot)] == [
        ("Judgments", "", snapshot.inputs_sha256),
        ("Policy", "default v1", policy.sha256),
        ("Scale", "version 1", ""),
        ("Batch", worked.batch.name, ""),
        ("Pool", str(worked.batch.pool), ""),
    ]
    assert lineage_of(snapshot)[0].says == "67 judgments of 4 annotators, 20 gold pairs"
    assert "From batch first." in citation(cited_as(snapshot))


def test_imported_qrels_that_gold_was_taken_from_are_named_with_their_file() -> None:
    worked = make_worked()
    official = brought(make_snapshot(worked.collection, "1 0 d1 3\n1 0 d2 2\n1 0 d3 1\n", name="official"))
    taken: dict[str, Any] = {"per_grade": None, "unlisted_are_zero": False, "seed": 1, "actor": None}
    take_gold_from_snapshot(worked.collection, snapshot=official, **taken)
    by_hand = worked.items["d3"]
    set_gold(
        worked.collection,
        topic=by_hand.topic,
        document=by_hand.document,
        grade=2,
        accepted=[],
        reason="Read",
        actor=None,
    )
    snapshot = frozen(worked, "first")
    withdraw = worked.items["d1"]
    withdraw_gold(worked.collection, topic=withdraw.topic, document=withdraw.document, reason="Wrong", actor=None)
    gold = [one for one in lineage_of(snapshot) if one.what in ("Gold", "File")]
    assert [(one.what, one.name, one.sha256) for one in gold] == [
        ("Gold", "official", official.qrels_sha256),
        ("File", "nist.qrels", SHA),
    ]
    assert gold[0].says == "2 gold pairs of imported qrels"
    assert official.brought_by
    slug = worked.collection.slug
    assert [address for _, address in with_addresses(slug, gold)] == [
        f"/c/{slug}/snapshots/{official.pk}/",
        f"/c/{slug}/imports/{official.brought_by.pk}/",
    ]
    assert "nist.qrels" not in citation(cited_as(snapshot))
    assert [one.says for one in lineage_of(frozen(worked, "second")) if one.what == "Gold"] == [
        "1 gold pair of imported qrels"
    ]


def test_imported_qrels_whose_gold_is_of_no_pair_in_the_snapshot_are_not_named() -> None:
    worked = make_worked()
    make_documents(worked.collection, ["elsewhere"])
    for name, docnos in (("other", ["elsewhere"]), ("both", ["elsewhere", "d1"])):
        qrels = make_snapshot(worked.collection, "".join(f"1 0 {docno} 2\n" for docno in docnos), name=name)
        take_gold_from_snapshot(
            worked.collection, snapshot=qrels, per_grade=None, unlisted_are_zero=False, seed=1, actor=None
        )
        gold = [(one.name, one.says) for one in lineage_of(frozen(worked, f"by {name}")) if one.what == "Gold"]
        assert gold == ([("both", "1 gold pair of imported qrels")] if name == "both" else [])


def test_the_snapshot_before_from_the_same_batches_is_named() -> None:
    worked = make_worked()
    earlier = frozen(worked, "first")
    last = lineage_of(frozen(worked, "second"))[-1]
    assert (last.what, last.name, last.sha256) == ("Snapshot", "first", earlier.qrels_sha256)
    assert last.says == f"the same qrels, {earlier.created_at:%Y-%m-%d}"
    assert [one.what for one in lineage_of(earlier)].count("Snapshot") == 0


def test_an_imported_one_names_its_file_as_it_was_read() -> None:
    snapshot = brought(make_snapshot(make_collection(), "1 0 d1 1\n"), grades="0=0\n1=2")
    says = f"qrels, read as TREC qrels, grades mapped 0=0 1=2, imported {imported_on(snapshot)}"
    assert lineage_of(snapshot) == (Ancestor(what="File", name="nist.qrels", says=says, sha256=SHA, is_source=True),)
    assert f"1 judged pair of 1 topic. From file nist.qrels (SHA-256 {SHA})." in citation(cited_as(snapshot))


def test_it_is_told_where_the_judgments_are_gone() -> None:
    people = make_people()
    worked = make_worked(people.collection)
    worked.judge("d5", "Amber", 1)  # as no other test: what was read once is remembered
    snapshot = frozen(worked, "first")
    path_of(snapshot.inputs_sha256).unlink()
    assert lineage_of(snapshot)[0].says == "their file is missing or damaged"
    answer = people.client("researcher").get(f"/api/v1/collections/bees/snapshots/{snapshot.pk}")
    assert answer.json()["lineage"][0]["says"] == "their file is missing or damaged"


@pytest.mark.parametrize("origin", [{"kind": "runs", "runs": 5}, {"runs": None}, {"kind": "file", "snapshot": ["a"]}])
def test_a_pool_of_a_bundle_may_say_anything_of_its_origin(origin: dict[str, object]) -> None:
    worked = make_worked()
    Pool.objects.filter(batches=worked.batch).update(origin=origin)
    assert lineage_of(frozen(worked, "first"))[-1].what == "Pool"


def test_one_whose_file_is_not_recorded_says_so() -> None:
    (only,) = lineage_of(make_snapshot(make_collection(), "1 0 d1 1\n"))
    assert only.says == "which one, is not recorded"


def test_a_bundle_stands_for_all_that_was_there_before_it() -> None:
    """Brought along as imported qrels, or frozen elsewhere and brought along; not what was imported afterwards."""
    collection = make_collection()
    along = brought(make_snapshot(collection, "1 0 d1 1\n"), kind=Import.Kind.COLLECTION, bundle=SHA)
    says = f"the whole collection, imported {imported_on(along)}"
    bundle = Ancestor(what="Bundle", name="nist.qrels", says=says, sha256=SHA, is_source=True)
    assert lineage_of(along) == (bundle,)
    later = brought(make_snapshot(collection, "1 0 d1 2\n"))
    assert [one.what for one in lineage_of(later)] == ["File"]

    worked = make_worked()
    elsewhere = frozen(worked, "elsewhere")
    Snapshot.objects.filter(pk=elsewhere.pk).update(created_at=timezone.now() - timedelta(days=1))
    brought(make_snapshot(worked.collection, "1 0 d1 3\n"), kind=Import.Kind.COLLECTION, bundle=SHA)
    elsewhere.refresh_from_db()
    assert bundle in lineage_of(elsewhere)


def test_a_citation_names_three_sources_and_counts_the_rest() -> None:
    batches = [Ancestor(what="Batch", name=str(n), says="", is_source=n > 0) for n in range(6)]
    assert sources_in_words(batches) == "batch 1; batch 2; batch 3; 2 more"
    assert sources_in_words([]) == ""


def test_page_api_and_datasheet_say_the_same() -> None:
    people = make_people()
    worked = make_worked(people.collection)
    frozen(worked, "first")
    snapshot = frozen(worked, "second")
    lineage, client = lineage_of(snapshot), people.client("researcher")
    page = client.get(f"/c/bees/snapshots/{snapshot.pk}/")
    assert tuple(one for one, _ in page.context["lineage"]) == lineage
    linked = {one.what: address for one, address in page.context["lineage"] if address}
    assert {what: client.get(address).status_code for what, address in linked.items()} == {
        "Batch": 200, "Pool": 200, "Snapshot": 200,
    }  # fmt: skip
    assert all(f'href="{address}">{one.name}</a>' in page.text for one, address in page.context["lineage"] if address)
    assert all(one.says in page.text and one.sha256 in page.text for one in lineage)
    answer = client.get(f"/api/v1/collections/bees/snapshots/{snapshot.pk}").json()
    expected = [
        {key: value for key, value in asdict(one).items() if key in ("what", "name", "says", "sha256")}
        for one in lineage
    ]
    assert answer["lineage"] == expected
    assert page.context["citation"] == citation(cited_as(snapshot))
    with zipfile.ZipFile(io.BytesIO(b"".join(snapshot_dataset(snapshot)))) as archive:
        based_on = json.loads(archive.read("croissant.json"))["isBasedOn"]
        assert "From batch first" in archive.read("CITATION.bib").decode()
    assert [(one["name"], one["description"], one.get("sha256", "")) for one in based_on] == [
        (f"{one.what} {one.name}".strip(), one.says, one.sha256) for one in lineage if one.what != "Snapshot"
    ]
    assert len(based_on) == len(lineage) - 1
