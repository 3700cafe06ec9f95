"""A run goes while nothing was made with it: from its page, and through the API by the same step."""

from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from annotation.kernel.jobs import enqueue
from annotation.models import AuditEvent, Pool
from evaluation.models import Accounting, Evaluation, Run
from tests.annotation.callers import caller, callers
from tests.annotation.roles import People, make_people
from tests.factories import make_run, make_snapshot

pytestmark = [pytest.mark.django_db, pytest.mark.both("refusals")]
API, PAGE = reverse("api_run", args=["bees", "a/b"]), reverse("run_delete", args=["bees", "a/b"])
SHOWN = reverse("run", args=["bees", "a/b"])


@pytest.fixture
def people() -> People:
    people = make_people()
    make_run(people.collection, "1 Q0 d 1 9 a/b\n")
    return people


def evaluated(people: People, run: Run) -> object:
    return Evaluation.objects.create(
        snapshot=make_snapshot(people.collection, "1 0 d 1\n"),
        run=run,
        measures=[],
        averaging="complete",
        means={},
        n_topics=1,
        sha256="0" * 64,
    )


def pooled(people: People, run: Run) -> object:
    return Pool.objects.create(
        collection=people.collection, name="p", origin={"kind": "runs", "runs": ["x", "a/b"], "depth": 1}
    )


def accounted(people: People, run: Run) -> object:
    result: dict[str, Any] = {"runs": [{"tag": "a/b", "judged": [], "found": 0}]}
    return Accounting.objects.create(collection=people.collection, key="k", result=result, made_at=timezone.now())


def waited_for(people: People, run: Run) -> object:
    return enqueue("evaluate_runs", collection=people.collection, created_by=people.admin, runs=[run.pk])


def test_only_admins_delete(people: People) -> None:
    clients = {who: client for who, client in callers(people).items() if who != "admin"}
    assert {who: client.delete(API).status_code for who, client in clients.items()} == {
        "researcher": 403,
        "annotator": 403,
        "outsider": 404,
        "anonymous": 401,
    }
    others = ("researcher", "annotator", "outsider", "anonymous")
    assert [people.client(who).post(PAGE).status_code for who in others] == [403, 403, 404, 302]
    assert people.client("admin").get(PAGE).status_code == 405
    assert "Delete this run" not in people.client("researcher").get(SHOWN).text
    assert Run.objects.exists()


@pytest.mark.parametrize("by_page", [True, False])
def test_it_goes_and_the_record_stays(people: People, by_page: bool) -> None:
    sha256 = Run.objects.get().sha256
    if by_page:
        assert PAGE in people.client("admin").get(SHOWN).text
        answer = people.client("admin").post(PAGE)
        assert (answer.status_code, answer["Location"]) == (302, reverse("runs", args=["bees"]))
    else:
        assert caller(people.admin).delete(API).status_code == 204
    event = AuditEvent.objects.get(verb="run deleted")
    assert (event.actor, event.subject, event.detail) == (people.admin, "a/b", {"sha256": sha256})
    assert not Run.objects.exists()
    assert make_run(people.collection, "1 Q0 d 1 9 a/b\n").sha256 == sha256


@pytest.mark.parametrize("use", [evaluated, pooled, accounted, waited_for])
def test_what_something_was_made_with_stays(people: People, use: Any) -> None:
    use(people, Run.objects.get())
    assert caller(people.admin).delete(API).status_code == 409
    assert people.client("admin").post(PAGE)["Location"] == SHOWN
    assert PAGE not in people.client("admin").get(SHOWN).text
    assert (Run.objects.count(), AuditEvent.objects.filter(verb="run deleted").count()) == (1, 0)


def test_a_run_of_another_collection_is_not_found(people: People) -> None:
    make_run(people.outsider.memberships.get().collection, "1 Q0 d 1 9 theirs\n")
    assert caller(people.admin).delete(reverse("api_run", args=["bees", "theirs"])).status_code == 404
    assert Run.objects.count() == 2
