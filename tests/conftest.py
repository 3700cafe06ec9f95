"""What every test stands on: a fast password hasher, throw-away files and database, the shared data."""

import gc
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Generator
from functools import cache
from itertools import count
from pathlib import Path

import hypothesis
import pytest
from django.conf import settings as django_settings
from django.db import connection
from django.http import HttpResponse
from django.test import Client, TransactionTestCase
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from annotation.kernel import clock
from tests.demo import MadeDemo
from tests.drawing import draw_times, load_profile, seed_chance
from tests.flushing import empty_patiently
from tests.live import Server
from tests.markup import text_of
from tests.memory import quick_folder, runs_programs
from tests.migrated import make_ahead, migrated_database, migrated_template, put_database
from tests.rewriting import rewrite_ahead
from tests.signing_in import force_login

ROOT = Path(__file__).resolve().parent.parent
TESTS = ROOT / "tests"

# Rooms whose tests need no database; test_pure_rooms proves the rooms themselves to be free of Django.
PURE = (
    "annotation/quality",
    "annotation/formats",
    "annotation/text",
    "evaluation/engine",
    "evaluation/formats",
    "architecture",
    "test_architecture.py",
    "test_docs.py",
    "test_drawing.py",
    "test_library_page.py",
    "test_pure_rooms.py",
    "test_tokens.py",
    "touchstone/library",
    "unchanged/test_compare.py",
    "unchanged/test_recorded.py",
)
# What may come out otherwise on the other database, and therefore runs on both. A file or a test says which of these it
# is about, `pytestmark = pytest.mark.both("locks")`, so that the word goes wherever the file goes; what says nothing
# runs on SQLite alone, and `make test-postgres-all` runs it on PostgreSQL too. What commits for real, with no browser
# looking on, need not say anything: threads, processes and servers meet there. `alike` leaves out a test of such a
# file, or one that commits, and says why nothing can differ or which other test suffices.
BOTH = {
    "locks": "rows that several people or workers claim and write at once: steps of the flow, judging, races",
    "jobs": "the queue, leases, child processes with connections of their own",
    "imports": "bulk writing, staging and sweeping of rows, in steps that may be killed",
    "sql": "SQL of our own, prepared statements, constraints, backups, health: what is written for each database",
    "reads": "queries with windows, filters, JSON, dates, and the order of NULL; one walk over all pages",
    "text": "case, collation, search and NUL in text",
    "refusals": "a constraint says no in the middle of a request, or a value is longer or larger than its column: "
    "PostgreSQL gives up the transaction, SQLite goes on or takes it",
    "journeys": "a campaign from the first topic to the last number",
}
# Files that take long start first: what is left for the end is short, and no worker waits for another's long one.
LONG = (
    "browser/test_judge_faults.py",
    "journeys/",
    "annotation/formats/test_streaming.py",
    "annotation/quality/overlap/",
    "browser/",
    "touchstone/",
    "annotation/blindness/",
    "test_commands.py",
)
LONGEST_ID = 200  # characters
BROWSERS = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
DATABASE_FIXTURES = {"db", "transactional_db", "live_server", "client", "admin_client"}

GARBAGE = 50_000  # objects made before it is looked for, in place of 700: a test is over before much has come together

_scratch_key = pytest.StashKey[Path]()
_tests = count()


def in_ci() -> bool:
    return os.environ.get("CI", "").lower() in {"1", "true", "yes"}


load_profile()


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Bytes name no test: an archive has the clock in it, and then two workers collect tests of different names. Nor do
    long texts: workers send all names, of a megabyte as well."""
    return argname if isinstance(val, bytes) or (isinstance(val, str) and len(val) > LONGEST_ID) else None


def pytest_configure(config: pytest.Config) -> None:
    """Make the settings those of a test. Every worker of xdist comes through here with a folder of its own."""
    TransactionTestCase._fixture_teardown = empty_patiently  # type: ignore[attr-defined]
    Client.force_login = force_login  # type: ignore[method-assign,assignment]
    HttpResponse.text = property(text_of)  # type: ignore[assignment, method-assign]
    scratch = Path(tempfile.mkdtemp(prefix="touchstone-tests-", dir=quick_folder()))
    config.stash[_scratch_key] = scratch
    if runs_programs(scratch):  # then `tmp_path` lies there, too, and what child processes write
        os.environ["TMPDIR"] = tempfile.tempdir = str(scratch)
    django_settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    django_settings.TOUCHSTONE_FILES = scratch / "files"
    django_settings.TOUCHSTONE_WEBHOOK_HOSTS = ["hooks.example.org"]  # a name that leads nowhere
    django_settings.STORAGES = {
        **django_settings.STORAGES,
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }
    clock.ASKED = frozenset()  # tests that let time pass set Django's clock
    django_settings.WHITENOISE_USE_FINDERS = True
    django_settings.WHITENOISE_AUTOREFRESH = True
    database = django_settings.DATABASES["default"]
    if database["ENGINE"] == "django.db.backends.sqlite3":
        # A file, as in production: a server in another thread or process sees what the test has committed.
        database.setdefault("TEST", {})["NAME"] = str(scratch / "test.sqlite3")
    if config.getoption("numprocesses", 0):  # the one that shares the tests out
        make_ahead()
        if not sys.dont_write_bytecode:
            rewrite_ahead(config, TESTS)


def pytest_unconfigure(config: pytest.Config) -> None:
    scratch = config.stash.get(_scratch_key, None)
    if scratch is not None:
        shutil.rmtree(scratch, ignore_errors=True)


def pytest_report_header(config: pytest.Config) -> str:
    engine = django_settings.DATABASES["default"]["ENGINE"].rpartition(".")[2]
    return f"database: {engine}"


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """The pass on PostgreSQL imports no file without a test for it: those are two of three."""
    is_test = collection_path.match("test_*.py")
    is_postgres_pass = config.option.markexpr.startswith("both")
    return True if is_postgres_pass and is_test and not _names_both(collection_path) else None


@cache
def _names_both(path: Path) -> bool:
    """Whether the file says what marks a test so; the pass on SQLite refuses a test whose file does not."""
    text = path.read_text("utf-8")
    return "mark.both(" in text or "transaction" in text


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is collected stays to the end: to look for garbage among it takes a fifth of the time of collecting."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(GARBAGE)
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of the pure rooms, which need no database, and those that commit: they run on both databases."""
    items.sort(key=_turn)
    functions = [item for item in items if isinstance(item, pytest.Function)]
    properties = [item for item in functions if hypothesis.is_hypothesis_test(item.function)]
    draw_times(item.function for item in properties)
    for each in properties:
        each.add_marker(pytest.mark.properties)
    for item in items:
        place = _place(item)
        if place.startswith(PURE) and not _uses_database(item):
            item.add_marker(pytest.mark.pure)
        for mark in item.iter_markers("both"):
            if mark.args[:1] not in {(reason,) for reason in BOTH}:
                raise pytest.UsageError(f"{item.nodeid}: both({mark.args}) is none of {', '.join(BOTH)}")
        if _commits(item) and not any(map(item.get_closest_marker, ("browser", "alike"))):
            item.add_marker(pytest.mark.both("locks"))
        if item.get_closest_marker("both") and not _names_both(item.path):
            raise pytest.UsageError(f"{item.nodeid}: its file does not say `both` or `transaction`")


def _turn(item: pytest.Item) -> int:
    place = _place(item)
    return next((i for i, long in enumerate(LONG) if place.startswith(long)), len(LONG))


def _place(item: pytest.Item) -> str:
    return _place_of(item.path)


@cache
def _place_of(path: Path) -> str:
    """The file below the tests; "" for one elsewhere."""
    return path.relative_to(TESTS).as_posix() if path.is_relative_to(TESTS) else ""


def _uses_database(item: pytest.Item) -> bool:
    fixtures = set(getattr(item, "fixturenames", ()))
    return item.get_closest_marker("django_db") is not None or bool(fixtures & DATABASE_FIXTURES)


def _commits(item: pytest.Item) -> bool:
    marks = item.iter_markers("django_db")
    return "transactional_db" in getattr(item, "fixturenames", ()) or any(m.kwargs.get("transaction") for m in marks)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """In CI nothing may be skipped for want of data or browser: a check that did not run has not passed."""
    report = yield
    needs = [name for name in ("shared", "browser") if item.get_closest_marker(name)]
    if in_ci() and needs and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid}: skipped, which CI does not allow for a test marked {', '.join(needs)}"
    return report


@pytest.fixture(scope="session")
def django_db_keepdb(django_db_modify_db_settings_parallel_suffix: None, django_db_blocker: DjangoDbBlocker) -> bool:
    """That the database is there already: a copy of a migrated one lies where the tests want theirs."""
    if connection.vendor == "sqlite":
        shutil.copyfile(migrated_database(), connection.settings_dict["TEST"]["NAME"])
    else:
        with django_db_blocker.unblock():
            name = connection.creation._get_test_db_name()  # type: ignore[attr-defined]
            put_database(name, template=migrated_template())
    return True


@pytest.fixture(autouse=True)
def files_of_this_test(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Generator[None, None, None]:
    """The store of files is empty at the start of every test and is not shared with any other.

    Its folder is named by counting: `tmp_path` looks through the folders of all tests before for a name that is free.
    """
    if request.node.get_closest_marker("pure"):
        yield
        return
    before = django_settings.TOUCHSTONE_FILES
    folder = tmp_path_factory.getbasetemp() / f"files-of-{next(_tests)}"
    django_settings.TOUCHSTONE_FILES = folder
    yield
    django_settings.TOUCHSTONE_FILES = before
    shutil.rmtree(folder, ignore_errors=True)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Tokens, secrets and what is drawn without a seed are the same in every run of a test, its fixtures included."""
    seed_chance(item.nodeid)


@pytest.fixture(scope="session")
def made_demo(tmp_path_factory: pytest.TempPathFactory) -> MadeDemo:
    """For all workers one."""
    return MadeDemo(_folder_of_all(tmp_path_factory) / "demo")


@pytest.fixture(scope="session", autouse=True)
def statics_of_servers(tmp_path_factory: pytest.TempPathFactory) -> None:
    """For the servers of all workers the same."""
    Server.statics = _folder_of_all(tmp_path_factory) / "static"


def _folder_of_all(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """That in which the folders of the workers lie."""
    base = tmp_path_factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


def shared_folder() -> Path:
    return Path(os.environ.get("TOUCHSTONE_SHARED") or ROOT.parent / "shared" / "data")


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real collections: TOUCHSTONE_SHARED, else ../shared/data. Tests that use it are marked `shared`."""
    folder = shared_folder()
    if not folder.is_dir():
        pytest.skip(f"no folder {folder}: set TOUCHSTONE_SHARED to the folder of real collections")
    return folder


@pytest.fixture(scope="session")
def chromium() -> str:
    """The browser to drive: TOUCHSTONE_CHROMIUM, else one on the PATH. Tests that use it are marked `browser`."""
    return _browser("chromium-headless-shell", *BROWSERS)


@pytest.fixture(scope="session")
def whole_chromium() -> str:
    """One that keeps pages for *Back*, which the headless shell does not."""
    return _browser(*BROWSERS)


def _browser(*names: str) -> str:
    browser = os.environ.get("TOUCHSTONE_CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    if browser is None:
        pytest.skip("no Chromium: install it, or name one with TOUCHSTONE_CHROMIUM")
    return browser


@pytest.fixture
def noon(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock stands still, at noon of today: no midnight passes within a test, and none of the marks at which what
    depends on the clock is made anew."""
    moment = timezone.now().replace(hour=12, minute=1, second=0, microsecond=0)
    monkeypatch.setattr(timezone, "now", lambda: moment)
    monkeypatch.setattr(time, "time", moment.timestamp)
