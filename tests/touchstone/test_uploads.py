"""Files on their way from a request into the store: whole or not at all, and no further than the limit."""

import io
import os
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.handlers.wsgi import WSGIHandler
from django.core.management import call_command
from django.test import Client, RequestFactory
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart
from django.urls import reverse
from pytest_django import Settings

from annotation.formats.store import INCOMING
from annotation.kernel.api_tokens import make_api_token
from annotation.kernel.installation import join_installation
from annotation.kernel.store import path_of
from annotation.models import Import
from tests.annotation.roles import People, make_people
from touchstone.uploads import Expected, IntoTheStore, whole_bodies

pytestmark = [pytest.mark.django_db, pytest.mark.both("sql")]

FIELDS = {"on_conflict": "refuse"}


@pytest.fixture
def people() -> People:
    return make_people()


def kept() -> list[Path]:
    """Every file in the store, settled or on its way."""
    return [file for file in django_settings.TOUCHSTONE_FILES.rglob("*") if file.is_file()]


def send(people: People, data: bytes) -> tuple[int, str]:
    file = SimpleUploadedFile("t.tsv", data)
    answer = people.client("admin").post(reverse("import_new", args=["bees", "topics"]), {"file": file, **FIELDS})
    return answer.status_code, answer.content.decode()


def test_a_file_that_is_sent_lies_under_its_hash_and_nothing_else_does(people: People) -> None:
    assert send(people, b"1\tbees\n")[0] == 302
    place = path_of(Import.objects.get().sha256)
    assert kept() == [place]
    assert place.read_bytes() == b"1\tbees\n"


def test_a_file_over_the_limit_is_named_and_leaves_nothing(people: People, settings: Settings) -> None:
    settings.TOUCHSTONE_UPLOAD_LIMIT = 1 << 20
    status, html = send(people, b"1\tbees\n" * 300_000)
    assert (status, "t.tsv is larger than 1.0\xa0MB, the limit of this installation." in html) == (422, True)
    assert (kept(), Import.objects.count()) == ([], 0)


def test_past_the_limit_nothing_is_on_the_disk_though_more_comes(settings: Settings) -> None:
    settings.TOUCHSTONE_UPLOAD_LIMIT = 100
    receiving = IntoTheStore()
    receiving.new_file("file", "t.tsv", "text/plain", None)
    receiving.receive_data_chunk(b"x" * 100, 0)
    assert [file.stat().st_size for file in kept()] == [100]
    receiving.receive_data_chunk(b"x", 100)
    assert kept() == []
    receiving.receive_data_chunk(b"x" * 100, 101)
    assert (kept(), receiving.file_complete(201).size) == ([], 201)


def test_a_file_at_the_limit_goes_in(people: People, settings: Settings) -> None:
    settings.TOUCHSTONE_UPLOAD_LIMIT = 7
    assert send(people, b"1\tbees\n")[0] == 302
    assert send(people, b"1\tbees\n\n")[0] == 422


def test_a_form_that_is_refused_leaves_no_file(people: People) -> None:
    file = SimpleUploadedFile("t.tsv", b"1\tbees\n")
    answer = people.client("admin").post(reverse("import_new", args=["bees", "topics"]), {"file": file})
    assert (answer.status_code, kept()) == (422, [])


# --- many files at once ---


def several(n: int, size: int) -> list[SimpleUploadedFile]:
    return [SimpleUploadedFile(f"run{i}.txt", b"x" * size) for i in range(n)]


@pytest.mark.parametrize(("n", "status"), [(1, 422), (3, 413)])
def test_all_files_of_a_request_together_are_no_larger_than_one(
    people: People, settings: Settings, n: int, status: int
) -> None:
    settings.TOUCHSTONE_UPLOAD_LIMIT, settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1000, 2000
    sent = {"file": several(n, 1001)}
    answer = people.client("admin").post(reverse("runs_new", args=["bees"]), sent)
    assert (answer.status_code, kept(), Import.objects.count()) == (status, [], 0)
    message = "this installation takes at most 1000\xa0bytes, all files together. Nothing was stored."
    assert (message in answer.content.decode()) == (status == 413)


def test_a_program_is_told_so_too(people: People, settings: Settings) -> None:
    settings.TOUCHSTONE_UPLOAD_LIMIT, settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1000, 2000
    headers = {"Authorization": f"Bearer {make_api_token(people.researcher, name='a program')}"}
    answer = Client(headers=headers).post(reverse("api_runs", args=["bees"]), {"file": several(1, 3001)[0]})
    assert (answer.status_code, "Send fewer at a time." in answer.json()["detail"], kept()) == (413, True, [])


def test_what_announces_too_much_is_not_waited_for(people: People, settings: Settings) -> None:
    """Nothing of it comes: the connection is told to have broken off, and the answer is the same."""
    settings.TOUCHSTONE_UPLOAD_LIMIT = 1000
    request = RequestFactory().generic("POST", reverse("login"), b"x=", content_type=MULTIPART_CONTENT)
    environ = {**request.environ, "CONTENT_LENGTH": str(1 << 40), "wsgi.input": io.BytesIO(b"x=")}
    assert answered(whole_bodies(WSGIHandler()), environ) == 413


# --- a connection that breaks ---


def answered(application: Callable[..., Iterable[bytes]], environ: dict[str, Any]) -> int:
    statuses: list[str] = []
    parts = application(environ, lambda status, _headers: statuses.append(status))
    b"".join(parts)
    parts.close()  # type: ignore[attr-defined]
    return int(statuses[0].split()[0])


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("share", [1.0, 0.9, 0.5])
def test_half_a_file_is_not_taken_for_the_whole(people: People, share: float) -> None:
    lines = b"".join(b"1 Q0 d%d 1 %d one\n" % (i, 9000 - i) for i in range(9000))
    file = SimpleUploadedFile("my.run", lines)
    body = encode_multipart(BOUNDARY, {"file": file})
    came = body[: int(len(body) * share)]
    headers = {"Authorization": f"Bearer {make_api_token(people.researcher, name='a program')}"}
    address = reverse("api_runs", args=["bees"])
    request = RequestFactory().generic("POST", address, came, content_type=MULTIPART_CONTENT, headers=headers)
    environ = {**request.environ, "CONTENT_LENGTH": str(len(body)), "wsgi.input": io.BytesIO(came)}
    status = answered(whole_bodies(WSGIHandler()), environ)
    assert (status, Import.objects.count(), len(kept())) == ((202, 1, 1) if share == 1 else (400, 0, 0))


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("n", "outcome"), [(9, (202, 1, 1)), (8, (400, 0, 0))])
def test_half_a_body_is_not_taken_for_the_whole(people: People, n: int, outcome: tuple[int, int, int]) -> None:
    headers = {"Authorization": f"Bearer {make_api_token(people.admin, name='a program')}"}
    address = f"{reverse('api_imports', args=['bees'])}?kind=topics"
    request = RequestFactory().generic("POST", address, b"1\tb\n2\thi\n", content_type="text/plain", headers=headers)
    environ = {**request.environ, "CONTENT_LENGTH": "9", "wsgi.input": io.BytesIO(b"1\tb\n2\thi\n"[:n])}
    status = answered(whole_bodies(WSGIHandler()), environ)
    assert (status, Import.objects.count(), len(kept())) == outcome


def test_the_worker_clears_what_broke_off_a_day_ago(people: People) -> None:
    join_installation()  # the first worker that starts would leave a file of its own
    send(people, b"1\tbees\n")
    settled = kept()
    root = django_settings.TOUCHSTONE_FILES
    for name, age in (("old", 86_500), ("young", 80_000)):
        file = root / f"{INCOMING}{name}"
        file.write_bytes(b"1\tbe")
        os.utime(file, (time.time() - age,) * 2)
    call_command("worker", once=True)
    assert set(kept()) == {*settled, root / f"{INCOMING}young"}


def test_a_body_is_read_as_the_server_gives_it_up_to_its_length() -> None:
    body = Expected(io.BytesIO(b"0123456789 and the next request"), 10)
    assert (body.read(4), body.read(), body.read(), body.read(5)) == (b"0123", b"456789", b"", b"")
    with pytest.raises(OSError, match="the request broke off, 3 bytes before its end"):
        Expected(io.BytesIO(b"0123456"), 10).read(100)
