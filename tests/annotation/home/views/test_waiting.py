"""What waits stands behind the entries of the navigation, for those for whom it waits."""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.home.steps import waiting
from annotation.home.steps.waiting import sweep_waiting
from annotation.kernel.waiting import MOST, waiting_counts
from annotation.models import Batch, Collection, Import, Role, WaitingCount
from annotation.trust.steps.exclusions import exclude_annotator
from annotation.trust.steps.pausing import pause_annotator, resume_annotator
from tests.annotation.roles import People, make_people
from tests.annotation.worked_campaign import make_worked
from tests.factories import make_annotators, make_batch, make_collection, make_decision

pytestmark = [pytest.mark.django_db, pytest.mark.both("sql")]

ADMIN, RESEARCHER = frozenset({Role.ADMIN}), frozenset({Role.RESEARCHER})


@pytest.fixture
def people() -> People:
    return make_people()


def make_import(people: People, kind: str, state: str, **others: object) -> Import:
    return Import.objects.create(
        collection=people.collection, kind=kind, state=state, filename="a.tsv", sha256="0" * 64, **others
    )


def counts(people: People, roles: frozenset[str] = ADMIN) -> dict[str, int]:
    return {name: n for name, n in waiting_counts(people.collection, roles).items() if n}


def test_imports_wait_until_they_are_published_or_one_of_their_kind_is(people: People) -> None:
    make_import(people, "topics", Import.State.CHECKED)
    make_import(people, "documents", Import.State.REFUSED)
    make_import(people, "gold", Import.State.FAILED)
    make_import(people, "run", Import.State.CANCELLED)
    old = make_import(people, "qrels", Import.State.REFUSED)
    Import.objects.filter(pk=old.pk).update(created_at=timezone.now() - timedelta(days=8))
    assert counts(people) == {"imports": 3}
    make_import(people, "documents", Import.State.PUBLISHED, published_at=timezone.now())
    assert counts(people) == counts(people, RESEARCHER) == {"imports": 2}


def test_each_collection_has_its_own_and_time_goes_on(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    """The statement is compiled once."""
    make_import(people, "documents", Import.State.REFUSED)
    assert counts(people) == {"imports": 1}
    assert sum(waiting_counts(make_collection("fish"), ADMIN).values()) == 0
    next_week = timezone.now() + timedelta(days=8)
    monkeypatch.setattr(timezone, "now", lambda: next_week)
    assert counts(people) == {}


def test_people_who_are_paused_wait_for_an_admin(people: People) -> None:
    birch, cedar, _ = make_annotators(people.collection, ["Birch", "Cedar", "Dogwood"])
    for each in (birch, cedar):
        pause_annotator(each, reason="Too fast.", actor=None)
    assert (counts(people), counts(people, RESEARCHER)) == ({"quality": 2}, {})
    exclude_annotator(birch, reason="Made up.", actor=None)
    assert counts(people) == {"quality": 1}
    resume_annotator(cedar, reason="Slower now.", actor=None)
    assert counts(people) == {}


@pytest.mark.usefixtures("noon")
def test_what_takes_longer_is_counted_by_the_worker_after_each_step(people: People) -> None:
    worked = make_worked(people.collection)
    worked.fill()
    make_batch(people.collection, [], state=Batch.State.LAID_OUT)
    assert counts(people) == {"batches": 1}
    assert (sweep_waiting(), sweep_waiting()) == (2, 0)  # another collection is there, too
    kept = WaitingCount.objects.get(collection=people.collection)
    contested = people.client("admin").get("/c/bees/quality/contested/").context["waiting"]
    assert (kept.contested, kept.contested > 0) == (len(contested), True)
    assert counts(people)["adjudication"] == counts(people, RESEARCHER)["adjudication"] == kept.contested
    make_decision(worked.items["d3"], 1)
    exclude_annotator(worked.people["Birch"], reason="Made up.", actor=None)
    assert sweep_waiting() == 1


@pytest.mark.parametrize(("large", "n_apart"), [(10**6, 0), (1, 1)])
def test_what_is_counted_of_many_judgments_is_counted_in_a_child(
    people: People, monkeypatch: pytest.MonkeyPatch, large: int, n_apart: int
) -> None:
    make_worked(people.collection).fill()
    apart: list[str] = []

    def do_apart(step: Callable[[], object], name: str) -> None:
        apart.append(name)
        step()

    monkeypatch.setattr(waiting, "do_apart", do_apart)
    monkeypatch.setattr(waiting, "LARGE", large)
    assert (sweep_waiting(), len(apart)) == (2, n_apart)  # nobody has judged in the other collection
    assert WaitingCount.objects.get(collection=people.collection).contested > 0


def test_nothing_of_a_batch_that_is_not_open_yet_is_contested(people: People) -> None:
    make_batch(people.collection, make_annotators(people.collection, ["Birch", "Cedar"]), state=Batch.State.LAID_OUT)
    sweep_waiting()
    assert counts(people) == {"batches": 1}


def test_a_collection_without_a_scale_is_left_out() -> None:
    Collection.objects.create(slug="bare", name="Without scale and guideline")
    assert sweep_waiting() == 0


def test_a_page_says_them_in_one_statement_and_an_annotator_gets_none(people: People) -> None:
    for _ in range(MOST + 2):
        make_import(people, "topics", Import.State.CHECKED)
    WaitingCount.objects.create(
        collection=people.collection, contested=3, suspects=2, took=0, counted_at=timezone.now()
    )
    page = people.client("admin").get("/c/bees/audit/").text
    links = re.findall(r">([A-Za-z ]+)<span class=\"waiting\">(.*?)</a>", page)
    assert {name: re.sub("<.*?>", "", rest) for name, rest in links} == {
        "Imports": f", {MOST}+ waiting",
        "Gold": ", 2 waiting",
        "Contested": ", 3 waiting",
    }
    with CaptureQueriesContext(connection) as queries:
        waiting_counts(people.collection, ADMIN)
    assert len(queries) == 1
    with CaptureQueriesContext(connection) as queries:
        page = people.client("annotator").get("/c/bees/guideline/").text
    assert "waiting" not in page
    assert not any("waitingcount" in query["sql"] for query in queries.captured_queries)


def test_a_part_of_a_page_counts_nothing(people: People) -> None:
    client = people.client("admin")
    with CaptureQueriesContext(connection) as queries:
        client.get("/c/bees/jobs/", headers={"HX-Request": "true"})
    assert not any("waitingcount" in query["sql"] for query in queries.captured_queries)
