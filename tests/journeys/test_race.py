"""Thirty-two people judge one batch at once; submissions are doubled and the server is killed in the middle.

The same checker watches a naive variant that counts judgments and then inserts one; there it must find breaches.
"""

import http.client
import random
import re
import threading
import time
from collections.abc import Callable, Generator
from pathlib import Path
from urllib.parse import urlencode

import pytest
from django.db import connection
from django.utils import timezone

from annotation.models import Annotator, Assignment, Batch, Item, Judgment, Slot
from tests.factories import make_annotator, make_batch, make_collection
from tests.journeys.invariants import broken_invariants
from tests.live import Answer, Server, sign_in

pytestmark = pytest.mark.both("locks")

PEOPLE = 32
DOUBLED = 0.05
TOKEN = re.compile(r'id="card"[^>]* data-token="([^"]+)"')
CSRF = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')
PATIENCE = 600.0  # seconds for the whole race, on a busy machine


@pytest.fixture
def server(transactional_db: None, tmp_path: Path) -> Generator[Server, None, None]:
    server = Server(tmp_path / "var")
    server.start()
    yield server
    server.stop()


class Client:
    """One person's browser without a screen: it tries again when the server does not answer."""

    def __init__(self, server: Server, batch: Batch, annotator: Annotator, seed: int) -> None:
        assert annotator.user is not None
        self.server, self.page, self.rng = server, f"/judge/{batch.token}/", random.Random(seed)
        self.cookies = {"touchstone_session": sign_in(annotator.user)}
        self.acknowledged: dict[str, int] = {}
        self.said: list[str] = []
        self.csrf = ""

    def judge_to_the_end(self) -> None:
        deadline = time.monotonic() + PATIENCE
        answer = self._get()
        while "That was the last one" not in answer.text:
            assert time.monotonic() < deadline, answer.text
            if TOKEN.search(answer.text):
                answer = self._grade(answer)
            elif "Start judging" in answer.text or "Continue" in answer.text:
                answer = self._post("start")
            else:
                time.sleep(0.2)
                answer = self._get()

    def _grade(self, shown: Answer) -> Answer:
        token, grade = _found(TOKEN, shown), self.rng.randrange(5)
        form = {"token": token, "grade": str(grade)}
        if self.rng.random() < DOUBLED:
            twin = threading.Thread(target=self._post, args=("grade",), kwargs=form)
            twin.start()
            answer = self._post("grade", **form)
            twin.join()
        else:
            answer = self._post("grade", **form)
        if answer.status == 200 and "Saved:" in answer.text:
            self.acknowledged[token] = grade
        else:
            self.said.append(f"{answer.status}: {answer.text[:200]}")
        return answer

    def _get(self) -> Answer:
        answer = self._send("GET", self.page)
        self.csrf = found[1] if (found := CSRF.search(answer.text)) else self.csrf
        return answer

    def _post(self, deed: str, **fields: str) -> Answer:
        """As the page's script would, one that holds no card: each answer brings the card and the next."""
        body = urlencode({"csrfmiddlewaretoken": self.csrf, **fields})
        headers = {"Content-Type": "application/x-www-form-urlencoded", "X-Judge": ""}
        return self._send("POST", self.page + deed, body=body, headers=headers)

    def _send(self, method: str, path: str, *, body: str = "", headers: dict[str, str] | None = None) -> Answer:
        deadline = time.monotonic() + PATIENCE
        while True:
            cookie = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
            try:
                answer = self.server.request(method, path, body=body, headers={**(headers or {}), "Cookie": cookie})
            except (http.client.HTTPException, OSError):
                assert time.monotonic() < deadline, "the server stayed away"
                time.sleep(0.1)
                continue
            self._keep_cookie(answer)
            return answer

    def _keep_cookie(self, answer: Answer) -> None:
        name, _, value = answer.headers.get("Set-Cookie", "").partition(";")[0].partition("=")
        if name:
            self.cookies[name] = value


def _found(pattern: re.Pattern[str], answer: Answer) -> str:
    found = pattern.search(answer.text)
    assert found, f"{answer.status}: {answer.text[:500]}"
    return found[1]


def race_batch(n_documents: int, judgments_per_item: int) -> tuple[Batch, list[Annotator]]:
    collection = make_collection()
    people = [make_annotator(collection) for _ in range(PEOPLE)]
    batch = make_batch(collection, people, n_topics=8, n_documents=n_documents, judgments_per_item=judgments_per_item)
    return batch, people


def test_thirty_two_people_and_a_server_killed_in_the_middle(server: Server) -> None:
    batch, people = race_batch(n_documents=10, judgments_per_item=5)
    clients = [Client(server, batch, person, seed) for seed, person in enumerate(people)]
    threads = [threading.Thread(target=client.judge_to_the_end) for client in clients]
    for thread in threads:
        thread.start()
    _wait_for(lambda: Judgment.objects.filter(batch=batch).count() >= 150)
    server.kill()
    before = Judgment.objects.filter(batch=batch).count()
    server.start()
    for thread in threads:
        thread.join()

    acknowledged = {token: grade for client in clients for token, grade in client.acknowledged.items()}
    assert broken_invariants(batch, acknowledged) == []
    assert 150 <= before < 400, "the server was killed in the middle"
    assert Judgment.objects.filter(batch=batch, surplus=False).count() == 8 * 10 * 5
    assert not Slot.objects.filter(batch=batch).exclude(state=Slot.State.JUDGED).exists()
    assert [said for client in clients for said in client.said] == []


def test_the_checker_catches_a_naive_variant(transactional_db: None) -> None:
    batch, people = race_batch(n_documents=1, judgments_per_item=2)
    item = Item.objects.filter(batch=batch).earliest("id")
    counted = threading.Barrier(4)

    def judge_naively(person: Annotator) -> None:
        """Count, then insert: between the two, others have counted as well."""
        n = Judgment.objects.filter(item=item).count()
        counted.wait(30)
        if n < batch.judgments_per_item:
            insert_without_slot(item, person)
        connection.close()

    threads = [threading.Thread(target=judge_naively, args=(person,)) for person in people[:4]]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    breaches = broken_invariants(batch, {"a form that was never stored": 3})
    assert f"item {item.pk}: 4 judgments in 2 slots" in breaches
    assert "form a form that was never stored: grade 3 was acknowledged, None is stored" in breaches


def insert_without_slot(item: Item, person: Annotator) -> None:
    moment = timezone.now()
    assignment = Assignment.objects.create(
        collection_id=item.collection_id, batch_id=item.batch_id, item=item, annotator=person,
        state=Assignment.State.SURPLUS, claimed_at=moment,
    )  # fmt: skip
    Judgment.objects.create(
        collection_id=item.collection_id, batch_id=item.batch_id, item=item, topic_id=item.topic_id,
        document_id=item.document_id, annotator=person, assignment=assignment, revision=1,
        token=f"naive-{person.pk}", criterion="relevance", scale_id=item.scale_id, grade=1, created_at=moment,
    )  # fmt: skip


def _wait_for(happened: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < deadline, "nothing happened"
        time.sleep(0.05)
