"""The id of a request and the line in the log about it."""

import io
import json
import logging
import re
from collections.abc import Generator
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from annotation.kernel.api_tokens import make_api_token
from annotation.kernel.jobs import work_here
from annotation.models import ApiToken
from tests.factories import make_collection, make_member, make_user
from touchstone.logs import JsonLine, Line, request_id

pytestmark = pytest.mark.django_db
SECRET = "s3cret" * 8


class Log:
    """What our loggers write in a form, into memory."""

    def __init__(self, form: logging.Formatter) -> None:
        self.written = io.StringIO()
        self.place = logging.StreamHandler(self.written)
        self.place.setFormatter(form)

    @property
    def lines(self) -> list[str]:
        return self.written.getvalue().splitlines()

    @property
    def entries(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.lines]


NAMES = ("django", "annotation", "touchstone", "touchstone.requests")


@pytest.fixture
def log(request: pytest.FixtureRequest) -> Generator[Log, None, None]:
    log = Log(getattr(request, "param", JsonLine)())
    loggers = [logging.getLogger(name) for name in NAMES]
    before = [logger.level for logger in loggers]
    for logger in loggers[:-1]:
        logger.addHandler(log.place)
    loggers[-1].setLevel(logging.INFO)
    yield log
    for logger, level in zip(loggers, before, strict=True):
        logger.removeHandler(log.place)
        logger.setLevel(level)


@pytest.mark.parametrize("log", [JsonLine, Line], indirect=True)
def test_what_django_says_once_all_is_answered_names_the_request_too(log: Log) -> None:
    Client().get("/no-such-page", headers={"x-request-id": "proxy-2"})
    assert len(log.lines) == 2  # Django's "Not Found", and ours
    assert [line for line in log.lines if "proxy-2" not in line] == []


def test_a_request_is_one_object(log: Log) -> None:
    person = make_member(make_collection("bees"), make_user("zoe"), "admin")
    client = Client()
    client.force_login(person)
    answer = client.get("/c/bees/?q=words", headers={"x-request-id": "proxy-1.a_B"})
    assert answer["X-Request-ID"] == "proxy-1.a_B"
    (line,) = log.entries
    spent = line.pop("duration_ms")
    assert line.pop("time")[-6:] == "+00:00"
    assert isinstance(line.pop("process"), int)
    assert line == {
        "level": "INFO",
        "logger": "touchstone.requests",
        "message": f"GET /c/bees/ 200 in {spent} ms",
        "request_id": "proxy-1.a_B",
        "user_id": person.pk,
        "method": "GET",
        "path": "/c/bees/",
        "status": 200,
    }
    assert "zoe" not in "".join(log.lines)


@pytest.mark.parametrize("header", ["", "a b", "x" * 65, "a\x0bb", "é", '"}', "a;b"])
def test_an_id_that_is_none_is_replaced(log: Log, header: str) -> None:
    answer = Client().get("/healthz", headers={"x-request-id": header})
    assert re.fullmatch("[0-9a-f]{32}", answer["X-Request-ID"])
    assert log.entries[-1]["request_id"] == answer["X-Request-ID"]
    assert Client().get("/healthz")["X-Request-ID"] != answer["X-Request-ID"]


def test_nobody_and_a_bearer(log: Log) -> None:
    person = make_member(make_collection("bees"), role="admin")
    secret = make_api_token(person, name="laptop")
    Client().get("/api/v1/collections", headers={"authorization": f"Bearer {secret}"})
    Client().get("/login/")
    assert [line["user_id"] for line in log.entries if line["logger"] == "touchstone.requests"] == [person.pk, None]
    assert ApiToken.objects.count() == 1
    assert secret not in "".join(log.lines)


@pytest.mark.parametrize("log", [JsonLine, Line], indirect=True)
@pytest.mark.parametrize("name", ["password_link", "sign_in_link", "invitation"])
def test_no_secret_of_a_link_is_written(log: Log, name: str) -> None:
    for extra in ("", "/more", f"?next=/sign-in/{SECRET}&password={SECRET}"):
        Client().get(reverse(name, args=[SECRET]) + extra)
        Client().post(reverse(name, args=[SECRET]) + extra, {"password": SECRET})
    assert len(log.lines) >= 6
    assert SECRET not in "".join(log.lines)


@pytest.mark.parametrize("log", [JsonLine, Line], indirect=True)
def test_no_secret_of_a_traceback_is_written(log: Log) -> None:
    try:
        raise ValueError(f"no page at /invitation/{SECRET} today")
    except ValueError:
        logging.getLogger("annotation.home.views").exception("failed\nin two lines")
    assert SECRET not in "".join(log.lines)
    assert "no page at /invitation/…" in log.written.getvalue()


def test_whatever_the_message_holds_it_is_one_line(log: Log) -> None:
    logging.getLogger("annotation.home.views").error('a "quote"\r\n\u2028 %s', {"é": 1})
    assert len(log.written.getvalue().splitlines(keepends=False)) >= 1
    (line,) = log.written.getvalue().split("\n")[:-1]
    assert json.loads(line)["message"] == "a \"quote\"\r\n\u2028 {'é': 1}"


def test_lines_of_a_job_name_it_and_the_request_that_queued_it(log: Log, settings: Settings) -> None:
    settings.TOUCHSTONE_JOBS = {"fall": "tests.annotation.kernel.job_work.fall"}
    before = request_id.set("r-1")
    try:
        job = work_here("fall", collection=None, created_by=None)
    finally:
        request_id.reset(before)
    queued, failed = log.entries
    assert (queued["request_id"], queued["job_id"], queued["job_kind"]) == ("r-1", job.token, "fall")
    assert (failed["level"], failed["job_id"]) == ("ERROR", job.token)
    assert "ZeroDivisionError" in failed["exception"]
