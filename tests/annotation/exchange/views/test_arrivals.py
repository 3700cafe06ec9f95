"""The pages by which whole collections come in: looked through, shown, published."""

import os
import time

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from annotation.exchange.steps.bundles.temporary_files import transit_path
from annotation.models import Collection, Import, Job, Membership, Topic
from tests.annotation.exchange.steps.bundle_work import bundle_of, make_full
from tests.annotation.exchange.steps.import_work import work
from tests.annotation.formats.folder.test_opening import FILES, zipped
from tests.annotation.roles import WHO, make_people
from tests.factories import make_collection, make_user

pytestmark = pytest.mark.django_db

NOBODY = {**dict.fromkeys(WHO, 403), "anonymous": 302}
BROKEN = {**FILES, "queries.jsonl": b'{"_id": "1", "text": "bees"}\n{"_id": "1", "text": "wasps"}\n{"_id": "2"}\n'}


def boss() -> Client:
    client = Client()
    client.force_login(make_user("boss", may_create_collections=True))
    return client


def send(client: Client, data: bytes, slug: str = "copy") -> str:
    """Send the form; the address of the page that tells of it."""
    entries = {"file": SimpleUploadedFile("bees.zip", data), "slug": slug}
    answer = client.post(reverse("collection_bring"), entries)
    assert answer.status_code == 302, answer.text
    check = Job.objects.filter(kind="check_bundle").latest("pk")
    assert answer["Location"] == reverse("arrival", args=[check.token])
    return answer["Location"]


def page(client: Client, address: str) -> str:
    return client.get(address).text


def publish(client: Client, address: str, slug: str = "copy") -> str:
    return client.post(f"{address}publish", {"slug": slug}, follow=True).text


def test_arrival_from_upload_to_the_collection() -> None:
    client = boss()
    address = send(client, zipped(FILES))
    html = page(client, address)
    assert ('hx-trigger="every 1s"' in html, "Waits for its turn" in html, ">Publish<" in html) == (True, True, False)
    assert work() == ["done"]
    html = page(client, address)
    assert ("hx-trigger" in html, ">Publish<" in html, 'value="copy"' in html) == (False, True, True)
    assert [each in html for each in ("Read as BEIR folder", "Bees make honey.", "Qrels test: pairs")] == [True] * 3
    assert (Collection.objects.count(), Topic.objects.count(), Import.objects.count()) == (0, 0, 0)
    html = publish(client, address)
    assert ("Storing" in html, ">Publish<" in html) == (True, False)
    publish(client, address)
    assert Job.objects.filter(kind="import_bundle").count() == 1
    assert work() == ["done"]
    assert reverse("collection", args=["copy"]) in page(client, address)
    assert list(Membership.objects.values_list("collection__slug", "user__username", "role")) == [
        ("copy", "boss", "admin")
    ]


def test_arrival_of_a_bundle_shows_counts_and_first_rows() -> None:
    collection = make_full().collection
    client = boss()
    address = send(client, bundle_of(collection))
    work()
    html = page(client, address)
    shown = ("Read as Touchstone bundle", "document_versions.jsonl", "runs.jsonl", "An old title", "Judgments")
    assert [each for each in shown if each not in html] == []
    assert Collection.objects.get() == collection
    publish(client, address, "another-name")
    work()
    assert client.get(reverse("collection", args=["another-name"])).status_code == 200


def test_arrival_says_what_is_wrong_by_file_and_line() -> None:
    client = boss()
    address = send(client, zipped(BROKEN))
    work()
    html = page(client, address)
    assert ("2 problems." in html, "Duplicates" in html, ">Publish<" in html) == (True, True, False)
    text = client.get(f"{address}problems.txt").text
    assert [line.rsplit(":", 1)[0] for line in text.splitlines()] == ["queries.jsonl:2", "queries.jsonl:3"]
    assert "not ready to be published: refused" in publish(client, address)
    assert (Job.objects.filter(kind="import_bundle").count(), Collection.objects.count()) == (0, 0)


def test_arrival_of_something_else() -> None:
    client = boss()
    address = send(client, zipped({"a.txt": b"a", "../b": b""}))
    assert work() == ["done"]
    assert "has a name that leads out of the archive" in page(client, address)


def test_a_short_name_that_is_taken_meanwhile_is_said_and_another_one_goes() -> None:
    client = boss()
    address = send(client, zipped(FILES))
    work()
    publish(client, address)
    make_collection("copy")
    assert work() == ["failed"]
    html = page(client, address)
    assert ("There is a collection copy already." in html, ">Publish<" in html) == (True, True)
    assert "“copy” is taken." in publish(client, address)
    publish(client, address, "copy-2")
    assert work() == ["done"]
    assert reverse("collection", args=["copy-2"]) in page(client, address)


def test_a_file_whose_day_is_over_is_to_be_sent_again() -> None:
    client = boss()
    address = send(client, zipped(FILES))
    work()
    path = transit_path(Job.objects.get().payload["sha256"])
    assert path is not None
    os.utime(path, (time.time() - 90_000,) * 2)
    send(client, zipped({"corpus.jsonl": FILES["corpus.jsonl"]}), "other")
    work()
    html = page(client, address)
    assert ("Upload it again" in html, ">Publish<" in html) == (True, False)
    assert "is gone. Please upload it again." in publish(client, address)


def test_arrival_can_be_cancelled() -> None:
    client = boss()
    address = send(client, zipped(FILES))
    client.post(reverse("job_cancel", args=[Job.objects.get().token]))
    assert work() == []
    assert "Cancelled. Nothing was stored." in page(client, address)


def test_arrival_can_be_discarded() -> None:
    client = boss()
    address = send(client, zipped(FILES))
    assert ">Discard<" not in page(client, address)
    assert "cannot be discarded: checking" in client.post(f"{address}discard", follow=True).text
    work()
    assert ">Discard<" in page(client, address)
    answer = client.post(f"{address}discard", follow=True)
    assert answer.redirect_chain == [(reverse("collection_bring"), 302)]
    html = answer.text
    assert ("bees.zip is discarded" in html, "Recent uploads" in html) == (True, False)
    assert (client.get(address).status_code, Job.objects.count()) == (404, 0)


def test_collection_bring_says_what_is_wrong_at_once() -> None:
    make_collection("bees")
    client = boss()
    answer = client.post(reverse("collection_bring"), {"file": SimpleUploadedFile("bees.zip", b""), "slug": "bees"})
    assert answer.status_code == 422
    assert {name: list(errors) for name, errors in answer.context["form"].errors.items()} == {
        "file": ["The submitted file is empty."],
        "slug": ["“bees” is taken."],
    }


def test_collection_bring_lists_what_was_uploaded_lately() -> None:
    client = boss()
    address = send(client, zipped(FILES))
    html = page(client, reverse("collection_bring"))
    assert ("Recent uploads" in html, f'href="{address}"' in html) == (True, True)
    other = Client()
    other.force_login(make_user("other", may_create_collections=True))
    assert "Recent uploads" not in page(other, reverse("collection_bring"))
    assert other.get(address).status_code == 404


def test_who_may_bring_a_collection() -> None:
    people = make_people()
    assert people.statuses(reverse("collection_bring")) == NOBODY
    assert people.statuses(reverse("collection_bring"), "post") == NOBODY
    people.admin.may_create_collections = True
    people.admin.save()
    assert people.statuses(reverse("collection_bring")) == {**NOBODY, "admin": 200}
    assert Job.objects.count() == 0


def test_who_may_see_and_publish_an_arrival() -> None:
    people = make_people()
    people.admin.may_create_collections = True
    people.admin.save()
    address = send(people.client("admin"), zipped(FILES))
    work()
    mine = {**dict.fromkeys(WHO, 404), "anonymous": 302}
    assert people.statuses(address) == {**mine, "admin": 200}
    assert people.statuses(f"{address}problems.txt") == {**mine, "admin": 200}
    assert people.statuses(f"{address}publish", "post") == {**mine, "admin": 302}
    people.admin.may_create_collections = False
    people.admin.save()
    assert people.statuses(f"{address}publish", "post") == {**mine, "admin": 403}
    assert people.statuses(f"{address}discard", "post") == {**mine, "admin": 302}


@pytest.mark.parametrize("n", [1, 3])
def test_collection_bring_queries(n: int, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    client = boss()
    for i in range(n):
        address = send(client, zipped(FILES), f"copy-{i}")
        work()
        publish(client, address, f"copy-{i}")
        work()
    client.get(reverse("collection_bring"))
    with django_assert_num_queries(5):
        client.get(reverse("collection_bring"))
