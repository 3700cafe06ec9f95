"""How pages look to one reader: chosen on a page and by API, and told to each page; times in the reader's zone."""

from datetime import UTC, datetime

import pytest
from django.test import Client

from annotation.models import Job, Role, User
from tests.annotation.callers import MEMBERS, statuses
from tests.annotation.roles import make_people
from tests.factories import make_collection, make_member, make_user

pytestmark = pytest.mark.django_db

CHOSEN = {"theme": "contrast", "text_size": "large", "table_rows": "compact", "time_zone": "Asia/Kolkata"}
API = "/api/v1/preferences"
JSON = "application/json"


def reader(person: User) -> Client:
    client = Client()
    client.force_login(person)
    return client


def root_of(page: str) -> str:
    return " ".join(page[page.index("<html") : page.index("<head")].split())


def test_who_may() -> None:
    assert statuses(make_people(), API) == MEMBERS


def test_each_page_is_told_what_its_reader_prefers() -> None:
    client, other = reader(make_user("ann")), reader(make_user("ben"))
    assert root_of(client.get("/preferences").content.decode()) == '<html lang="en" >'
    assert client.post("/preferences", CHOSEN).headers["Location"] == "/preferences"
    root = root_of(client.get("/").content.decode())
    assert root == '<html lang="en" data-theme="contrast" data-text="large" data-tables="compact" >'
    assert root_of(other.get("/").content.decode()) == '<html lang="en" >'
    assert 'content="light dark"' in client.get("/").content.decode()
    client.post("/preferences", {**CHOSEN, "theme": "dark"})
    assert 'content="dark"' in client.get("/").content.decode()


def test_the_api_reads_and_saves_the_same() -> None:
    client = reader(make_user())
    assert client.get(API).json() == {
        "theme": "system",
        "text_size": "normal",
        "table_rows": "roomy",
        "time_zone": "UTC",
    }
    assert client.put(API, CHOSEN, JSON).json() == CHOSEN
    assert client.get("/preferences").context["form"].initial == CHOSEN


@pytest.mark.parametrize(
    "wrong", [{"theme": "pink"}, {"time_zone": "Europe/Atlantis"}, {"time_zone": "../../etc/passwd"}, {"text_size": ""}]
)
def test_what_is_no_choice_is_refused_and_nothing_is_saved(wrong: dict[str, str]) -> None:
    person = make_user()
    client = reader(person)
    assert client.put(API, {**CHOSEN, **wrong}, JSON).status_code == 400
    assert client.post("/preferences", {**CHOSEN, **wrong}).context["form"].errors.keys() == wrong.keys()
    assert User.objects.get(pk=person.pk).theme == "system"


def times_of(client: Client, slug: str) -> tuple[bool, bool]:
    page = client.get(f"/c/{slug}/jobs/").content.decode()
    return "1 Mar 2026, 22:30" in page or "22:30" in page, "04:00" in page


def test_pages_show_times_in_the_zone_of_their_reader_and_the_api_in_utc() -> None:
    collection = make_collection()
    admin = make_member(collection, role=Role.ADMIN)
    job = Job.objects.create(collection=collection, kind="rescore_all", created_by=admin)
    Job.objects.filter(pk=job.pk).update(created_at=datetime(2026, 3, 1, 22, 30, tzinfo=UTC))
    client = reader(admin)
    assert times_of(client, collection.slug) == (True, False)
    client.put(API, CHOSEN, JSON)
    assert times_of(client, collection.slug) == (False, True)
    asked = client.get(f"/api/v1/jobs/{job.token}").json()
    assert asked["created_at"] == "2026-03-01T22:30:00Z"


def test_a_zone_that_this_machine_has_not_is_read_as_utc() -> None:
    collection = make_collection()
    admin = make_member(collection, role=Role.ADMIN)
    User.objects.filter(pk=admin.pk).update(time_zone="Europe/Atlantis")
    assert reader(admin).get(f"/c/{collection.slug}/jobs/").status_code == 200
