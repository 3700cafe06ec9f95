"""Closing a batch with a snapshot of it, from one page that says first what would be kept."""

import pytest
from django.test import Client

from annotation.kernel.blocks import recount_blocks
from annotation.models import AuditEvent, Batch, Item, Job, Slot, Snapshot
from annotation.trust.read.policies import default_policy
from annotation.trust.steps.snapshots import freeze_snapshot
from tests.annotation.roles import People, make_people
from tests.annotation.worked_campaign import Worked, make_worked
from tests.factories import make_annotator, make_batch, make_decision, make_judgment

pytestmark = pytest.mark.django_db


def worked_batch() -> tuple[People, Worked, str]:
    people = make_people()
    worked = make_worked(people.collection)
    make_decision(worked.items["d3"], 1)  # so that the default policy keeps a pair
    Batch.objects.filter(pk=worked.batch.pk).update(state=Batch.State.OPEN)
    return people, worked, f"/c/bees/batches/{worked.batch.token}/close"


def state_of(worked: Worked) -> str:
    return Batch.objects.get(pk=worked.batch.pk).state


def test_it_says_what_a_snapshot_would_keep_and_changes_nothing() -> None:
    people, worked, page = worked_batch()
    answer = people.client("admin").get(page)
    assert answer.context["report"].outcome.n_kept >= 1
    assert answer.context["form"]["name"].value() == worked.batch.name
    assert (state_of(worked), Job.objects.count()) == (Batch.State.OPEN, 0)


def test_it_counts_the_pairs_of_the_snapshot_gold_among_them() -> None:
    people, worked, page = worked_batch()
    client = people.client("admin")
    answer = client.get(page)
    policy = default_policy(people.collection)
    snapshot = freeze_snapshot(people.collection, name="A", batches=[worked.batch], policy=policy, created_by=None)
    assert snapshot.n_pairs > answer.context["report"].coverage.kept
    sentence = f"Freezing keeps the grades of {snapshot.n_pairs} pairs and drops {snapshot.n_dropped},"
    assert sentence in " ".join(answer.text.split())


def test_it_says_what_pairs_lack_however_much_gold_was_judged() -> None:
    """Judgments on gold were taken for those that are missing."""
    people, worked, page = worked_batch()
    worked.fill()
    client = people.client("admin")
    Batch.objects.filter(pk=worked.batch.pk).update(n_expected=1000)  # of which some lapsed
    assert client.get(page).context["n_missing"] == 0
    slot = Slot.objects.filter(batch=worked.batch, item=worked.items["d1"])[:1].values("pk")
    Slot.objects.filter(pk__in=slot).update(state=Slot.State.OPEN)
    recount_blocks(worked.batch)
    Batch.objects.filter(pk=worked.batch.pk).update(n_expected=1)  # as where a policy has asked for more
    answer = client.get(page)
    assert "1 judgment of its pairs is missing." in " ".join(answer.text.split())


def test_one_deed_closes_and_freezes() -> None:
    people, worked, page = worked_batch()
    answer = people.client("admin").post(page, {"name": "First"})
    job = Job.objects.get()
    assert answer.headers["Location"] == f"/jobs/{job.token}/" or job.token in answer.headers["Location"]
    assert (job.payload["name"], job.payload["batches"]) == ("First", [worked.batch.pk])
    assert job.payload["policy"] == str(default_policy(people.collection))
    assert state_of(worked) == Batch.State.CLOSED
    assert AuditEvent.objects.filter(verb="batch closed").count() == 1


def test_a_name_that_is_taken_closes_nothing() -> None:
    people, worked, page = worked_batch()
    policy = default_policy(people.collection)
    freeze_snapshot(people.collection, name=worked.batch.name, batches=[worked.batch], policy=policy, created_by=None)
    client = people.client("admin")
    assert client.get(page).context["form"]["name"].value() == ""
    answer = client.post(page, {"name": worked.batch.name})
    assert answer.status_code == 422
    assert "already has a snapshot of this name" in answer.text
    assert (state_of(worked), Job.objects.count(), Snapshot.objects.count()) == (Batch.State.OPEN, 0, 1)


def test_without_judgments_it_is_closed_alone() -> None:
    people, worked, page = worked_batch()
    Batch.objects.filter(pk=worked.batch.pk).update(n_expected=1)
    empty = Batch.objects.create(
        collection=people.collection, name="Empty", pool=worked.batch.pool, scale=worked.batch.scale, seed=1,
        state=Batch.State.OPEN,
    )  # fmt: skip
    answer = people.client("admin").get(page.replace(worked.batch.token, empty.token))
    assert answer.context["report"] is None
    assert "Close only" in answer.text
    assert "Close and freeze" not in answer.text
    answer = people.client("admin").post(page.replace(worked.batch.token, empty.token), {"name": "Empty"})
    empty.refresh_from_db()
    assert (answer.status_code, empty.state, Job.objects.count()) == (422, Batch.State.OPEN, 0)


def test_where_no_pair_would_be_kept_nothing_is_closed() -> None:
    """The batch was closed, and the freezing failed afterwards."""
    people = make_people()
    person = make_annotator(people.collection)
    batch = make_batch(people.collection, [person], n_topics=1, n_documents=1)
    make_judgment(Item.objects.get(batch=batch), person, 1)
    answer = people.client("admin").post(f"/c/bees/batches/{batch.token}/close", {"name": "First"})
    assert (answer.status_code, "no pair would be kept" in answer.text) == (422, True)
    batch.refresh_from_db()
    assert (batch.state, Job.objects.count()) == (Batch.State.OPEN, 0)


def test_a_closed_batch_leads_to_its_page() -> None:
    people, worked, page = worked_batch()
    Batch.objects.filter(pk=worked.batch.pk).update(state=Batch.State.CLOSED)
    client = people.client("admin")
    for answer in (client.get(page), client.post(page, {"name": "Again"})):
        assert answer.headers["Location"] == f"/c/bees/batches/{worked.batch.token}/"
    assert Job.objects.count() == 0


@pytest.mark.parametrize(("who", "status"), [("researcher", 403), ("annotator", 403), ("outsider", 404)])
def test_others_cannot(who: str, status: int) -> None:
    people, worked, page = worked_batch()
    client = people.client(who)
    assert (client.get(page).status_code, client.post(page, {"name": "First"}).status_code) == (status, status)
    assert state_of(worked) == Batch.State.OPEN


def test_a_visitor_is_asked_to_sign_in() -> None:
    _, _, page = worked_batch()
    assert Client().get(page).headers["Location"] == f"/login?next={page}"
