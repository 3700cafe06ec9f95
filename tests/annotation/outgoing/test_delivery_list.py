"""What became of messages, as a list."""

import pytest

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
    found = client.get(PAGE, query)
    assert [int(each.row.cause) for each in found.context["rows"]] == expected
    lines = client.get(PAGE, {**query, "as": "csv"}).getvalue().decode().splitlines()
    assert lines[0] == "written,message,to,state,tries,answer"
    assert len(lines) == 1 + len(expected)
    assert "deliveries" in found.text
