"""What leaves, as it is read from the database."""

import io
import json
import random
import tracemalloc
import zipfile
from collections.abc import Iterator

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.exchange.read.exports import judgments, outgoing_judgments, outgoing_qrels
from annotation.exchange.read.exports.judgments import judgment_rows
from annotation.judging.read.pauses import current_exclusions
from annotation.kernel.store import put
from annotation.models import Batch, Collection, DocumentVersion, Import, Judgment, Snapshot, TopicVersion
from annotation.quality.counted import counted_rows
from annotation.trust.read.judgments import scale_of
from annotation.trust.read.tables import read_table
from annotation.trust.steps.exclusions import exclude_annotator, reinstate_annotator
from tests.annotation.worked_campaign import Worked, make_worked
from tests.factories import (
    make_annotator,
    make_batch,
    make_collection,
    make_document,
    make_item,
    make_judgment,
    make_snapshot,
    make_topic,
    make_user,
)

pytestmark = [pytest.mark.django_db, pytest.mark.both("reads")]
OTHER = pytest.mark.alike("other judgments of the same kinds, by the same statements")


def counted_by_the_policy(collection: Collection) -> set[int]:
    """The same from the arrays that a policy reads."""
    excluded, counted = current_exclusions(collection), set[int]()
    for criterion in ("relevance", "clarity"):
        batches = list(Batch.objects.filter(collection=collection, criterion=criterion).exclude(state="draft"))
        table, _ = read_table(collection, batches, criterion)
        out = {code for code, name in enumerate(table.annotators) if name in excluded}
        counted.update(table.sequence[counted_rows(table, scale=scale_of(batches), excluded=out)].tolist())
    return counted


def campaign_of_chance(seed: int) -> Worked:
    """Judgments of every kind there is, in three batches with the same pairs, under two criteria."""
    rng, worked = random.Random(seed), make_worked()
    people, items = list(worked.people.values()), list(worked.items.values())
    for criterion in ("relevance", "clarity"):
        batch = make_batch(worked.collection, people, n_topics=0, n_documents=0, name=criterion)
        Batch.objects.filter(pk=batch.pk).update(criterion=criterion)
        batch.refresh_from_db()
        items += [make_item(batch, item.topic, item.document) for item in worked.items.values()]
    for _ in range(300):
        make_judgment(
            rng.choice(items),
            rng.choice(people),
            rng.choice([0, 1, 2, 3, 4, -1, 7]),
            reading=rng.choice([1, 1, 1, 2]),
            surplus=rng.random() < 0.1,
            blind=rng.random() < 0.9,
        )
    worked.add_item("checked", planted="check")
    worked.judge("checked", "Amber", 1)
    exclude_annotator(worked.people["Cedar"], reason="Careless", actor=None)
    exclude_annotator(worked.people["Dune"], reason="By mistake", actor=None)
    reinstate_annotator(worked.people["Dune"], reason="A mistake", actor=None)
    return worked


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=OTHER) for seed in (2, 3))])
def test_what_counts_is_what_the_policy_counts(seed: int) -> None:
    collection = campaign_of_chance(seed).collection
    keys = Judgment.objects.filter(collection=collection).order_by("pk").values_list("pk", flat=True)
    rows = list(judgment_rows(collection))
    counted = {pk for pk, row in zip(keys, rows, strict=True) if row.counted}
    assert counted == counted_by_the_policy(collection)
    assert 0 < len(counted) < len(rows)


def test_batches_with_different_scales_go_out_together() -> None:
    worked = make_worked()
    item = worked.items["d1"]
    item.scale.pk, item.scale.number, item.scale.sha256 = None, 9, "9" * 64
    item.scale.grades = item.scale.grades[:2]
    item.scale.save()
    make_judgment(worked.items["d1"], worked.people["Birch"], 3, scale=item.scale)
    make_judgment(worked.items["d2"], worked.people["Birch"], 1, scale=item.scale)
    assert [(row.grade, row.counted) for row in list(judgment_rows(worked.collection))[-2:]] == [(3, False), (1, True)]


def test_accounts_are_read_only_when_asked_for() -> None:
    worked = make_worked()
    for name, person in worked.people.items():
        person.user = make_user("amber@home") if name == "Amber" else None
        person.save()
    assert {row.account for row in judgment_rows(worked.collection)} == {""}
    accounts = {(row.annotator, row.account) for row in judgment_rows(worked.collection, named=True)}
    assert accounts == {("Amber", "amber@home"), ("Birch", ""), ("Cedar", ""), ("Dune", "")}


def test_evidence_goes_out_with_the_judgment() -> None:
    worked = make_worked()
    make_judgment(worked.items["d1"], worked.people["Amber"], 2, evidence_start=41, evidence_end=87)
    rows = [(row.evidence_start, row.evidence_end) for row in judgment_rows(worked.collection)]
    assert rows == [(None, None)] * (len(rows) - 1) + [(41, 87)]
    last = b"".join(outgoing_judgments(worked.collection, "csv").pieces).splitlines()[-1]
    assert b",,41,87," in last
    assert (
        json.loads(b"".join(outgoing_judgments(worked.collection, "jsonl").pieces).splitlines()[-1])["evidence_end"]
        == 87
    )


def test_judgments_of_other_collections_and_of_imports_under_way_stay_out() -> None:
    worked, other = make_worked(), make_worked()
    n_rows = len(list(judgment_rows(worked.collection)))
    record = Import.objects.create(
        collection=worked.collection, kind="judgments", filename="theirs.csv", sha256="0" * 64
    )
    staged = make_batch(worked.collection, list(worked.people.values()), n_topics=0, n_documents=0, name="theirs")
    Batch.objects.filter(pk=staged.pk).update(state=Batch.State.IMPORTING, brought_by=record)
    d1 = worked.items["d1"]
    make_judgment(make_item(staged, d1.topic, d1.document), worked.people["Amber"], 0)
    assert len(list(judgment_rows(worked.collection))) == n_rows
    assert {row.batch for row in judgment_rows(other.collection)} == {"first"}
    of_d1 = [row.counted for row in judgment_rows(worked.collection) if (row.docno, row.annotator) == ("d1", "Amber")]
    assert of_d1 == [True]


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
def test_as_many_questions_for_one_judgment_as_for_three(form: str) -> None:
    worked, counts = make_worked(), []
    for _ in range(3):
        with CaptureQueriesContext(connection) as queries:
            b"".join(outgoing_judgments(worked.collection, form).pieces)
        counts.append(len(queries))
        worked.judge("d1", "Amber", 3)
    assert counts == [3, 3, 3]


def test_memory_does_not_grow_with_judgments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judgments, "CHUNK", 50)
    worked = make_worked()
    peaks = []
    for _ in range(2):
        for docno in ("d1", "d2", "d3", "d4", "d5"):
            for _ in range(80):
                worked.judge(docno, "Amber", 3, comment="x" * 20_000)
        peaks.append(peak_of(outgoing_judgments(worked.collection, "jsonl").pieces))
    assert max(peaks) < 5_000_000, "400 judgments have 8 MB of comments, 800 have 16"
    assert peaks[1] < 1.2 * peaks[0]


def peak_of(pieces: Iterator[bytes]) -> int:
    tracemalloc.start()
    for _ in pieces:
        pass
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak


def unpacked(snapshot: Snapshot) -> dict[str, list[str]]:
    packed = b"".join(outgoing_qrels(snapshot, "beir").pieces)
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        return {name: archive.read(name).decode().splitlines() for name in archive.namelist()}


def new_text(version: TopicVersion | DocumentVersion, title: str, record: Import | None = None) -> None:
    """Another version, current unless a record stages it."""
    staged = record is not None
    if not staged:
        type(version).objects.filter(pk=version.pk).update(is_current=False)
    version.pk, version.sha256, version.title = None, f"{title:x<64}"[:64], title
    version.is_current, version.brought_by = not staged, record
    version.save()


def test_beir_has_the_texts_that_were_judged_and_else_the_current_ones() -> None:
    collection = make_collection()
    batch = make_batch(collection, [make_annotator(collection)], n_topics=0, n_documents=0)
    judged, later, topic = (
        make_document(collection, "judged"),
        make_document(collection, "later"),
        make_topic(collection, "1"),
    )
    item = make_item(batch, topic, judged)
    assert item.document_version is not None
    assert item.topic_version is not None
    title = item.document_version.title, item.topic_version.title
    new_text(item.document_version, "new text")
    new_text(item.topic_version, "new topic")
    new_text(later.versions.get(), "newer")
    snapshot = make_snapshot(collection, "1 0 judged 1\n1 0 unknown 2\n1 0 later -1\n7 0 judged 0\n")
    assert corpus(snapshot) == [("judged", "new text"), ("later", "newer")]
    snapshot.batches.set([batch])
    assert corpus(snapshot) == [("judged", title[0]), ("later", "newer")]
    files = unpacked(snapshot)
    assert [json.loads(line)["text"] for line in files["queries.jsonl"]] == [title[1]]
    assert files["qrels/test.tsv"] == ["query-id\tcorpus-id\tscore", "1\tjudged\t1", "1\tunknown\t2", "7\tjudged\t0"]
    assert [line.rpartition(" ")[2] for line in files["README.txt"][2:]] == ["3", "1", "1", "1"]


def corpus(snapshot: Snapshot) -> list[tuple[str, str]]:
    rows = [json.loads(line) for line in unpacked(snapshot)["corpus.jsonl"]]
    return [(row["_id"], row["title"]) for row in rows]


def test_beir_leaves_out_what_an_import_under_way_has_staged() -> None:
    collection = make_collection()
    here, staged = make_document(collection, "here"), make_document(collection, "staged")
    record = Import.objects.create(collection=collection, kind="documents", filename="d", sha256="0" * 64)
    staged.brought_by = record
    staged.save()
    title = here.versions.get().title
    new_text(here.versions.get(), "staged text", record)
    snapshot = make_snapshot(collection, "1 0 here 1\n")
    assert corpus(snapshot) == [("here", title)]
    record.state, record.published_at = Import.State.PUBLISHED, timezone.now()
    record.save()
    assert [docno for docno, _ in corpus(snapshot)] == ["here", "staged"]


def test_beir_asks_as_many_questions_for_one_text_as_for_three() -> None:
    collection, counts = make_collection(), []
    snapshot = make_snapshot(collection, "1 0 a 1\n")
    for docno in ("a", "b", "c"):
        make_document(collection, docno)
        make_topic(collection, docno)
        with CaptureQueriesContext(connection) as queries:
            b"".join(outgoing_qrels(snapshot, "beir").pieces)
        counts.append(len(queries))
    assert counts == [2, 2, 2]


@pytest.mark.parametrize("form", ["trec", "jsonl", "csv", "parquet"])
def test_qrels_need_the_database_for_nothing(form: str) -> None:
    snapshot = make_snapshot(make_collection(), "1 0 a 1\n")
    with CaptureQueriesContext(connection) as queries:
        assert b"".join(outgoing_qrels(snapshot, form).pieces)
    assert len(queries) == 0


@pytest.mark.alike("qrels are a file")
def test_memory_does_not_grow_with_pairs() -> None:
    lines = b"".join(b"%d 0 %d %d\n" % (n // 1000, n, n % 5) for n in range(50_000))
    snapshot = make_snapshot(make_collection(), "1 0 a 1\n")
    snapshot.qrels_sha256 = put(lines)
    for form in ("trec", "jsonl", "csv"):
        assert peak_of(outgoing_qrels(snapshot, form).pieces) < 1_000_000, form
