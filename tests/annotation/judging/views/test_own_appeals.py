"""Objecting on the page of one's own results: one's own, once, with a reason, and where something was told."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.models import Appeal, Feedback, Judgment
from tests.annotation.judging.views.test_own_work import client_of, results, tell, working
from tests.factories import make_annotator

pytestmark = pytest.mark.django_db


def page_of(batch: Any, grade: int) -> str:
    return f"{results(batch)}{Judgment.objects.get(batch=batch, grade=grade).token}"


def answer(appeal: Appeal, state: str = "declined") -> None:
    Appeal.objects.filter(pk=appeal.pk).update(
        state=state, answer="Read the <second> line.", answered_at=timezone.now()
    )


def test_somebody_objects_and_reads_the_answer() -> None:
    batch, _, client = working(0)
    tell(batch, 3)
    page = page_of(batch, 0)
    assert "Do you see it otherwise?" in client.get(page).text
    reply = client.post(f"{page}/object", {"reason": "It names <no> bird."}, follow=True)
    assert reply.redirect_chain == [(page, 302)]
    assert "It names &lt;no&gt; bird." in reply.text
    assert "waits for an answer" in reply.text
    assert "Why you see it otherwise" not in reply.text
    assert "objection waits" in client.get(results(batch)).text
    client.post(f"{results(batch)}read")
    assert client.get("/").context["answers"] == []
    answer(Appeal.objects.get())
    assert client.get("/").context["answers"] == [(batch, 1)]
    assert "1 answer to your objections" in client.get("/").text
    assert client.get(results(batch)).context["results"].n_new == 1
    text = client.get(page).text
    assert "Read the &lt;second&gt; line." in text
    assert "it stays as it is" in text
    client.post(f"{results(batch)}read")
    assert client.get("/").context["answers"] == []


def test_a_reason_is_needed() -> None:
    batch, _, client = working(0)
    tell(batch, 3)
    refused = client.post(f"{page_of(batch, 0)}/object", {"reason": " "})
    assert refused.status_code == 422
    assert "This field is required." in refused.text
    assert not Appeal.objects.exists()


def test_where_there_is_nothing_to_object_to_there_is_no_form() -> None:
    """Right answers, withdrawn grades, and a grade about which one was answered."""
    batch, _, client = working(3, 2)
    tell(batch, 3)
    Feedback.objects.filter(assignment__judgments__grade=2).update(accepted=[])
    for grade in (3, 2):
        page = page_of(batch, grade)
        assert "Do you see it otherwise?" not in client.get(page).text
        assert "nothing to object to" in client.post(f"{page}/object", {"reason": "Yet."}, follow=True).text
    Feedback.objects.filter(assignment__judgments__grade=2).update(accepted=[4], grade=4)
    client.post(f"{page_of(batch, 2)}/object", {"reason": "No."})
    answer(Appeal.objects.get())
    assert "nothing to object to" in client.post(f"{page_of(batch, 2)}/object", {"reason": "Yet."}, follow=True).text
    assert Appeal.objects.count() == 1


def test_nobody_objects_before_something_was_told_or_for_somebody_else() -> None:
    batch, _, client = working(0)
    page = page_of(batch, 0)
    assert client.post(f"{page}/object", {"reason": "No."}).status_code == 404
    tell(batch, 3)
    colleague = client_of(make_annotator(batch.collection).user)
    assert colleague.post(f"{page}/object", {"reason": "No."}).status_code == 404
    assert Client().post(f"{page}/object", {"reason": "No."}).status_code == 302
    assert client.get(f"{page}/object").status_code == 405
    assert not Appeal.objects.exists()


def test_what_is_known_of_pairs_is_not_read_on_the_way() -> None:
    batch, _, client = working(0)
    tell(batch, 3)
    page = page_of(batch, 0)
    with CaptureQueriesContext(connection) as seen:
        client.post(f"{page}/object", {"reason": "No."}, follow=True)
        client.get(results(batch))
        client.get("/")
    assert Appeal.objects.count() == 1
    assert not [each["sql"] for each in seen if "goldevent" in each["sql"] or "planting" in each["sql"]]
