"""What became of messages, as a list."""

import pytest
from django.utils import timezone

from annotation.models import Delivery, Recipient
from tests.annotation.roles import make_people

pytestmark = [pytest.mark.django_db, pytest.mark.both("text")]
PAGE = "/c/bees/outgoing/"
SAID = (("sent", "Alert of nightly", "Answered 200."), ("failed", "A test", "Answered 500."), ("sent", "A test", ""))


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({}, [2, 1, 0]),
        ({"state": "failed"}, [1]),
        ({"state": "lost"}, []),
        ({"q": "NIGHTLY hooks"}, [0]),
        ({"q": "500"}, [1]),
        ({"sort": "-tries"}, [2, 1, 0]),
        ({"sort": "tries"}, [0, 1, 2]),
    ],
)
def test_messages_are_looked_for_and_sorted(query: dict[str, str], expected: list[int]) -> None:
    people = make_people()
    recipient = Recipient.objects.create(
        collection=people.collection, kind="webhook", address="https://hooks.example.org/bees"
    )
    for n, (state, subject, answer) in enumerate(SAID):
        Delivery.objects.create(
            recipient=recipient, cause=str(n), subject=subject, body="", state=state, n_tries=n + 1, answer=answer
        )
    client = people.client("admin")
    response = client.get(PAGE, query)
    assert [int(each.row.cause) for each in response.context["rows"]] == expected
    lines = client.get(PAGE, {**query, "as": "csv"}).getvalue().decode().splitlines()
    assert lines[0] == "written,message,to,state,tries,answer"
    assert len(lines) == 1 + len(expected)
    assert "deliveries" in response.text


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({}, ["b", "c", "a"]),
        ({"to-kind": "mail"}, ["c"]),
        ({"to-ended": "True"}, ["a"]),
        ({"to-ended": "True", "to-kind": "mail"}, []),
        ({"to-q": "B.example"}, ["b"]),
        ({"to-sort": "address"}, ["c", "a", "b"]),
        ({"q": "B.example", "state": "failed", "sort": "-tries"}, ["b", "c", "a"]),  # of the other list
    ],
)
def test_recipients_are_a_list_beside_that_of_messages(query: dict[str, str], expected: list[str]) -> None:
    people = make_people()
    now = timezone.now()
    for name, kind, ended in (("a", "webhook", now), ("b", "webhook", None), ("c", "mail", None)):
        address = f"{name}@example.org" if kind == "mail" else f"https://{name}.example.org"
        Recipient.objects.create(collection=people.collection, kind=kind, address=address, ended_at=ended)
    Delivery.objects.create(recipient=Recipient.objects.all()[0], cause="1", subject="A test", body="", state="sent")
    client = people.client("admin")
    page = client.get(PAGE, query)
    named = [each.row.address.removeprefix("https://")[0] for each in page.context["recipients"].rows]
    assert named == expected
    lines = client.get(PAGE, {**query, "to-as": "csv"}).getvalue().decode().splitlines()
    assert (lines[0], len(lines)) == ("address,kind,hears,by,since,ended", 1 + len(expected))


def test_what_is_chosen_of_one_list_goes_along_with_the_other() -> None:
    people = make_people()
    Recipient.objects.create(collection=people.collection, kind="mail", address="c@example.org")
    Delivery.objects.create(recipient=Recipient.objects.get(), cause="1", subject="A test", body="", state="sent")
    page = people.client("admin").get(PAGE, {"q": "test", "sort": "-tries", "to-q": "example", "to-page": "1"})
    assert page.context["recipients"].whole == "?q=test&sort=-tries&to-page=1#recipients"
    assert page.context["listed"].whole == "?to-q=example&page=1#deliveries"
    assert 'name="to-q" value="example"' in page.text.replace("\n", "")
    assert "to-sort=address" in page.text
