"""`Idempotency-Key`: a request that is sent again is done once, also while the first is under way."""

import threading
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.kernel.api_tokens import make_api_token
from annotation.kernel.kept_answers import sweep_kept_answers
from annotation.models import ApiToken, Import, KeptAnswer, Policy
from tests.annotation.callers import bearer, caller
from tests.annotation.refused_fields import problem_of
from tests.annotation.roles import make_people

C = "/api/v1/collections/bees"
POLICIES, IMPORTS = f"{C}/policies", f"{C}/imports"
STRICT = {"name": "strict", "parameters": {"min_gold": 3}}
JSON = "application/json"


def post(client: Client, key: str, body: dict[str, Any] = STRICT, address: str = POLICIES) -> Any:
    return client.post(address, body, JSON, headers={"Idempotency-Key": key})


@pytest.mark.django_db
def test_the_first_answer_comes_again() -> None:
    client = caller(make_people().admin)
    first, again = post(client, "one"), post(client, "one", dict(reversed(STRICT.items())))
    assert (first.status_code, again.status_code, first.json()) == (201, 201, again.json())
    assert (post(client, "two").status_code, Policy.objects.count(), KeptAnswer.objects.count()) == (200, 1, 2)


@pytest.mark.django_db
def test_a_key_is_of_one_request_and_one_person() -> None:
    people = make_people()
    client = caller(people.admin)
    assert post(client, "one").status_code == 201
    other = post(client, "one", {"name": "other", "parameters": {}})
    assert (problem_of(other)[0], other.json()["type"]) == (422, "/api/problems/reused-key")
    assert post(client, "one", {"name": "x"}, "/api/v1/tokens").status_code == 422
    assert post(caller(people.researcher), "one").status_code == 200


@pytest.mark.django_db
@pytest.mark.parametrize("key", ["", "x" * 201])
def test_a_key_has_a_length(key: str) -> None:
    assert problem_of(post(caller(make_people().admin), key))[0] == 400


@pytest.mark.django_db
def test_an_error_is_not_kept() -> None:
    client = caller(make_people().admin)
    assert post(client, "one", {"name": "strict"}).status_code == 400
    assert (post(client, "one").status_code, KeptAnswer.objects.count()) == (201, 1)


@pytest.mark.django_db
def test_a_form_is_the_same_by_its_fields_and_files() -> None:
    client = caller(make_people().admin)

    def send(data: bytes) -> Any:
        body = {"kind": "topics", "file": SimpleUploadedFile("a.tsv", data)}
        return client.post(IMPORTS, body, headers={"Idempotency-Key": "one"})

    first, again = send(b"1\tbees\n"), send(b"1\tbees\n")
    assert (first.status_code, again.json(), Import.objects.count()) == (202, first.json(), 1)
    assert send(b"2\tbees\n").status_code == 422


@pytest.mark.django_db
def test_a_secret_is_told_once_and_not_kept() -> None:
    client = caller(make_people().admin)
    secret = post(client, "one", {"name": "x"}, "/api/v1/tokens").json()["token"]
    again = post(client, "one", {"name": "x"}, "/api/v1/tokens")
    assert (problem_of(again)[0], ApiToken.objects.filter(name="x").count()) == (409, 1)
    assert secret not in str(list(KeptAnswer.objects.values()))


@pytest.mark.django_db
def test_answers_are_kept_for_a_day(monkeypatch: pytest.MonkeyPatch) -> None:
    client = caller(make_people().admin)
    post(client, "one"), post(client, "two")
    KeptAnswer.objects.filter(pk=KeptAnswer.objects.order_by("pk")[0].pk).update(
        created_at=timezone.now() - timedelta(hours=25)
    )
    assert post(client, "one", {"name": "other", "parameters": {}}).status_code == 201
    KeptAnswer.objects.update(created_at=timezone.now() - timedelta(hours=25))
    monkeypatch.setattr("annotation.kernel.clearing.PORTION", 1)
    with CaptureQueriesContext(connection) as seen:
        assert (sweep_kept_answers(), sweep_kept_answers()) == (2, 0)
    assert sum(query["sql"].startswith("DELETE") for query in seen) == 2


@pytest.mark.django_db(transaction=True)
def test_the_deed_and_the_answer_are_kept_both_or_neither(monkeypatch: pytest.MonkeyPatch) -> None:
    client = caller(make_people().admin)
    client.raise_request_exception = False

    def fail(*_args: object, **_options: object) -> None:
        raise RuntimeError("the plug is pulled")

    with monkeypatch.context() as broken:
        broken.setattr("annotation.kernel.api.idempotency._keep", fail)
        assert post(client, "one").status_code == 500
    assert (Policy.objects.count(), KeptAnswer.objects.count()) == (0, 0)
    assert post(client, "one").status_code == 201


@pytest.mark.django_db(transaction=True)
def test_requests_at_once_are_one() -> None:
    secret = make_api_token(make_people().admin, name="a program")
    answers: list[Any] = []
    barrier = threading.Barrier(4)

    def send() -> None:
        barrier.wait()
        try:
            answers.append(post(bearer(secret), "one"))
        finally:
            connection.close()

    threads = [threading.Thread(target=send) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert {answer.status_code for answer in answers} == {201}
    assert (len(answers), len({answer.content for answer in answers}), Policy.objects.count()) == (4, 1, 1)
