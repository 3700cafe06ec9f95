"""The web server waits shorter for the database than a worker, however early its settings were read."""

import json
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path

import pytest
from django.db import connection, transaction

from annotation.kernel.api_tokens import make_api_token
from annotation.models import Collection
from tests.factories import make_collection, make_user
from tests.live import Server, database_url
from touchstone.errors import RETRY_AFTER, WORDS
from touchstone.lock_wait import CHOSEN, ELSEWHERE, LITTLE, SPELL, WEB, wait_at_most

PEOPLE = {"sqlite": 8, "postgresql": 24}  # two processes of one thread, and of two: all of them four times at least
IN_LINE, LEFT = 32 / 4, 0.1  # people for each thread of PostgreSQL's; seconds for the answers themselves, of two
LATEST = 4.0  # seconds until each of them is answered, on a busy machine; it is 2 on an idle one
ROOT = Path(__file__).resolve().parents[2]
ASK = "from django.db import connection as c; print(c.cursor().execute('PRAGMA busy_timeout').fetchone()[0])"
ASK_ROWS = "from django.db import connection as c; print(c.cursor().execute('SHOW lock_timeout').fetchone()[0])"
AS_SERVER = "from django.conf import settings; settings.DATABASES; import touchstone.wsgi; "


@pytest.mark.parametrize(
    ("before", "chosen", "seconds"), [("", "", ELSEWHERE), (AS_SERVER, "", WEB), (AS_SERVER, "7", 7), ("", "7", 7)]
)
def test_how_long_is_waited_for_sqlite(tmp_path: Path, before: str, chosen: str, seconds: float) -> None:
    milliseconds = in_another_process(tmp_path, f"sqlite:///{tmp_path}/x.sqlite3", before + ASK, chosen)
    assert int(milliseconds) == 1000 * seconds


@pytest.mark.both("sql")
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("before", "chosen", "wait"),
    [("", "", "0"), (AS_SERVER, "", f"{round(1000 * WEB)}ms"), (AS_SERVER, "7", "7s"), ("", "7", "7s")],
)
def test_how_long_is_waited_for_rows(tmp_path: Path, before: str, chosen: str, wait: str) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite locks no rows")
    assert in_another_process(tmp_path, database_url(), before + ASK_ROWS, chosen).strip() == wait


def test_the_last_in_line_is_refused_within_two_seconds() -> None:
    """The first of them waits long, all others little."""
    assert WEB + (IN_LINE - 1) * LITTLE["postgresql"] <= 2 - LEFT


def in_another_process(var: Path, url: str, program: str, chosen: str) -> str:
    outside = {name: value for name, value in os.environ.items() if not name.startswith("TOUCHSTONE_")}
    database = {"DATABASE_URL": url, "TOUCHSTONE_VAR": str(var)}
    environment = {**outside, **database, **({CHOSEN: chosen} if chosen else {})}
    environment["DJANGO_SETTINGS_MODULE"] = "touchstone.settings"
    return subprocess.check_output([sys.executable, "-c", program], cwd=ROOT, env=environment, text=True)


def test_what_the_address_of_the_database_says_holds() -> None:
    theirs = {"ENGINE": "django.db.backends.postgresql", "OPTIONS": {"options": "-c lock_timeout=90000"}}
    others = {"ENGINE": "django.db.backends.postgresql", "OPTIONS": {"options": "-c jit=off"}}
    for database in (theirs, others):
        wait_at_most(database, 5)
    assert [theirs["OPTIONS"], others["OPTIONS"]] == [
        {"options": "-c lock_timeout=90000"},
        {"options": "-c jit=off -c lock_timeout=5000"},
    ]


@pytest.mark.both("locks")
@pytest.mark.django_db(transaction=True)
def test_a_request_that_waits_too_long_is_a_503(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody else holds the row, on SQLite the file; once they are done, the same request goes through."""
    admin = make_user("lead")
    make_collection("held", admin=admin)
    head = {"Authorization": f"Bearer {make_api_token(admin, name='x')}", "Content-Type": "application/json"}
    monkeypatch.setenv(CHOSEN, "1")
    server = Server(tmp_path / "var")
    server.start()
    try:
        with transaction.atomic():
            Collection.objects.filter(slug="held").update(name="Theirs")
            answer = server.request("PATCH", "/api/v1/collections/held", body='{"name": "Ours"}', headers=head)
        again = server.request("PATCH", "/api/v1/collections/held", body='{"name": "Ours"}', headers=head)
    finally:
        server.stop()
    assert (answer.status, answer.headers.get("Retry-After")) == (503, RETRY_AFTER)
    assert json.loads(answer.text)["detail"] == WORDS[503]
    assert (again.status, Collection.objects.get().name) == (200, "Ours")


@pytest.mark.both("locks")
@pytest.mark.django_db(transaction=True)
def test_those_in_line_for_a_lock_do_not_wait_for_each_other(tmp_path: Path) -> None:
    """Each thread would wait for the lock as often as somebody stands before it."""
    n_people = PEOPLE[connection.vendor]
    admin = make_user("lead")
    make_collection("held", admin=admin)
    head = {"Authorization": f"Bearer {make_api_token(admin, name='x')}", "Content-Type": "application/json"}
    server = Server(tmp_path / "var")
    server.start()

    numbers = count()  # a name that it has already is not written

    def rename(_: int) -> tuple[int, float]:
        began, body = time.monotonic(), json.dumps({"name": f"N{next(numbers)}"})
        answer = server.request("PATCH", "/api/v1/collections/held", body=body, headers=head)
        return answer.status, time.monotonic() - began

    try:
        with ThreadPoolExecutor(n_people) as people:
            list(people.map(rename, range(n_people)))  # every process has answered before
            with transaction.atomic():
                Collection.objects.filter(slug="held").update(name="Theirs")
                answers = list(people.map(rename, range(n_people)))
        time.sleep(SPELL)  # after which a request waits as ever
        with ThreadPoolExecutor(n_people) as people:
            again = list(people.map(rename, range(n_people)))
    finally:
        server.stop()
    assert {status for status, _ in answers} == {503}
    assert max(seconds for _, seconds in answers) < LATEST
    assert {status for status, _ in again} == {200}
