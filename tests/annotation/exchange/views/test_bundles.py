"""The pages of bundles: who may, what is queued, what can be taken."""

import io
import zipfile
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries, Settings

from annotation.exchange.steps.bundles import start_export
from annotation.kernel.installation import adopt_installation
from annotation.models import AuditEvent, Import, Job, Snapshot
from tests.annotation.exchange.steps.import_work import work
from tests.annotation.formats.folder.test_opening import FILES, zipped
from tests.annotation.roles import ADMINS_ONLY, make_people
from tests.factories import make_collection, make_topic

pytestmark = pytest.mark.django_db


def test_bundle_is_packed_by_the_worker_and_taken_from_its_page() -> None:
    people = make_people()
    client, page = people.client("admin"), reverse("bundle", args=["bees"])
    assert client.post(page).status_code == 302
    client.post(page)
    job = Job.objects.get(kind="export_bundle")
    assert 'hx-trigger="every 1s"' in client.get(page).text
    assert work() == ["done"]
    address = reverse("bundle_file", args=["bees", job.token])
    html = client.get(page).text
    assert (address in html, "hx-trigger" in html) == (True, False)
    response = client.get(address)
    data = b"".join(response.streaming_content)  # type: ignore[attr-defined]
    assert zipfile.ZipFile(io.BytesIO(data)).testzip() is None
    assert response["Content-Disposition"] == 'attachment; filename="bees-bundle.zip"'
    assert AuditEvent.objects.filter(verb="bundle exported", actor=people.admin).count() == 1


def test_who_may_pack_and_take() -> None:
    people = make_people()
    assert people.statuses(reverse("bundle", args=["bees"])) == ADMINS_ONLY
    assert people.statuses(reverse("bundle", args=["bees"]), "post") == {**ADMINS_ONLY, "admin": 302}
    job = start_export(people.collection, created_by=people.admin)
    address = reverse("bundle_file", args=["bees", job.token])
    assert people.statuses(address) == {**ADMINS_ONLY, "admin": 404}
    work()
    assert people.statuses(address) == ADMINS_ONLY
    other = make_collection("wasps", admin=people.admin)
    assert people.client("admin").get(reverse("bundle_file", args=[other.slug, job.token])).status_code == 404


def test_a_bundle_is_not_gone_where_the_files_are_away(settings: Settings, tmp_path: Path) -> None:
    people = make_people()
    job = start_export(people.collection, created_by=people.admin)
    work()
    adopt_installation()
    client = Client(raise_request_exception=False)
    client.force_login(people.admin)
    addresses = [reverse(name, args=["bees", job.token]) for name in ("bundle_file", "api_bundle")]
    page = reverse("bundle", args=["bees"])
    settings.TOUCHSTONE_FILES = tmp_path
    assert [client.get(address).status_code for address in addresses] == [503, 503]
    assert [packing.is_away for packing in client.get(page).context["packings"]] == [True]
    assert "expired" not in client.get(page).text
    adopt_installation()
    assert [client.get(address).status_code for address in addresses] == [404, 404]
    assert [packing.is_away for packing in client.get(page).context["packings"]] == [False]
    assert "expired" in client.get(page).text


@pytest.mark.parametrize("n", [1, 3])
def test_bundle_queries(n: int, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    people = make_people()
    client = people.client("admin")
    for _ in range(n):
        start_export(people.collection, created_by=people.admin)
        work()
    client.get(reverse("bundle", args=["bees"]))
    with django_assert_num_queries(8):
        client.get(reverse("bundle", args=["bees"]))


def test_a_beir_folder_goes_in_by_the_pages_of_imports() -> None:
    people = make_people()
    client, page = people.client("admin"), reverse("import_new", args=["bees", "collection"])
    assert client.get(page).status_code == 200
    client.post(page, {"file": SimpleUploadedFile("beir.zip", zipped(FILES)), "on_conflict": "refuse"})
    work()
    record = Import.objects.get()
    html = client.get(reverse("import_detail", args=["bees", record.pk])).text
    assert (record.state, "Qrels test: pairs" in html, "Bees make honey." in html) == ("checked", True, True)
    client.post(reverse("import_publish", args=["bees", record.pk]))
    work()
    assert set(Snapshot.objects.values_list("name", flat=True)) == {"dev", "test"}
    assert people.statuses(page) == ADMINS_ONLY


def test_a_beir_folder_whose_texts_are_here_is_answered_anew() -> None:
    """There is one form of it: nothing to choose, and it is shown before it is stored, whatever a program sends."""
    people = make_people()
    make_topic(people.collection, "1")
    client, page = people.client("admin"), reverse("import_new", args=["bees", "collection"])
    html = client.get(page).text
    assert ('name="format"' in html, 'name="publish"' in html) == (False, False)
    client.post(page, {"file": SimpleUploadedFile("beir.zip", zipped(FILES)), "on_conflict": "refuse", "publish": "on"})
    work()
    record = Import.objects.get()
    html = client.get(reverse("import_detail", args=["bees", record.pk])).text
    assert (record.state, "Check again" in html, 'name="format"' in html) == ("refused", True, False)
    client.post(reverse("import_check", args=["bees", record.pk]), {"on_conflict": "skip", "name": "beir"})
    work()
    record.refresh_from_db()
    assert record.state == "checked"
    client.post(reverse("import_publish", args=["bees", record.pk]))
    work()
    assert set(Snapshot.objects.values_list("name", flat=True)) == {"beir dev", "beir test"}
