"""Whole collections by program."""

import io
import zipfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from annotation.models import Collection, Job, Membership
from tests.annotation.api.callers import RESEARCH, caller, callers, statuses
from tests.annotation.formats.folder.test_opening import FILES, zipped
from tests.annotation.views.people import WHO, make_people
from tests.annotation.workflow.import_work import work
from tests.factories import make_user

pytestmark = pytest.mark.django_db

ADMINS = {**RESEARCH, "researcher": 403}


def test_out_and_in() -> None:
    people = make_people()
    client = caller(people.admin)
    answer = client.post(reverse("api_bundles", args=["bees"]))
    assert answer.status_code == 202
    assert client.get(answer.json()["file_url"]).status_code == 404
    assert work() == ["done"]
    assert client.get(answer.json()["job_url"]).json()["state"] == "done"
    response = client.get(answer.json()["file_url"])
    data = b"".join(response.streaming_content)  # type: ignore[attr-defined]
    assert zipfile.ZipFile(io.BytesIO(data)).testzip() is None

    boss = caller(make_user("boss", may_create_collections=True))
    given = {"file": SimpleUploadedFile("bees.zip", zipped(FILES)), "slug": "copy"}
    answer = boss.post(reverse("api_collection_bring"), given)
    assert answer.status_code == 202
    assert boss.get(answer.json()["collection_url"]).status_code == 404
    assert work() == ["done"]
    assert boss.get(answer.json()["collection_url"]).json()["counts"]["topics"] == 1
    assert list(Membership.objects.filter(collection__slug="copy").values_list("user__username")) == [("boss",)]


def test_who_may() -> None:
    people = make_people()
    assert statuses(people, reverse("api_bundles", args=["bees"]), "post") == {**ADMINS, "admin": 202}
    work()
    job = Job.objects.get()
    assert statuses(people, reverse("api_bundle", args=["bees", job.token])) == ADMINS
    nobody = {**dict.fromkeys(WHO, 403), "anonymous": 401}
    assert statuses(people, reverse("api_collection_bring"), "post") == nobody


def test_what_is_wrong_is_said() -> None:
    people = make_people()
    boss = caller(make_user("boss", may_create_collections=True))
    answer = boss.post(reverse("api_collection_bring"), {"slug": "bees"})
    assert (answer.status_code, answer.json()) == (
        400,
        {"file": ["No file was submitted."], "slug": ["There is a collection bees already."]},
    )
    given = {"file": SimpleUploadedFile("bees.zip", b"no zip"), "slug": "copy"}
    answer = boss.post(reverse("api_collection_bring"), given)
    assert work() == ["failed"]
    assert boss.get(answer.json()["job_url"]).json()["error"] == (
        "bees.zip: this is no zip archive, or it is cut short"
    )
    assert Collection.objects.filter(slug="copy").count() == 0
    assert callers(people)["outsider"].get(answer.json()["job_url"]).status_code == 404
