"""The health of judgments made elsewhere: what applies is said, what does not is not."""

import pytest
from django.urls import reverse

from annotation.models import Batch
from tests.annotation.exchange.steps.import_work import stored
from tests.annotation.roles import People, make_people
from tests.factories import make_gold

pytestmark = pytest.mark.django_db

HEAD = "query\tdocno\tannotator\tgrade"
ROWS = [f"{n % 3}\tD{n}\tw{who}\t{(n + who // 2) % 5}" for n in range(12) for who in range(3)]
TIMES = [f"2026-03-{1 + i // 4:02}T12:{i:02}:00Z" for i in range(len(ROWS))]


def brought(people: People, *, times: bool = False) -> str:
    lines = [f"{row}\t{at}" for row, at in zip(ROWS, TIMES, strict=True)] if times else ROWS
    head = f"{HEAD}\tcreated_at" if times else HEAD
    stored(people.collection, "judgments", "\n".join([head, *lines, ""]), name="crowd")
    return reverse("batch_health", args=["bees", Batch.objects.get().token])


def test_without_times_there_is_no_course_but_agreement_and_gold() -> None:
    people = make_people()
    address = brought(people)
    for item in Batch.objects.get().items.order_by("pk")[:4]:
        make_gold(item, 1)
    answer = people.client("researcher").get(address)
    report = answer.context["report"]
    assert not report.has_times
    assert not report.has_paces
    assert (len(report.agreement.stretches), len(report.gold)) == (1, 1)
    assert (report.alpha.n_pairs, report.n_gold, report.alerts) == (12, 12, [])
    assert report.eta.reason == "The batch is closed: nobody gets new cards."
    for phrase in ("were made elsewhere", "have the same time", "Nothing changes here any more"):
        assert phrase in answer.text
    for phrase in ("hx-get", "judgments expected", "Could not judge", "Median s", "Done by", '<svg class="drawn"'):
        assert phrase not in answer.text


def test_with_times_there_is_a_course() -> None:
    people = make_people()
    report = people.client("researcher").get(brought(people, times=True)).context["report"]
    assert report.has_times
    assert [(day.day.isoformat(), day.n_judged) for day in report.days][:2] == [("2026-03-01", 4), ("2026-03-02", 4)]
    assert sum(day.n_judged for day in report.days) == 36
