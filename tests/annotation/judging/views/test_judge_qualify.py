"""A qualification round as a browser without a script goes through it."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from annotation.models import (
    Annotator,
    Assignment,
    Batch,
    DocumentVersion,
    Judgment,
    Qualification,
    QualificationAnswer,
)
from tests.annotation.qualified import make_round
from tests.annotation.roles import People, make_people
from tests.factories import make_batch

pytestmark = pytest.mark.django_db


def asked(**settings: object) -> tuple[People, Batch, Qualification, Client]:
    people = make_people()
    qualification = make_round(people.collection, **settings)  # type: ignore[arg-type]
    batch = make_batch(people.collection, [Annotator.objects.get(user=people.annotator)], qualification=qualification)
    return people, batch, qualification, people.client("annotator")


def answer(client: Client, batch: Batch, grade: int) -> str:
    """Answer the pair that comes next; the page after it."""
    item = client.get(f"/judge/{batch.token}/qualify").context["item"]
    return client.post(f"/judge/{batch.token}/qualify/{item.token}", {"grade": str(grade)}, follow=True).text


def begin(client: Client, batch: Batch) -> str:
    return client.post(f"/judge/{batch.token}/qualify/begin", follow=True).text


def test_others_find_nothing() -> None:
    people, batch, qualification, client = asked()
    begin(client, batch)
    item = qualification.items.earliest("pk").token
    refused = {"admin": 404, "researcher": 404, "outsider": 404, "anonymous": 302}
    for page in ("qualify", f"qualify/{item}"):
        assert people.statuses(f"/judge/{batch.token}/{page}") == {
            **refused,
            "annotator": 200 if page == "qualify" else 302,
        }
    posts = {who: people.client(who).post(f"/judge/{batch.token}/qualify/{item}", {"grade": "1"}) for who in refused}
    assert {who: posted.status_code for who, posted in posts.items()} == refused
    assert not QualificationAnswer.objects.exists()


def test_a_batch_that_asks_for_no_round_has_none() -> None:
    _, batch, qualification, client = asked()
    Batch.objects.update(qualification=None)
    item = qualification.items.earliest("pk").token
    assert client.get(f"/judge/{batch.token}/qualify").status_code == 404
    assert client.post(f"/judge/{batch.token}/qualify/begin").status_code == 404
    assert client.post(f"/judge/{batch.token}/qualify/{item}", {"grade": "1"}).status_code == 404


@pytest.mark.parametrize(
    ("form", "text", "shown"),
    [
        ("text", "a\x07b \u202egpj.exe", "<p>a\ufffdb ↤gpj.exe</p>"),
        ("html", "<p>a\x07b \u202egpj.exe</p>", "<p>a\ufffdb ↤gpj.exe</p>"),
        ("text", "", "This document has no text."),
    ],
)
def test_odd_documents_are_shown_legibly(form: str, text: str, shown: str) -> None:
    _, batch, qualification, client = asked()
    begin(client, batch)
    for item in qualification.items.select_related("document_version"):
        DocumentVersion.objects.filter(pk=item.document_version_id).update(form=form, text=text)
    assert shown in client.get(f"/judge/{batch.token}/qualify").text


def test_through_the_round_to_the_first_card() -> None:
    _, batch, qualification, client = asked()
    page = client.get(f"/judge/{batch.token}/").text
    assert "3 of 3 have to be right." in page
    assert "You may try 2 times." in page
    assert client.get(f"/judge/{batch.token}/qualify")["Location"] == f"/judge/{batch.token}/"
    text = begin(client, batch)
    assert "Hint 1" in text
    assert "Text of lesson 1." in text
    assert "Narrative 1" in text
    assert "Because 1" not in text
    assert "0 of 3 pairs answered" in text
    text = answer(client, batch, 0)
    assert "Right: 0 Not relevant" in text
    assert "Because 1" in text
    assert "1 of 3 pairs answered" in text
    assert 'name="grade"' not in text
    text = answer(client, batch, 3)
    assert "Right here: 2 Fairly relevant and 3 Highly relevant." in text
    assert "You have answered 2 of 3 pairs." in client.get(f"/judge/{batch.token}/").text
    text = answer(client, batch, 4)
    assert "See how it went" in text
    result = client.get(f"/judge/{batch.token}/qualify")
    assert "You have passed" in result.text
    for item in qualification.items.select_related("topic_version", "document_version"):
        assert f">{item.document_version.title}</a>" in result.text
        assert f">{item.topic_version.title}</div>" in result.text
    assert [(each.accepted, each.n_right, each.n) for each in result.context["results"]] == [
        ([0], 1, 1),
        ([2, 3], 1, 1),
        ([4], 1, 1),
    ]
    assert "Start judging" in client.get(f"/judge/{batch.token}/").text
    client.post(f"/judge/{batch.token}/start")
    assert Assignment.objects.filter(state="leased").count() == 1
    assert Judgment.objects.count() == 0


def test_a_round_from_gold_reads_no_gold() -> None:
    """Nor what is planted: the round has all it needs."""
    _, batch, _, client = asked()
    with CaptureQueriesContext(connection) as seen:
        client.get(f"/judge/{batch.token}/")
        begin(client, batch)
        for grade in (0, 2, 4):
            answer(client, batch, grade)
        client.get(f"/judge/{batch.token}/qualify")
        client.post(f"/judge/{batch.token}/start")
    sql = " ".join(query["sql"].lower() for query in seen)
    assert "qualificationanswer" in sql
    assert [table for table in ("goldevent", "planting", "adjudication") if f"annotation_{table}" in sql] == []


def test_what_is_right_is_told_only_after_the_answer() -> None:
    _, batch, qualification, client = asked()
    assert "with its note" not in begin(client, batch), "the list of keys has those of a lesson alone"
    first, second, _ = qualification.items.order_by("position")
    unanswered = client.get(f"/judge/{batch.token}/qualify/{first.token}")
    assert unanswered["Location"] == f"/judge/{batch.token}/qualify"
    client.post(f"/judge/{batch.token}/qualify/{first.token}", {"grade": "1"})
    answered = client.get(f"/judge/{batch.token}/qualify/{first.token}")
    assert "You said 1 Marginally relevant; right is 0 Not relevant" in answered.text
    again = client.post(f"/judge/{batch.token}/qualify/{first.token}", {"grade": "0"}, follow=True)
    assert "You said 1 Marginally relevant; right is 0 Not relevant" in again.text
    page = client.get(f"/judge/{batch.token}/qualify").text
    assert "Because 2" not in page
    assert second.token in page


@pytest.mark.parametrize("grade", ["", "5", "-1", "x"])
def test_no_grade_is_no_answer(grade: str) -> None:
    _, batch, qualification, client = asked()
    begin(client, batch)
    item = qualification.items.earliest("position").token
    posted = client.post(f"/judge/{batch.token}/qualify/{item}", {"grade": grade})
    assert posted["Location"] == f"/judge/{batch.token}/qualify"
    assert not QualificationAnswer.objects.exists()


def test_who_fails_is_told_kindly_and_cannot_claim() -> None:
    people, batch, qualification, client = asked(most_attempts=2)
    for left in ("1 try left", "That was the last try."):
        begin(client, batch)
        for _ in range(3):
            answer(client, batch, 1)
        result = client.get(f"/judge/{batch.token}/qualify").text
        assert "Not yet" in result
        assert left in result
    page = client.get(f"/judge/{batch.token}/")
    assert "It says nothing against you" in page.text
    assert "Start training" not in page.text
    assert "Try again" not in page.text
    client.post(f"/judge/{batch.token}/start")
    begin(client, batch)
    assert not Assignment.objects.exists()
    assert qualification.attempts.count() == 2
    seen = people.client("admin").get(f"/c/bees/qualifications/{qualification.token}/").text
    assert "no try left" in seen


def test_a_round_that_is_not_open_says_so() -> None:
    _, batch, _, client = asked()
    Qualification.objects.update(state="closed")
    page = client.get(f"/judge/{batch.token}/").text
    assert "The round is not open at the moment." in page
    assert "Start training" not in page


def test_pages_take_as_many_queries_however_many_pairs_there_are() -> None:
    people = make_people()
    annotator = Annotator.objects.get(user=people.annotator)
    client = people.client("annotator")

    def queries(n: int) -> list[int]:
        qualification = make_round(people.collection, name=f"with {n}", accepted=[[1]] * n, prefix=f"{n}-")
        batch = make_batch(people.collection, [annotator], qualification=qualification)
        counts = [_count(client, f"/judge/{batch.token}/")]
        begin(client, batch)
        counts.append(_count(client, f"/judge/{batch.token}/qualify"))
        for _ in range(n):
            answer(client, batch, 1)
        return [*counts, _count(client, f"/judge/{batch.token}/qualify")]

    assert queries(1) == queries(3)


def _count(client: Client, address: str) -> int:
    with CaptureQueriesContext(connection) as seen:
        assert client.get(address).status_code == 200
    return len(seen)
