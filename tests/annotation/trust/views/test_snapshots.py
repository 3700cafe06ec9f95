"""Snapshots over HTTP: preview, freeze, look, verify, download."""

import csv
import io
import json

import pytest
from django.db import connection
from django.http import StreamingHttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext

from annotation.formats.judgments import COLUMNS
from annotation.kernel.jobs import claim_job, run_job
from annotation.kernel.store import path_of, put
from annotation.models import Job, Snapshot
from annotation.trust.read.policies import unsaved_default
from annotation.trust.steps.exclusions import exclude_annotator
from annotation.trust.steps.snapshots import freeze_snapshot
from tests.annotation.roles import RESEARCH_ONLY, People, make_people
from tests.annotation.worked_campaign import GOLD_QRELS, QRELS, Worked, make_worked

pytestmark = pytest.mark.django_db
LIST, NEW = "/c/bees/snapshots/", "/c/bees/snapshots/new"
TREC = "".join(f"{number} 0 {docno} {grade}\n" for number, docno, grade in [*QRELS, *GOLD_QRELS])


def started() -> tuple[People, Worked]:
    people = make_people()
    return people, make_worked(people.collection)


def frozen(worked: Worked, name: str = "Round one / äö") -> Snapshot:
    rule = unsaved_default(worked.collection)
    return freeze_snapshot(worked.collection, name=name, batches=[worked.batch], policy=rule, created_by=None)


def downloaded(client: Client, address: str) -> tuple[str, str, str]:
    """Type, disposition and text of a download."""
    answer = client.get(address)
    assert isinstance(answer, StreamingHttpResponse)
    return answer["Content-Type"], answer["Content-Disposition"], answer.getvalue().decode()


def test_who_may_see_and_freeze() -> None:
    people, worked = started()
    snapshot = frozen(worked)
    here = f"{LIST}{snapshot.pk}/"
    pages = [LIST, NEW, here, f"{here}qrels", f"{here}pairs", f"{here}dropped", "/c/bees/judgments.csv"]
    assert {page: people.statuses(page) for page in pages} == dict.fromkeys(pages, RESEARCH_ONLY)
    verified = {**RESEARCH_ONLY, "admin": 302, "researcher": 302}
    assert people.statuses(f"{here}verify", "post") == verified
    assert people.statuses(f"{here}verify") == {**dict.fromkeys(verified, 405), "anonymous": 302}
    asked = {"name": "again", "batch": worked.batch.token, "policy": "default v1"}
    assert {who: people.client(who).post(NEW, asked).status_code for who in verified} == verified


def test_a_snapshot_of_another_collection_is_not_found() -> None:
    people, _ = started()
    foreign = frozen(make_worked(), "foreign")
    client = people.client("admin")
    here = f"{LIST}{foreign.pk}/"
    assert [client.get(page).status_code for page in (here, f"{here}qrels", f"{here}pairs")] == [404] * 3


def test_preview_then_freeze_by_job_then_look() -> None:
    people, worked = started()
    client = people.client("researcher")
    preview = client.get(NEW)
    assert preview.context["report"].outcome.n_kept == 22
    text = preview.text
    assert "Freeze 22 pairs" in text
    assert "keeps fewer than half" in text
    assert Snapshot.objects.count() == 0
    answer = client.post(NEW, {"name": "Round one", "batch": worked.batch.token, "policy": "default v1"})
    job = Job.objects.get()
    assert (answer.status_code, answer["Location"]) == (302, f"/jobs/{job.token}/")
    assert "Freezing Round one" in client.get(LIST).text
    run = claim_job()
    assert run is not None
    run_job(run)
    snapshot = Snapshot.objects.get()
    assert (snapshot.name, snapshot.created_by) == ("Round one", people.researcher)
    assert f"{LIST}{snapshot.pk}/" in client.get(f"/jobs/{job.token}/").text
    text = client.get(f"{LIST}{snapshot.pk}/").text
    shown = (snapshot.qrels_sha256, snapshot.pairs_sha256, snapshot.inputs_sha256, "default v1", "first", "researcher")
    assert [word for word in shown if word not in text] == []


def test_what_is_wrong_with_a_freeze_is_said_beside_it() -> None:
    people, worked = started()
    client = people.client("admin")
    frozen(worked, "taken")
    right: dict[str, object] = {"name": "new", "batch": worked.batch.token, "policy": "default v1"}
    faults: list[tuple[dict[str, object], str]] = [
        ({"name": "taken"}, "already has a snapshot of this name"),
        ({"name": ""}, "This field is required."),
        ({"batch": []}, "Choose at least one batch."),
        ({"batch": "nothing"}, "There is no such batch here."),
        ({"policy": "mine v9"}, "There is no such policy here."),
    ]
    for wrong, message in faults:
        answer = client.post(NEW, {**right, **wrong})
        assert (answer.status_code, message in answer.text) == (422, True), wrong
    assert (Job.objects.count(), Snapshot.objects.count()) == (0, 1)


def test_with_nothing_laid_out_there_is_nothing_to_freeze() -> None:
    client = make_people().client("admin")
    assert "Nothing to freeze yet" in client.get(NEW).text
    assert client.post(NEW, {"name": "x", "policy": "default v1"}).status_code == 422


def test_downloads_have_the_bytes_and_safe_names() -> None:
    people, worked = started()
    snapshot = frozen(worked)
    client, here = people.client("researcher"), f"{LIST}{snapshot.pk}/"
    assert downloaded(client, f"{here}qrels") == (
        "text/plain; charset=utf-8",
        'attachment; filename="bees-round-one-ao.qrels.txt"',
        TREC,
    )
    kind, name, pairs = downloaded(client, f"{here}pairs")
    assert (kind, name) == ("application/x-ndjson", 'attachment; filename="bees-round-one-ao.pairs.jsonl"')
    assert [json.loads(line)["docno"] for line in pairs.splitlines()][:3] == ["d1", "d2", "G00"]
    _, name, dropped = downloaded(client, f"{here}dropped")
    assert name == 'attachment; filename="bees-round-one-ao.dropped.jsonl"'
    assert [json.loads(line)["docno"] for line in dropped.splitlines()] == ["d3", "d4", "d5"]
    nameless = frozen(worked, "???")
    assert downloaded(client, f"{LIST}{nameless.pk}/qrels")[1] == f'attachment; filename="bees-{nameless.pk}.qrels.txt"'


def test_verify_says_what_it_found() -> None:
    people, worked = started()
    snapshot = frozen(worked)
    client = people.client("admin")
    verify = f"{LIST}{snapshot.pk}/verify"
    text = client.post(verify, follow=True).text
    assert "rebuilding from the frozen inputs gives the same bytes" in text
    path_of(snapshot.qrels_sha256).write_bytes(b"1 0 d1 4\n")
    assert "qrels is missing or damaged" in client.post(verify, follow=True).text


def imported(people: People) -> Snapshot:
    return Snapshot.objects.create(
        collection=people.collection,
        name="theirs",
        origin=Snapshot.Origin.IMPORTED,
        qrels_sha256=put(b"1 0 d1 -1\n1 0 d2 4\n2 0 d1 4\n"),
        n_topics=2,
        n_pairs=3,
    )


@pytest.mark.parametrize("name", ["inputs", "qrels"])
def test_a_snapshot_whose_file_is_gone_says_so(name: str) -> None:
    """Its page could not be shown, and with it not what verifying had found."""
    people = make_people()
    worked = make_worked(people.collection)
    worked.judge("d5", "Amber", 2)  # as no other test
    rule = unsaved_default(people.collection)
    snapshot = freeze_snapshot(people.collection, name="A", batches=[worked.batch], policy=rule, created_by=None)
    path_of(getattr(snapshot, f"{name}_sha256")).unlink()
    page = f"/c/bees/snapshots/{snapshot.pk}/"
    answer = people.client("researcher").get(page)
    assert (answer.status_code, "A file of this snapshot is missing or damaged." in answer.text) == (200, True)
    answer = people.client("researcher").post(f"{page}verify", follow=True)
    assert f"The file of its {name} is missing or damaged." in answer.text


def test_imported_qrels_are_listed_shown_verified_and_given_out() -> None:
    people = make_people()
    snapshot = imported(people)
    client, here = people.client("admin"), f"{LIST}{snapshot.pk}/"
    assert "theirs" in client.get(LIST).text
    page = client.get(here)
    assert [(share.grade, share.n) for share in page.context["shares"]] == [(-1, 1), (4, 2)]
    assert downloaded(client, f"{here}qrels")[2] == "1 0 d1 -1\n1 0 d2 4\n2 0 d1 4\n"
    assert [client.get(f"{here}{part}").status_code for part in ("pairs", "dropped")] == [404, 404]
    assert "The file is whole." in client.post(f"{here}verify", follow=True).text


def test_raw_judgments_are_all_there_under_pseudonyms() -> None:
    people, worked = started()
    worked.judge("d1", "Amber", 2, comment="=1+1")
    worked.judge("d5", "Birch", 4, surplus=True, early=True, active_ms=None)
    exclude_annotator(worked.people["Cedar"], reason="Careless", actor=people.admin)
    client = people.client("researcher")
    kind, name, text = downloaded(client, "/c/bees/judgments.csv")
    assert (kind, name) == ("text/csv; charset=utf-8", 'attachment; filename="bees-judgments.csv"')
    rows = list(csv.DictReader(io.StringIO(text)))
    assert tuple(rows[0]) == COLUMNS
    assert len(rows) == 50 + 17 + 2
    of_d1 = [(row["annotator"], row["grade"], row["revision"], row["counted"]) for row in rows if row["docno"] == "d1"]
    assert of_d1 == [
        ("Amber", "3", "1", "false"),
        ("Birch", "3", "1", "true"),
        ("Cedar", "0", "1", "false"),
        ("Dune", "3", "1", "true"),
        ("Amber", "2", "2", "true"),
    ]
    assert rows[-2]["comment"] == "'=1+1"
    last = {name: rows[-1][name] for name in ("annotator", "counted", "early", "active_ms", "batch", "guideline")}
    assert last == {
        "annotator": "Birch",
        "counted": "false",
        "early": "true",
        "active_ms": "",
        "batch": "first",
        "guideline": "1",
    }
    assert not {person.username for person in (people.admin, people.annotator)} & {row["annotator"] for row in rows}
    jsonl = downloaded(client, "/c/bees/judgments.jsonl")[2].splitlines()
    assert [json.loads(line)["docno"] for line in jsonl] == [row["docno"] for row in rows]
    assert client.get("/c/bees/judgments.xls").status_code == 404


def test_the_list_asks_as_many_questions_for_one_as_for_three() -> None:
    people, worked = started()
    client = people.client("researcher")
    counts = []
    for known in (1, 3):
        for number in range(Snapshot.objects.count(), known):
            frozen(worked, f"number {number}")
        with CaptureQueriesContext(connection) as queries:
            assert len(client.get(LIST).context["page_obj"]) == known
        counts.append(len(queries))
    assert counts[0] == counts[1]
