"""The overview of a collection: what is told and asked of whom."""

import pytest

from annotation.models import Batch
from tests.annotation.roles import People, make_people
from tests.factories import make_batch

pytestmark = pytest.mark.django_db


@pytest.fixture
def people() -> People:
    return make_people()


def overview(people: People, who: str = "admin") -> str:
    return people.client(who).get("/c/bees/").text


def test_each_count_leads_to_what_it_counts(people: People) -> None:
    counted = {
        "topics": "topics", "documents": "documents", "people": "annotators",
        "batches": "batches", "quality": "judgments", "snapshots": "snapshots",
    }  # fmt: skip
    for page, name in counted.items():
        assert f'<a class="value" href="/c/bees/{page}/"><span class="visually-hidden">{name.title()}' in overview(
            people
        )
    assert '<a class="value" href="/c/bees/people/">' not in overview(people, "researcher")


def test_the_way_is_open_until_people_can_judge_and_folded_then(people: People) -> None:
    assert "<details open>" in overview(people)
    make_batch(people.collection, [], state=Batch.State.OPEN)
    assert "<details open>" not in overview(people)


def test_who_may_not_do_a_step_reads_who_does_it(people: People) -> None:
    for who, address in (("admin", "/c/bees/imports/new/topics"), ("researcher", "")):
        answer = people.client(who).get("/c/bees/")
        checklist = answer.context["checklist"]
        assert (checklist.next.step.page, checklist.next.address) == ("topics", address)
        assert ("an admin does it" in answer.text) == (not address)
    opens = {each.step.page: each.address for each in checklist.steps}
    assert (opens["runs"], opens["gold"], opens["people"]) == ("/c/bees/runs/new", "", "")
