"""Bundles packed and taken by program."""

import io
import zipfile

import pytest
from django.urls import reverse

from annotation.models import Job
from tests.annotation.api.callers import RESEARCH, caller, statuses
from tests.annotation.views.people import make_people
from tests.annotation.workflow.import_work import work

pytestmark = pytest.mark.django_db

ADMINS = {**RESEARCH, "researcher": 403}


def test_out() -> None:
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


def test_who_may() -> None:
    people = make_people()
    assert statuses(people, reverse("api_bundles", args=["bees"]), "post") == {**ADMINS, "admin": 202}
    work()
    job = Job.objects.get()
    assert statuses(people, reverse("api_bundle", args=["bees", job.token])) == ADMINS
