"""Small files have a lane of their own: they wait neither behind long jobs nor for the turn of one."""

import pytest
from django.core.management import call_command

from annotation.exchange.steps.importing import flow, publish_import, waits_its_turn
from annotation.kernel.jobs import SHORT_JOBS, claim_job
from annotation.models import Import, Job
from tests.annotation.exchange.steps.import_work import bring
from tests.factories import make_collection

pytestmark = [pytest.mark.django_db, pytest.mark.both("jobs")]


def test_small_files_are_short_and_others_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    collection = make_collection()
    bring(collection, "topics", "1\tbees\n")
    bring(collection, "collection", b"PK")
    monkeypatch.setattr(flow, "SMALL", 5)
    bring(collection, "topics", "2\twasps\n")
    assert [job.payload.get("short") for job in Job.objects.order_by("pk")] == [True, None, None]


def test_a_worker_of_short_jobs_leaves_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    collection = make_collection()
    with monkeypatch.context() as patch:
        patch.setattr(flow, "SMALL", 5)
        long = bring(collection, "topics", "1\tbees\n")
    short = bring(collection, "topics", "2\twasps\n")
    call_command("worker", once=True, short=True)
    states = dict(Import.objects.values_list("pk", "state"))
    assert states == {long.pk: "checking", short.pk: "checked"}
    call_command("worker", once=True)
    assert set(Import.objects.values_list("state", flat=True)) == {"checked"}


def test_storing_that_would_wait_its_turn_is_left_to_the_other_worker() -> None:
    collection = make_collection()
    first, second = (bring(collection, "topics", f"{n}\tbees\n") for n in "12")
    call_command("worker", once=True, short=True)
    publish_import(second, actor=None)
    Import.objects.filter(pk=first.pk).update(state=Import.State.STORING)
    assert claim_job(among=SHORT_JOBS & ~waits_its_turn()) is None
    Import.objects.filter(pk=first.pk).update(state=Import.State.CHECKED)
    call_command("worker", once=True, short=True)
    assert Import.objects.get(pk=second.pk).state == "published"
