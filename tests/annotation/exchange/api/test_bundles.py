"""Bundles packed and taken by program."""

import io
import zipfile

import pytest
from django.http import Http404
from django.test import RequestFactory
from django.urls import reverse
from rest_framework.views import APIView

from annotation.exchange.steps.bundles import start_export
from annotation.exchange.steps.bundles.temporary_files import open_transit_file, transit_path
from annotation.kernel.api.page import stored_file
from annotation.models import Job
from tests.annotation.callers import RESEARCH, caller, statuses
from tests.annotation.exchange.steps.import_work import work
from tests.annotation.roles import make_people

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


def test_a_bundle_that_was_just_cleared_away_is_not_there() -> None:
    people = make_people()
    job = start_export(people.collection, created_by=people.admin)
    work()
    job.refresh_from_db()
    path = transit_path(job.result["sha256"])
    assert path is not None
    path.unlink()
    addresses = [reverse(name, args=["bees", job.token]) for name in ("api_bundle", "bundle_file")]
    assert caller(people.admin).get(addresses[0]).status_code == 404
    assert people.client("admin").get(addresses[1]).status_code == 404
    with pytest.raises(Http404):  # between the look and the opening
        stored_file(APIView().initialize_request(RequestFactory().get("/")), path, content_type="a/b", filename="a")
    assert open_transit_file(job.result["sha256"]) is None
