import pytest
from django.urls import reverse

from annotation.models import DEFAULT_GRADES, Role
from tests.annotation.callers import MEMBERS, RESEARCH, caller, statuses
from tests.annotation.counting import queries_of
from tests.annotation.roles import People, make_people
from tests.factories import make_collection, make_document, make_member, make_topic, make_user

pytestmark = pytest.mark.django_db

ADDRESS = reverse("api_collections")


@pytest.fixture
def people() -> People:
    return make_people()


def test_who_may(people: People) -> None:
    assert statuses(people, ADDRESS) == MEMBERS
    assert statuses(people, reverse("api_collection", args=["bees"])) == RESEARCH
    assert statuses(people, reverse("api_collection", args=["wasps"]))["admin"] == 404


def test_everybody_sees_their_own_collections_only(people: People) -> None:
    seen = {
        who: [(row["slug"], row["roles"]) for row in caller(getattr(people, who)).get(ADDRESS).json()["results"]]
        for who in ("admin", "researcher", "annotator")
    }
    assert seen == {
        "admin": [("bees", ["admin"])],
        "researcher": [("bees", ["researcher"])],
        "annotator": [("bees", ["annotator"])],
    }
    assert [row["roles"] for row in caller(people.outsider).get(ADDRESS).json()["results"]] == [["admin"]]


def test_a_person_with_two_roles_has_one_row(people: People) -> None:
    make_member(people.collection, people.admin, Role.ANNOTATOR)
    answer = caller(people.admin).get(ADDRESS).json()
    assert (answer["count"], answer["results"][0]["roles"]) == (1, ["admin", "annotator"])


def test_what_a_collection_says(people: People) -> None:
    make_topic(people.collection), make_document(people.collection), make_document(people.collection)
    answer = caller(people.researcher).get(reverse("api_collection", args=["bees"])).json()
    assert answer.pop("created_at").endswith("Z")
    assert answer == {
        "slug": "bees",
        "name": "A collection",
        "description": "",
        "language": "",
        "roles": ["researcher"],
        "grades": DEFAULT_GRADES,
        "counts": {
            "topics": 1,
            "documents": 2,
            "annotators": 1,
            "pools": 0,
            "batches": 0,
            "judgments": 0,
            "snapshots": 0,
        },
    }


def test_the_number_of_queries_does_not_grow() -> None:
    counts = []
    for n in (1, 3):
        person = make_user()
        for _ in range(n):
            make_collection(admin=person)
        counts.append(queries_of(caller(person), ADDRESS, n))
    assert counts[0] == counts[1]
