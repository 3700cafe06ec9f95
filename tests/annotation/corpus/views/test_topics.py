"""Topics, to browse."""

import pytest
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from annotation.models import Import, Topic, TopicVersion
from tests.annotation.roles import RESEARCH_ONLY, People, make_people
from tests.factories import make_topic

pytestmark = [pytest.mark.django_db, pytest.mark.both("text")]


@pytest.fixture
def people() -> People:
    return make_people()


def shown(people: People, address: str) -> str:
    return people.client("researcher").get(address).text


def test_topics_lists_numbers_and_titles(people: People) -> None:
    make_topic(people.collection, "A/7", title="bees & wasps")
    html = shown(people, reverse("topics", args=["bees"]))
    assert ("bees &amp; wasps" in html, 'href="/c/bees/topics/A/7"' in html, "1 topic<" in html) == (True, True, True)


def test_topics_finds_every_word(people: People) -> None:
    make_topic(people.collection, "1", title="bees", narrative="in winter")
    make_topic(people.collection, "2", title="bees")
    html = shown(people, reverse("topics", args=["bees"]) + "?q=WINTER+bees")
    assert ("/topics/1" in html, "/topics/2" in html) == (True, False)
    assert "No topic found" in shown(people, reverse("topics", args=["bees"]) + "?q=wasps")


def test_topics_without_any(people: People) -> None:
    assert "No topics yet" in shown(people, reverse("topics", args=["bees"]))


def test_topic_shows_its_texts_and_older_ones(people: People) -> None:
    topic = make_topic(people.collection, "1", title="bees", description="<i>eat</i>", narrative="One.\n\nTwo.")
    old = TopicVersion(collection=people.collection, topic=topic, sha256="1" * 64, title="Bees, once", is_current=False)
    old.save()
    html = shown(people, reverse("topic", args=["bees", "1"]))
    assert "<h1>bees</h1>" in html
    assert "<p>&lt;i&gt;eat&lt;/i&gt;</p>" in html
    assert "<p>One.</p><p>Two.</p>" in html
    assert "Bees, once" in html


def test_topic_of_an_import_under_way_is_not_there(people: People) -> None:
    topic = make_topic(people.collection, "1", title="bees")
    record = Import.objects.create(collection=people.collection, kind="topics", filename="f", sha256="0" * 64)
    Topic.objects.update(brought_by=record)
    assert people.client("admin").get(reverse("topic", args=["bees", topic.number])).status_code == 404
    assert "No topics yet" in shown(people, reverse("topics", args=["bees"]))


def test_topic_keeps_a_version_under_way_to_itself(people: People) -> None:
    topic = make_topic(people.collection, "1", title="bees")
    record = Import.objects.create(collection=people.collection, kind="topics", filename="f", sha256="0" * 64)
    TopicVersion.objects.create(
        collection=people.collection,
        topic=topic,
        sha256="1" * 64,
        title="wasps",
        is_current=False,
        brought_by=record,
    )
    html = shown(people, reverse("topic", args=["bees", "1"]))
    assert ("bees" in html, "wasps" in html, "Other versions" in html) == (True, False, False)


@pytest.mark.parametrize("n_topics", [1, 3])
def test_topics_costs_the_same_however_many(
    people: People, n_topics: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(n_topics):
        make_topic(people.collection)
    client = people.client("admin")
    with django_assert_num_queries(8):
        client.get(reverse("topics", args=["bees"]))


def test_who_may_browse_topics(people: People) -> None:
    make_topic(people.collection, "1")
    assert people.statuses(reverse("topics", args=["bees"])) == RESEARCH_ONLY
    assert people.statuses(reverse("topic", args=["bees", "1"])) == RESEARCH_ONLY
