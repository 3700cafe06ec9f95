"""The client and the app itself, no network between: files both ways, lost answers, refusals."""

import io
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from annotation.kernel.api_tokens import make_api_token
from annotation.kernel.jobs import claim_job, run_job
from annotation.models import Collection, Pool, User
from tests.annotation.callers import Program
from tests.annotation.roles import People, make_people
from tests.factories import make_document, make_topic
from touchstone.client import ApiError, Client, JobError, RefusedFileError

pytestmark = pytest.mark.django_db

RUN = b"1 Q0 d1 1 9.5 bm25\n1 Q0 d2 2 8.5 bm25\n"
QRELS = b"1 0 d1 2\n1 0 d2 0\n"


class App:
    """Answers what httpx sends; loses the first answers to a POST, when their deed is done."""

    def __init__(self, forgets: int) -> None:
        self.left = forgets

    def answer(self, request: httpx.Request) -> httpx.Response:
        kind = request.headers.get("Content-Type", "application/octet-stream")
        headers = {
            name: request.headers[name] for name in ("Authorization", "Idempotency-Key") if name in request.headers
        }
        address = request.url.raw_path.decode()
        answer = Program().generic(request.method, address, request.read(), content_type=kind, headers=headers)
        if request.method == "POST" and self.left:
            self.left -= 1
            raise httpx.ReadError("lost")
        return httpx.Response(answer.status_code, headers=dict(answer.headers), content=answer.getvalue())


@pytest.fixture
def people(monkeypatch: pytest.MonkeyPatch) -> People:
    """While a program waits, a worker works."""

    def work(_: float) -> None:
        while job := claim_job():
            run_job(job)

    monkeypatch.setattr("touchstone.client.jobs.sleep", work)
    monkeypatch.setattr("touchstone.client.wire.sleep", lambda _: None)
    return make_people()


def client_with(token: str, *, forgets: int = 0) -> Client:
    return Client("http://testserver", token, transport=httpx.MockTransport(App(forgets).answer))


def client_of(person: User, *, scope: str = "admin", forgets: int = 0) -> Client:
    return client_with(make_api_token(person, name="a program", scope=scope), forgets=forgets)


def test_runs_and_qrels_come_in_and_are_evaluated(people: People, tmp_path: Path) -> None:
    bees = client_of(people.admin).collection("bees")
    assert bees.runs.bring(io.BytesIO(RUN), filename="bm25.run", description="As it is").wait()["name"] == "bm25"
    bees.imports.bring(io.BytesIO(QRELS), kind="qrels", name="official", publish=True, format="trec").wait()
    bees.evaluations.evaluate(snapshot="official", runs=["bm25"], measures=["RR"]).wait()
    (evaluation,) = bees.evaluations.all(snapshot="official")
    assert evaluation["means"]["RR"]["mean"] == 1  # the first document is relevant
    (snapshot,) = bees.snapshots.all(name="official")
    assert bees.snapshots.save_qrels(snapshot["id"], tmp_path / "qrels").read_bytes() == QRELS
    bees.runs.save("bm25", tmp_path / "run", form="trec")
    assert [line.split()[2] for line in (tmp_path / "run").read_text().splitlines()] == ["d1", "d2"]


def test_a_file_with_faults_names_their_lines(people: People) -> None:
    bees = client_of(people.admin).collection("bees")
    with pytest.raises(RefusedFileError) as caught:
        bees.runs.bring(io.BytesIO(RUN + b"1 Q0 d3 3 x bm25\n"), filename="bad.run").wait()
    assert [(each["file"], each["line"]) for each in caught.value.problems] == [("bad.run", 3)]
    assert str(caught.value) == "bad.run:3: the score 'x' is not a finite decimal number"


def test_a_collection_goes_out_and_comes_in(people: People, tmp_path: Path) -> None:
    User.objects.filter(pk=people.admin.pk).update(may_create_collections=True)
    client = client_of(people.admin)
    birds = client.collection(client.collections.make(name="Birds")["slug"])
    birds.imports.bring(io.BytesIO(b"7\tswifts\n"), kind="topics", filename="t.tsv", format="tsv", publish=True).wait()
    job = birds.bundles.pack()
    job.wait()
    bundle = birds.bundles.save(tmp_path / "birds.zip", token=job.token)
    arrival = client.arrivals.bring(bundle, slug="birds-2")
    assert arrival.wait()["state"] == "checked"
    assert client.arrivals.publish(arrival.token).wait()["state"] == "published"
    client.arrivals.bring_unseen(bundle, slug="birds-3").wait()
    copies = [client.collection(slug).topics.all() for slug in ("birds-2", "birds-3")]
    assert [[topic["number"] for topic in topics] for topics in copies] == [["7"], ["7"]]
    with pytest.raises(JobError):
        client.arrivals.bring_unseen(io.BytesIO(b"PK"), slug="birds-4", filename="x.zip").wait()
    assert client.arrivals.bring(bundle, slug="birds-5").wait()["slug"] == "birds-5"


@pytest.mark.parametrize("forgets", [0, 1, 3])
def test_a_lost_answer_does_no_deed_twice(people: People, forgets: int) -> None:
    make_topic(people.collection, "1")
    make_document(people.collection, "d1")
    bees = client_of(people.admin, forgets=forgets).collection("bees")
    pool = bees.pools.make(name="by hand", pairs=[{"number": "1", "docno": "d1"}])
    assert list(Pool.objects.values_list("pk", "name")) == [(pool["id"], "by hand")]


def test_refusals_have_their_code(people: People) -> None:
    bees = client_of(people.admin).collection("bees")
    reader = client_of(people.admin, scope="read").collection("bees")
    refusals: dict[str, Callable[[], object]] = {
        "refused": lambda: bees.pools.make(name="", pairs=[]),
        "not-found": lambda: client_of(people.outsider).collection("bees").read(),
        "not-allowed": lambda: client_of(people.annotator).collection("bees").read(),
        "token-scope": lambda: reader.change(description="Of hives"),
        "conflict": lambda: bees.people.remove(people.admin.username),
        "no-token": lambda: client_with("wrong").collection("bees").read(),
    }
    codes = {}
    for code, deed in refusals.items():
        with pytest.raises(ApiError) as caught:
            deed()
        codes[code] = (caught.value.code, caught.value.status)
    statuses = (400, 404, 403, 403, 409, 401)
    assert codes == {code: (code, status) for code, status in zip(refusals, statuses, strict=True)}
    with pytest.raises(ApiError) as caught:
        bees.pools.make(name="", pairs=[])
    assert set(caught.value.errors) == {"name", "pairs.non_field_errors"}


def test_a_collection_is_deleted(people: People) -> None:
    client_of(people.admin).collection("bees").delete(name=people.collection.name).wait()
    assert not Collection.objects.filter(slug="bees").exists()
