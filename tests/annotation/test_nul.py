"""A NUL in an address is no address, whatever the database thinks of it."""

import pytest
from django.test import Client

from tests.factories import make_collection, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.both("text")]


@pytest.mark.parametrize(
    "path",
    [
        "/c/bees/topics/%00",
        "/c/bees/documents/a%00b",
        "/c/bees/documents/?q=%00",
        "/c/bees/runs/tagged/%00",
        "/c/bees/audit/?verb=%00",
        "/c/bees/leaderboard/?snapshot=%00",
        "/jobs/%00/",
        "/judge/%00/",
        "/sign-in/%00",
    ],
)
def test_a_nul_in_an_address_leads_nowhere(path: str) -> None:
    admin = make_user()
    make_collection("bees", admin=admin)
    client = Client()
    client.force_login(admin)
    answer = client.get(path)
    assert (answer.status_code, "default-src 'none'" in answer.headers["Content-Security-Policy"]) == (404, True)
