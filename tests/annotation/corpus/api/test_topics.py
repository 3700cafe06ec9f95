import pytest
from django.urls import reverse

from annotation.models import Import, Topic
from tests.annotation.callers import RESEARCH, caller, statuses
from tests.annotation.counting import queries_of
from tests.annotation.refused_fields import refused_fields
from tests.annotation.roles import People, make_people
from tests.factories import make_collection, make_topic, make_user

pytestmark = pytest.mark.django_db

ADDRESS = reverse("api_topics", args=["bees"])


@pytest.fixture
def people() -> People:
    return make_people()


def numbers(people: People, **query: str) -> list[str]:
    return [row["number"] for row in caller(people.researcher).get(ADDRESS, query).json()["results"]]


def test_who_may(people: People) -> None:
    assert statuses(people, ADDRESS) == RESEARCH


def test_topics_come_in_order_with_their_texts(people: People) -> None:
    make_topic(people.collection, "7", title="honey", description="What is honey?", narrative="Any kind.")
    make_topic(people.collection, "3", title="wax")
    make_topic(make_collection(), "9")
    rows = caller(people.researcher).get(ADDRESS).json()["results"]
    assert [row["number"] for row in rows] == ["7", "3"]
    assert rows[0] == {"number": "7", "title": "honey", "description": "What is honey?", "narrative": "Any kind."}


def test_topics_of_an_import_under_way_are_not_there(people: People) -> None:
    make_topic(people.collection, "1")
    record = Import.objects.create(collection=people.collection, kind="topics", filename="t", sha256="0" * 64)
    Topic.objects.update(brought_by=record)
    assert numbers(people) == []


def test_search_is_that_of_the_page(people: People) -> None:
    make_topic(people.collection, "1", title="honey and wax")
    make_topic(people.collection, "2", title="wax")
    assert (numbers(people, q="wax"), numbers(people, q="wax honey")) == (["1", "2"], ["1"])


@pytest.mark.parametrize("query", [{"q": ""}, {"q": "\0"}, {"q": "x" * 201}])
def test_a_search_that_is_none_is_an_error_not_everything(people: People, query: dict[str, str]) -> None:
    answer = caller(people.researcher).get(ADDRESS, query)
    assert (answer.status_code, refused_fields(answer)) == (400, {"q"})


def test_pages_have_limits_and_neighbours(people: People) -> None:
    for number in range(5):
        make_topic(people.collection, str(number))
    client = caller(people.researcher)
    answer = client.get(ADDRESS, {"page": 2, "page_size": 2}).json()
    assert (answer["count"], [row["number"] for row in answer["results"]]) == (5, ["2", "3"])
    assert client.get(answer["next"]).json()["next"] is None
    assert [row["number"] for row in client.get(answer["previous"]).json()["results"]] == ["0", "1"]
    assert client.get(ADDRESS, {"page": 4, "page_size": 2}).json()["detail"] == "Invalid page."
    assert client.get(ADDRESS, {"page": "x"}).status_code == 404
    assert len(client.get(ADDRESS, {"page_size": 10**9}).json()["results"]) == 5


def test_the_number_of_queries_does_not_grow() -> None:
    counts = []
    for n in (1, 3):
        person = make_user()
        collection = make_collection(admin=person)
        for _ in range(n):
            make_topic(collection)
        counts.append(queries_of(caller(person), reverse("api_topics", args=[collection.slug]), n))
    assert counts[0] == counts[1]
