"""Pages on which there is nothing yet: the deed that each offers first stands there once."""

import re
from collections import Counter

import pytest
from django.test import Client
from django.urls import get_resolver, reverse

from tests.annotation.roles import make_people
from tests.annotation.worked_campaign import make_worked
from tests.factories import make_snapshot
from tests.unchanged.facts import routes

pytestmark = pytest.mark.django_db
FIRST = re.compile(r'<a class="button primary" href="([^"?]*)')


def offered(client: Client, address: str) -> Counter[str]:
    """How often each address is a deed of the page at this one; none where no page is."""
    answer = client.get(address)
    is_page = answer.status_code == 200 and answer.headers["Content-Type"].startswith("text/html")
    return Counter(FIRST.findall(answer.text)) if is_page else Counter()


def test_what_a_page_offers_first_stands_there_once() -> None:
    people = make_people()
    client = people.client("admin")
    of_a_collection = [path for name, path in routes(get_resolver().url_patterns) if name and path.count("<") == 1]
    addresses = [f"/{path.replace('<slug:slug>', 'bees')}" for path in of_a_collection if path.startswith("c/<slug:")]
    seen = {address: offered(client, address) for address in addresses}
    make_worked(people.collection)
    freezing = offered(client, reverse("snapshots", args=["bees"]))
    snapshot = make_snapshot(people.collection, "1 0 d1 1\n")
    seen |= {
        "to freeze": freezing,
        "to evaluate": offered(client, reverse("leaderboard", args=["bees"])),
        "to account for": offered(client, reverse("accounting", args=["bees", snapshot.pk])),
    }
    assert all(freezing and counts for counts in list(seen.values())[-3:])
    twice = {address: counts for address, counts in seen.items() if any(n > 1 for n in counts.values())}
    assert twice == {}
    assert sum(map(bool, seen.values())) > 10
