"""Imported qrels go while nothing rests on them: from their page, and through the API by the same step."""

from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from annotation.kernel.jobs import enqueue
from annotation.models import AuditEvent, Snapshot
from annotation.trust.read.policies import policies_of
from annotation.trust.steps.snapshots import freeze_snapshot
from evaluation.models import Accounting, Evaluation
from tests.annotation.callers import caller, callers
from tests.annotation.roles import People, make_people
from tests.annotation.worked_campaign import make_worked
from tests.factories import make_run, make_snapshot

pytestmark = [pytest.mark.django_db, pytest.mark.both("refusals")]


@pytest.fixture
def people() -> People:
    people = make_people()
    make_snapshot(people.collection, "1 0 d 1\n", name="qrels")
    return people


def at(name: str, snapshot: Snapshot) -> str:
    return reverse(name, args=["bees", snapshot.pk])


def evaluated(people: People, snapshot: Snapshot) -> object:
    run = make_run(people.collection, "1 Q0 d 1 9 a\n")
    return Evaluation.objects.create(
        snapshot=snapshot,
        run=run,
        measures=[],
        averaging="complete",
        means={},
        n_topics=1,
        sha256="0" * 64,
    )


def accounted(people: People, snapshot: Snapshot) -> object:
    return Accounting.objects.create(
        collection=people.collection, snapshot=snapshot, key="k", result={}, made_at=timezone.now()
    )


def waited_for(people: People, snapshot: Snapshot) -> object:
    return enqueue("evaluate_runs", collection=people.collection, created_by=people.admin, snapshot=snapshot.pk)


def test_only_admins_delete(people: People) -> None:
    snapshot = Snapshot.objects.get()
    clients = {who: client for who, client in callers(people).items() if who != "admin"}
    assert {who: client.delete(at("api_snapshot", snapshot)).status_code for who, client in clients.items()} == {
        "researcher": 403,
        "annotator": 403,
        "outsider": 404,
        "anonymous": 401,
    }
    others, page = ("researcher", "annotator", "outsider", "anonymous"), at("snapshot_delete", snapshot)
    assert [people.client(who).post(page).status_code for who in others] == [403, 403, 404, 302]
    assert page not in people.client("researcher").get(at("snapshot", snapshot)).text
    assert Snapshot.objects.exists()


@pytest.mark.parametrize("by_page", [True, False])
def test_it_goes_and_the_record_stays(people: People, by_page: bool) -> None:
    snapshot = Snapshot.objects.get()
    if by_page:
        page = at("snapshot_delete", snapshot)
        assert page in people.client("admin").get(at("snapshot", snapshot)).text
        assert people.client("admin").post(page)["Location"] == reverse("snapshots", args=["bees"])
    else:
        assert caller(people.admin).delete(at("api_snapshot", snapshot)).status_code == 204
    event = AuditEvent.objects.get(verb="snapshot deleted")
    assert (event.actor, event.subject, event.detail) == (people.admin, "qrels", {"sha256": snapshot.qrels_sha256})
    assert not Snapshot.objects.exists()


@pytest.mark.parametrize("use", [evaluated, accounted, waited_for])
def test_what_something_rests_on_stays(people: People, use: Any) -> None:
    snapshot = Snapshot.objects.get()
    use(people, snapshot)
    page = at("snapshot_delete", snapshot)
    assert caller(people.admin).delete(at("api_snapshot", snapshot)).status_code == 409
    assert people.client("admin").post(page)["Location"] == at("snapshot", snapshot)
    assert page not in people.client("admin").get(at("snapshot", snapshot)).text
    assert Snapshot.objects.exists()


def test_what_was_frozen_stays(people: People) -> None:
    worked = make_worked(people.collection)
    policy = policies_of(people.collection)[0]
    frozen = freeze_snapshot(people.collection, name="first", batches=[worked.batch], policy=policy, created_by=None)
    assert caller(people.admin).delete(at("api_snapshot", frozen)).status_code == 409
    assert Snapshot.objects.filter(pk=frozen.pk).exists()


def test_one_of_another_collection_is_not_found(people: People) -> None:
    foreign = make_snapshot(people.outsider.memberships.get().collection, "1 0 d 1\n")
    assert caller(people.admin).delete(at("api_snapshot", foreign)).status_code == 404
    assert Snapshot.objects.count() == 2
