"""A collection in which nobody has worked goes: hidden at once, cleared away by the worker; the record stays."""

from collections.abc import Callable
from itertools import count
from typing import Any

import pytest
from django.apps import apps
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from annotation.corpus.steps.document_index import sweep_document_index
from annotation.exchange.steps.deletion import run_deletion, start_deletion, sweep_deletions
from annotation.exchange.steps.deletion.tables import tables_of
from annotation.gold.steps.events import set_gold
from annotation.home.steps.waiting import sweep_waiting
from annotation.kernel.jobs import WorkerStoppingError, ask_cancel, claim_job, enqueue, put_back
from annotation.models import AuditEvent, Batch, Collection, Consent, GuidelineReading, Job, Membership
from annotation.people.steps.information import revise_information
from annotation.people.steps.invitations import make_invitations
from evaluation.models import Evaluation
from tests.annotation.callers import caller, callers
from tests.annotation.qualified import go_through, make_round, place_in
from tests.annotation.refused_fields import refused_fields
from tests.annotation.roles import ADMINS_ONLY, People, make_people
from tests.factories import (
    make_annotator,
    make_batch,
    make_decision,
    make_judgment,
    make_run,
    make_snapshot,
)

pytestmark = [pytest.mark.django_db, pytest.mark.both("jobs")]
JSON = "application/json"
API, PAGE = reverse("api_collection_delete", args=["bees"]), reverse("collection_delete", args=["bees"])
NAME = {"name": "A collection"}


@pytest.fixture
def people() -> People:
    return make_people()


def fill(collection: Collection, people: People) -> None:
    """Rows of many kinds, and no work of anybody."""
    batch = make_batch(collection, [make_annotator(collection)], state=Batch.State.CLOSED)
    item = batch.items.all()[0]
    set_gold(
        *(collection,),
        topic=item.topic, document=item.document, grade=1, accepted=[], reason="", actor=people.admin,
    )  # fmt: skip
    run, snapshot = make_run(collection, "1 Q0 d 1 9 bm25\n"), make_snapshot(collection, "1 0 d 1\n")
    Evaluation.objects.create(
        snapshot=snapshot,
        run=run,
        measures=[],
        averaging="complete",
        means={},
        n_topics=1,
        sha256="0" * 64,
    )
    revise_information(collection, text="Read this.", based_on=0, actor=people.admin)
    make_invitations(collection, role="annotator", notes=["Ada"], actor=people.admin)
    make_round(collection)
    done = enqueue("export_bundle", collection=collection, created_by=people.admin)
    ask_cancel(done, actor=people.admin)


def n_rows(collection: Collection) -> dict[str, int]:
    return {rows.model.__name__: n for rows in tables_of(collection) if (n := rows.count())}


def test_only_admins_delete(people: People) -> None:
    assert people.statuses(PAGE) == ADMINS_ONLY
    others = ("researcher", "annotator", "outsider", "anonymous")
    assert [people.client(who).post(PAGE, NAME).status_code for who in others] == [403, 403, 404, 302]
    clients = {who: client for who, client in callers(people).items() if who != "admin"}
    assert {who: each.post(API, NAME, JSON).status_code for who, each in clients.items()} == {
        "researcher": 403,
        "annotator": 403,
        "outsider": 404,
        "anonymous": 401,
    }
    assert Collection.objects.filter(slug="bees").exists()


@pytest.mark.parametrize("by_page", [True, False])
def test_it_is_gone_at_once_and_cleared_by_the_worker(people: People, by_page: bool) -> None:
    other = Collection.objects.exclude(slug="bees").get()
    fill(people.collection, people)
    fill(other, people)
    sweep_document_index()
    sweep_waiting()
    before, n_events = n_rows(other), AuditEvent.objects.filter(collection=people.collection).count()
    assert len(before) > 20
    assert n_events
    if by_page:
        answer = people.client("admin").post(PAGE, NAME)
        assert answer["Location"] == reverse("job", args=[Job.objects.latest("pk").token])
        assert people.client("admin").get(answer["Location"]).status_code == 200
    else:
        client = caller(people.admin)
        answer = client.post(API, NAME, JSON)
        assert answer.status_code == 202
        assert client.get(answer.json()["job_url"]).json()["state"] == "queued"
    assert people.client("admin").get("/c/bees/").status_code == 404
    assert not Collection.objects.filter(slug="bees").exists()
    call_command("worker", once=True)
    assert Job.objects.get(kind="delete_collection").result == {"deleted": "bees"}
    assert not Collection.objects.filter(pk=people.collection.pk).exists()
    assert (n_rows(people.collection), n_rows(other)) == ({}, before)
    kept = AuditEvent.objects.filter(collection=None, detail__collection="bees")
    assert kept.count() == n_events
    event = AuditEvent.objects.get(verb="collection deleted")
    assert (event.actor, event.subject, event.detail) == (people.admin, "bees", {"name": "A collection"})


def test_every_table_of_both_apps_is_among_them(people: People) -> None:
    names = {rows.model.__name__ for rows in tables_of(people.collection)}
    of_people = {"User", "ApiToken", "JudgingChoices", "KeptAnswer", "SignInLink", "WorkSession"}
    models = {*apps.get_app_config("annotation").get_models(), *apps.get_app_config("evaluation").get_models()}
    assert names == {model.__name__ for model in models} - of_people - {"AuditEvent", "Collection", "Installation"}


def judged(collection: Collection) -> object:
    annotator = make_annotator(collection)
    batch = make_batch(collection, [annotator], state=Batch.State.CLOSED)
    return make_judgment(batch.items.all()[0], annotator, 1)


def adjudicated(collection: Collection) -> object:
    return make_decision(make_batch(collection, [], state=Batch.State.CLOSED).items.all()[0], 1)


def consented(collection: Collection) -> object:
    version = revise_information(collection, text="Read this.", based_on=0, actor=None)
    return Consent.objects.create(annotator=make_annotator(collection), information=version, given_at=timezone.now())


def acknowledged(collection: Collection) -> object:
    assert collection.guideline is not None
    return GuidelineReading.objects.create(
        annotator=make_annotator(collection), guideline=collection.guideline, read_at=timezone.now()
    )


def trained(collection: Collection) -> object:
    annotator = make_annotator(collection)
    batch = make_batch(collection, [annotator], qualification=make_round(collection))
    go_through(place_in(batch, annotator), [0])
    return Batch.objects.update(state=Batch.State.CLOSED)


def opened(collection: Collection) -> object:
    return make_batch(collection, [])


def at_work(collection: Collection) -> object:
    return enqueue("export_bundle", collection=collection, created_by=None)


@pytest.mark.parametrize("use", [judged, adjudicated, consented, acknowledged, trained, opened, at_work])
def test_where_people_have_worked_it_stays(people: People, use: Callable[[Collection], Any]) -> None:
    use(people.collection)
    before = n_rows(people.collection)
    assert caller(people.admin).post(API, NAME, JSON).status_code == 409
    answer = people.client("admin").post(PAGE, NAME)
    assert (answer.status_code, list(answer.context["form"].errors)) == (422, ["__all__"])
    assert n_rows(people.collection) == before
    assert "<form class" not in people.client("admin").get(PAGE).text.partition("<main")[2]


@pytest.mark.parametrize("name", ["", "bees", "a collection", None])
def test_its_name_is_to_be_written(people: People, name: str | None) -> None:
    answer = caller(people.admin).post(API, {"name": name}, JSON)
    assert (answer.status_code, refused_fields(answer)) == (400, {"name"})
    assert people.client("admin").post(PAGE, {"name": name or ""}).status_code == 422
    assert Membership.objects.filter(collection=people.collection).count() == 3


def test_what_a_cancelled_job_left_is_begun_anew(people: People) -> None:
    fill(people.collection, people)
    job = start_deletion(people.collection, actor=people.admin)
    assert sweep_deletions() == 0
    ask_cancel(job, actor=people.admin)
    assert (sweep_deletions(), sweep_deletions()) == (1, 0)
    call_command("worker", once=True)
    assert not Collection.objects.filter(pk=people.collection.pk).exists()
    assert Job.objects.filter(kind="delete_collection").latest("pk").result == {"deleted": "bees"}


def test_a_worker_that_stops_half_way_leaves_the_rest_to_the_next(people: People) -> None:
    fill(people.collection, people)
    start_deletion(people.collection, actor=people.admin)
    claimed, n_reports = claim_job(), count()
    assert claimed is not None
    claimed.stopping = lambda: next(n_reports) == 32
    before = n_rows(people.collection)
    with pytest.raises(WorkerStoppingError):
        run_deletion(claimed)
    left = n_rows(people.collection)
    assert 0 < len(left) < len(before)
    put_back(claimed)
    call_command("worker", once=True)
    assert (n_rows(people.collection), Job.objects.get(pk=claimed.job.pk).state) == ({}, "done")


def test_its_short_name_is_free_at_once(people: People) -> None:
    people.admin.may_create_collections = True
    people.admin.save()
    client = caller(people.admin)
    assert client.post(API, NAME, JSON).status_code == 202
    assert client.post(reverse("api_collections"), {"name": "Bees", "slug": "bees"}, JSON).status_code == 201
    call_command("worker", once=True)
    (row,) = client.get(reverse("api_collections")).json()["results"]
    assert (row["slug"], row["name"], Collection.objects.filter(pk=people.collection.pk).exists()) == (
        *("bees", "Bees", False),
    )
