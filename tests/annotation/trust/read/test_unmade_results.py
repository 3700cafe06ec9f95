"""What nobody has asked for yet of large batches is left to the worker, and the page says how far it is."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Never

import pytest
from django.conf import settings
from django.test import Client
from django.utils.module_loading import import_string

from annotation.health.pages import cached
from annotation.kernel.clock import now
from annotation.kernel.results.form import ResultFormError
from annotation.kernel.results.unmade import PART, NotMadeYetError
from annotation.kernel.showing import showing
from annotation.models import KeptResult
from annotation.trust.read import comparison, kept, results
from annotation.trust.steps import results as sweeping
from annotation.trust.steps.results import recipes
from tests.annotation.callers import caller
from tests.annotation.roles import People, make_people
from tests.annotation.trust.read.large import (
    COMPARE,
    COMPARED,
    make_all,
    make_large,
    nothing_is_worked_out,
    opened,
    report_now,
)
from tests.annotation.worked_campaign import Worked

pytestmark = [pytest.mark.django_db, pytest.mark.both("reads")]


@pytest.fixture
def people() -> People:
    return make_people()


@pytest.fixture
def worked(people: People, monkeypatch: pytest.MonkeyPatch) -> Worked:
    return make_large(people, monkeypatch)


@pytest.fixture
def client(people: People) -> Client:
    return people.client("admin")


def waiting(worked: Worked, client: Client) -> str:
    """The address of a page that waits for the worker."""
    address = f"/c/bees/{COMPARE}".format(token=worked.batch.token)
    assert client.get(address).status_code == 202
    return address


def test_the_worker_makes_them_in_a_child_where_there_is_anything_to_make(
    worked: Worked, monkeypatch: pytest.MonkeyPatch
) -> None:
    (path,) = (path for path in settings.TOUCHSTONE_SWEEPS if path.startswith(sweeping.__name__))
    apart: list[str] = []

    def do_apart(step: Callable[[], object], name: str) -> None:
        apart.append(name)
        step()

    monkeypatch.setattr(sweeping, "do_apart", do_apart)
    for n_times in (1, 1):  # the second time nothing is new
        import_string(path)()
        assert (len(apart), KeptResult.objects.exclude(as_of=None).count()) == (n_times, len(recipes()) - 1)


def test_a_page_that_nobody_opened_before_waits_for_the_worker(
    worked: Worked, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    address, poll = "/c/bees/quality/agreement", {"HX-Request": "true", "HX-Target": PART}
    with monkeypatch.context() as nobody:
        nothing_is_worked_out(nobody)
        page = client.get(address)
        part = client.get(address, headers=poll)
    assert (page.status_code, page.headers["Cache-Control"]) == (202, "private, no-store")
    assert ("<html" in page.text, "<html" in part.text) == (True, False)
    for text in (page.text, part.text):
        assert f'id="{PART}" hx-get="{address}"' in text
    current = re.search(r'href="([^"]+)"\s+aria-current="page"', page.text)
    assert current
    assert current[1] == "/c/bees/quality/"
    assert 'http-equiv="refresh"' in page.text
    assert "HX-Refresh" not in part.headers
    assert make_all() == len(recipes()) - 1
    nothing_is_worked_out(monkeypatch)
    assert client.get(address, headers=poll).headers["HX-Refresh"] == "true"
    assert client.get(address).status_code == 200


@pytest.mark.usefixtures("noon")
def test_it_says_how_long_the_worker_has_been_at_it(worked: Worked, client: Client) -> None:
    def waiting() -> str:
        return " ".join(client.get(f"/c/bees/{COMPARE}".format(token=worked.batch.token)).text.split())

    assert "asked 0 seconds ago" in waiting()
    row = KeptResult.objects.filter(kind="policies")
    row.update(asked_at=now() - timedelta(seconds=50))
    assert "asked 50 seconds ago and has not begun" in waiting()
    row.update(begun_at=now() - timedelta(seconds=3))
    assert "began 3 seconds ago." in waiting()
    KeptResult.objects.create(
        collection=worked.collection, key="other", kind="policies", made={"seconds": 7.2}, as_of=now(), seen_at=now()
    )
    assert "began 3 seconds ago; others took 7 seconds." in waiting()
    assert 'value="3" max="7"' in waiting()
    row.update(asked_at=now() - results.PATIENCE, begun_at=now() - results.LOST)
    assert "Being worked out" not in waiting()  # nobody comes


@pytest.mark.alike("answers of the middleware")
def test_programs_and_files_are_told_when_to_ask_again(
    worked: Worked, people: People, caplog: pytest.LogCaptureFixture
) -> None:
    client, program = people.client("admin"), caller(people.admin)
    file = f"/c/bees/{COMPARE.replace('compare', 'compare.csv')}".format(token=worked.batch.token)
    of_list = "/c/bees/quality/annotators?as=csv"
    answers = [client.get(file), client.get(of_list), program.get(COMPARED)]
    assert [(answer.status_code, answer.headers["Retry-After"]) for answer in answers] == [(503, "10")] * 3
    assert [f'id="{PART}" hx-get' in answer.text for answer in answers] == [False] * 3
    assert answers[2].json()["type"].endswith("not-made-yet")
    assert not caplog.records
    make_all()
    again = [client.get(file), client.get(of_list), program.get(COMPARED)]
    assert [answer.status_code for answer in again] == [200] * 3


def test_what_a_page_waits_for_is_made_before_what_is_older(worked: Worked, client: Client) -> None:
    make_all()
    worked.judge("d5", "Amber", 3)
    opened(client, "/c/bees/quality/")
    waiting(worked, client)
    assert [row.kind for row in sweeping._due()][:2] == ["policies", "quality"]


def test_where_the_worker_cannot_make_it_the_page_says_why(
    worked: Worked, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = waiting(worked, client)

    def refuse(*_arguments: object) -> Never:
        raise ValueError("These cannot be read together.")

    monkeypatch.setattr(comparison, "kept_inputs", refuse)
    make_all()
    answer = client.get(address)
    assert (answer.status_code, "These cannot be read together." in answer.text) == (422, True)


@pytest.mark.parametrize("fault", [OSError("No room is left."), ResultFormError("It has no form.")])
def test_what_cannot_be_kept_is_not_waited_for(
    worked: Worked, client: Client, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    address = waiting(worked, client)

    def refuse(*_arguments: object, **_named: object) -> Never:
        raise fault

    monkeypatch.setattr(results, "keep_result", refuse)
    make_all()
    assert client.get(address).status_code == 200
    assert client.get(address).status_code == 200


def test_what_the_worker_fails_at_is_not_waited_for(
    worked: Worked, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = waiting(worked, client)

    def fail(*_arguments: object) -> Never:
        raise RuntimeError("a fault of ours")

    with monkeypatch.context() as failing:
        failing.setattr(comparison, "kept_inputs", fail)
        with pytest.raises(RuntimeError):
            make_all()
    assert client.get(address).status_code == 200


def test_a_second_attempt_is_not_waited_for(worked: Worked, client: Client) -> None:
    """The worker may have died of the first."""
    address = waiting(worked, client)
    row = KeptResult.objects.filter(kind="policies")
    row.update(asked_at=now() - results.LOST - timedelta(minutes=1), begun_at=now() - timedelta(seconds=5))
    assert client.get(address).status_code == 200


def test_deeds_do_not_wait_for_the_worker(worked: Worked) -> None:
    with showing(), pytest.raises(NotMadeYetError):
        report_now(worked)
    assert report_now(worked).n_people


def test_what_another_version_makes_is_left_to_it(worked: Worked) -> None:
    """Until nobody has seen it for days: the version that made it may be gone."""
    make_all()
    KeptResult.objects.filter(kind="couples").update(kind="later", key="later", asked_at=now())
    make_all()
    assert KeptResult.objects.get(kind="later").asked_at is not None
    KeptResult.objects.filter(kind="later").update(seen_at=now() - sweeping.UNSEEN - timedelta(seconds=1))
    make_all()
    assert not KeptResult.objects.filter(kind="later").exists()


def test_a_process_lets_go_of_what_it_worked_out_while_a_batch_was_small(
    worked: Worked, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    health = f"/c/bees/batches/{worked.batch.token}/health"
    monkeypatch.setattr(results, "LARGE", 100_000)
    client.get("/c/bees/quality/")
    client.get(health)
    assert kept._memory
    assert worked.batch.token in cached._reports
    monkeypatch.setattr(results, "LARGE", 1)
    assert client.get("/c/bees/quality/").status_code == 202
    assert client.get(health).status_code == 202
    assert not kept._memory
    assert worked.batch.token not in cached._reports
