"""Leases run by the clock of the database: what the clock of a machine says decides nothing."""

from collections.abc import Callable
from datetime import datetime, timedelta
from weakref import WeakKeyDictionary

import pytest
from django.db import connection
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from annotation.kernel import clock
from annotation.kernel.jobs import claim_job, enqueue
from annotation.models import Job

pytestmark = [pytest.mark.django_db, pytest.mark.both("jobs")]

AWAY = timedelta(seconds=90)  # by which the clocks of machines are wrong


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Callable[[timedelta], None]:
    """Puts us on a machine whose clock is wrong by so much."""
    really = timezone.now

    def put_on(wrong_by: timedelta) -> None:
        monkeypatch.setattr(timezone, "now", lambda: really() + wrong_by)

    return put_on


@pytest.fixture
def _by_server(monkeypatch: pytest.MonkeyPatch) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("a SQLite file has no clock but its machine's")
    monkeypatch.setattr(clock, "ASKED", frozenset({"postgresql"}))
    monkeypatch.setattr(clock, "_begun", WeakKeyDictionary())


def test_on_sqlite_it_is_the_clock_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    moment = datetime(2026, 3, 2, 9, tzinfo=timezone.get_default_timezone())
    monkeypatch.setattr(timezone, "now", lambda: moment)
    assert (clock.now(), clock.server_time()) == (moment, moment)


@pytest.mark.usefixtures("_by_server")
def test_a_connection_asks_once_and_goes_on_by_itself(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    with django_assert_num_queries(1):
        moments = [clock.now() for _ in range(5)]
    assert moments == sorted(moments)
    assert abs(clock.server_time() - clock.now()) < timedelta(seconds=1)


@pytest.mark.usefixtures("_by_server")
@pytest.mark.parametrize("wrong_by", [AWAY, -AWAY])
def test_a_machine_whose_clock_is_wrong_takes_no_job_that_is_another_ones(
    machine: Callable[[timedelta], None], wrong_by: timedelta
) -> None:
    """A lease is a minute: by its own clock the machine would find it lapsed, or give one that has lapsed already."""
    enqueue("check_import", collection=None, created_by=None)
    machine(-wrong_by)
    assert claim_job() is not None
    machine(wrong_by)
    assert claim_job() is None
    lease = Job.objects.get().lease_until
    assert lease is not None
    assert timedelta(seconds=50) < lease - clock.server_time() < timedelta(seconds=70)
