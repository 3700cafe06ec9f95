"""The pages of pools: who sees them, and what comes of a file."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Pool, PoolPair
from tests.annotation.campaign import make_campaign
from tests.annotation.roles import RESEARCH_ONLY, make_people
from tests.factories import make_document, make_topic, make_topics

pytestmark = pytest.mark.django_db


def pairs_file(text: str) -> SimpleUploadedFile:
    return SimpleUploadedFile("pairs.txt", text.encode())


def test_who_sees_pools() -> None:
    people = make_people()
    pool = make_campaign(people.collection, n_topics=1).pool
    for address in ("/c/bees/pools/", f"/c/bees/pools/{pool.pk}/", "/c/bees/pools/file"):
        assert people.statuses(address) == RESEARCH_ONLY


def test_a_pool_of_another_collection_is_not_found() -> None:
    people = make_people()
    other = make_campaign(n_topics=1).pool
    assert people.client("admin").get(f"/c/bees/pools/{other.pk}/").status_code == 404


def test_the_list_and_the_page_say_what_is_in_a_pool() -> None:
    people = make_people()
    campaign = make_campaign(people.collection, n_topics=2, n_pairs=5)
    campaign.draft()
    client = people.client("researcher")
    (listed,) = client.get("/c/bees/pools/").context["page_obj"]
    assert (listed.name, listed.n_pairs, listed.n_batches) == ("pool", 10, 1)
    topics = client.get(f"/c/bees/pools/{campaign.pool.pk}/").context["page_obj"]
    assert [(topic.number, topic.title, topic.n_pairs) for topic in topics] == [
        ("T1", "Topic 1", 5),
        ("T2", "Topic 2", 5),
    ]


def test_thousands_of_topics_come_in_pages() -> None:
    people = make_people()
    pool = Pool.objects.create(collection=people.collection, name="wide", n_pairs=3000)
    topics = make_topics(people.collection, [f"T{n}" for n in range(3000)], title="long " * 30)
    document = make_document(people.collection)
    PoolPair.objects.bulk_create(PoolPair(pool=pool, topic=topic, document=document, rank=1) for topic in topics)
    client, address = people.client("researcher"), f"/c/bees/pools/{pool.pk}/"
    for page, first in ((1, "T0"), (6, "T2500")):
        html = client.get(f"{address}?page={page}").text
        assert (len(html.encode()) < 1_000_000, f">{first}<" in html, "of 3,000" in html) == (True, True, True)


def test_a_file_becomes_a_pool() -> None:
    people = make_people()
    make_campaign(people.collection, n_topics=1)
    answer = people.client("researcher").post(
        "/c/bees/pools/file", {"name": "mine", "file": pairs_file("T1 D1-01\nT1 D1-00\n")}
    )
    pool = Pool.objects.get(name="mine")
    assert answer.headers["Location"] == f"/c/bees/pools/{pool.pk}/"
    assert (pool.n_pairs, pool.created_by) == (2, people.researcher)


def test_faults_are_shown_by_line_and_nothing_is_stored() -> None:
    people = make_people()
    make_campaign(people.collection, n_topics=1)
    answer = people.client("admin").post(
        "/c/bees/pools/file", {"name": "mine", "file": pairs_file("T1 D1-01\nT9 D1-00\n")}
    )
    assert answer.status_code == 422
    assert [(p.file, p.line, p.reason) for p in answer.context["problems"]] == [
        ("pairs.txt", 2, "the collection has no topic T9")
    ]
    assert "the collection has no topic T9" in answer.text
    assert Pool.objects.count() == 1


def test_of_many_faults_the_first_are_shown_and_all_are_counted() -> None:
    people = make_people()
    make_campaign(people.collection, n_topics=1)
    lines = "".join(f"T9 D1-{n:02}\n" for n in range(21))
    answer = people.client("admin").post("/c/bees/pools/file", {"name": "mine", "file": pairs_file(lines)})
    faults = answer.context["n_problems"]
    assert (answer.status_code, len(answer.context["problems"]), faults > 20) == (422, 20, True)
    assert f"{faults} problems; the first 20 are listed." in answer.text


def test_a_taken_name_and_a_missing_file_are_said_at_their_fields() -> None:
    people = make_people()
    make_campaign(people.collection, n_topics=1)
    answer = people.client("admin").post("/c/bees/pools/file", {"name": "pool"})
    assert answer.status_code == 422
    assert answer.context["form"].errors == {
        "name": ["The collection already has a pool of this name."],
        "file": ["This field is required."],
    }


def test_only_admins_delete_and_only_unused_pools() -> None:
    people = make_people()
    campaign = make_campaign(people.collection, n_topics=1)
    address = f"/c/bees/pools/{campaign.pool.pk}/delete"
    batch = campaign.draft()
    statuses = people.statuses(address, "post")
    assert statuses == {"admin": 302, "researcher": 403, "annotator": 403, "outsider": 404, "anonymous": 302}
    assert Pool.objects.filter(pk=campaign.pool.pk).exists()
    assert people.client("admin").get(address).status_code == 405
    batch.participations.all().delete()
    batch.delete()
    assert people.client("admin").post(address).headers["Location"] == "/c/bees/pools/"
    assert not Pool.objects.filter(pk=campaign.pool.pk).exists()


@pytest.mark.parametrize("page", ["", "{pk}/"])
def test_the_number_of_queries_does_not_grow(page: str) -> None:
    people = make_people()
    small = make_campaign(people.collection, n_topics=1)
    client = people.client("admin")

    def queries(pool: Pool) -> int:
        with CaptureQueriesContext(connection) as seen:
            assert client.get("/c/bees/pools/" + page.format(pk=pool.pk)).status_code == 200
        return len(seen)

    one = queries(small.pool)
    large = Pool.objects.create(collection=people.collection, name="large", created_by=people.admin)
    Pool.objects.create(collection=people.collection, name="third", created_by=people.researcher)
    document = small.documents[0][0]
    for k in range(3):
        large.pairs.create(topic=make_topic(people.collection), document=document, rank=k)
    assert queries(large) == one
