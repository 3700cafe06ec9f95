import pytest
from django.urls import reverse
from django.utils import timezone

from annotation.batches.read.batches import batch_row, batch_rows
from annotation.judging.steps.claiming import claim_next
from annotation.judging.steps.grading import record_judgment
from annotation.models import Batch, Judgment
from annotation.people.steps.information import revise_information
from tests.annotation.callers import RESEARCH, caller, statuses
from tests.annotation.counting import queries_of
from tests.annotation.qualified import make_round
from tests.annotation.roles import People, make_people
from tests.factories import make_annotator, make_batch, make_collection, make_user

pytestmark = pytest.mark.django_db

ADDRESS = reverse("api_batches", args=["bees"])


@pytest.fixture
def people() -> People:
    return make_people()


def judged_batch(people: People, n_judged: int = 3) -> Batch:
    """A batch of 2 topics with 4 documents each, 2 judgments an item, two people; the first has judged a little."""
    annotators = [make_annotator(people.collection, pseudonym=name) for name in ("A-TWO", "A-THREE")]
    batch = make_batch(people.collection, annotators, n_topics=2, n_documents=4, judgments_per_item=2)
    place = batch.participations.get(annotator=annotators[0])
    for _ in range(n_judged):
        card = claim_next(place, moment=timezone.now())
        assert card is not None
        record_judgment(place, token=card.token, grade=2, moment=timezone.now())
    Judgment.objects.update(active_ms=1_800_000, wall_ms=3_600_000)
    return batch


def test_who_may(people: People) -> None:
    batch = make_batch(people.collection, [])
    assert statuses(people, ADDRESS) == RESEARCH
    assert statuses(people, reverse("api_batch", args=["bees", batch.token])) == RESEARCH


def test_a_batch_is_found_in_its_own_collection_only(people: People) -> None:
    foreign = make_batch(make_collection("wasps"), [])
    client = caller(people.admin)
    assert client.get(reverse("api_batch", args=["bees", foreign.token])).status_code == 404
    assert client.get(reverse("api_batch", args=["bees", "unknown"])).json()["detail"] == "No such batch."
    assert client.get(ADDRESS).json()["results"] == []


def test_what_comes_before_the_first_card_is_named(people: People) -> None:
    text = revise_information(people.collection, text="We keep your grades.", based_on=0, actor=None)
    batch = make_batch(people.collection, [], information=text, qualification=make_round(people.collection))
    (row,) = caller(people.researcher).get(ADDRESS).json()["results"]
    one = caller(people.researcher).get(reverse("api_batch", args=["bees", batch.token])).json()
    for settings in (row["settings"], one["settings"]):
        assert (settings["information"], settings["qualification"]) == (1, "Basics")


def test_the_list_says_how_far_each_batch_is(people: People) -> None:
    batch = judged_batch(people)
    (row,) = caller(people.researcher).get(ADDRESS).json()["results"]
    assert row.pop("created_at").endswith("Z")
    assert row.pop("settings") == {
        "steered_by": None,
        "most_judgments": None,
        "target_probability": None,
        "gold_share": 0.12,
        "check_share": 0.0,
        "repeat_share": 0.0,
        "opening_cards": 3,
        "minimum_seconds": 0,
        "nudge_minutes": 25,
        "session_minutes": 50,
        "break_minutes": 10,
        "feedback": "never",
        "feedback_hours": 24,
        "information": None,
        "qualification": None,
        "block_size": 25,
        "seed": 1,
    }
    assert row == {
        "token": batch.token,
        "name": batch.name,
        "state": "open",
        "criterion": "relevance",
        "pool": str(batch.pool),
        "brought_from": None,
        "judgments_per_item": 2,
        "n_items": 8,
        "n_expected": 16,
        "n_judged": 3,
        "n_people": 2,
        "laid_out_at": None,
        "url": f"http://testserver/api/v1/collections/bees/batches/{batch.token}",
    }


def test_one_batch_as_in_the_list(people: People) -> None:
    batch = judged_batch(people)
    assert batch_rows(people.collection) == [batch_row(batch)]


def test_progress_by_topic(people: People) -> None:
    batch = judged_batch(people)
    answer = caller(people.researcher).get(reverse("api_batch", args=["bees", batch.token])).json()
    assert (answer["n_items"], answer["n_judged"]) == (8, 3)
    assert [(topic["n_items"], topic["n_wanted"], topic["n_withheld"]) for topic in answer["topics"]] == [(4, 8, 0)] * 2
    assert sum(topic["n_judged"] for topic in answer["topics"]) == 3


def test_people_are_shown_by_pseudonym_as_on_the_page(people: People) -> None:
    address = reverse("api_batch", args=["bees", judged_batch(people).token])
    shown = caller(people.researcher).get(address).json()["people"]
    three, two = caller(people.admin).get(address).json()["people"]
    assert shown == [three, two]
    assert two.pop("last_seen").endswith("Z")
    assert two == {
        "annotator": "A-TWO",
        "is_active": True,
        "n_judged": 3,
        "n_skipped": 0,
        "active_hours": 1.5,
        "wall_hours": 3.0,
    }
    assert (three["annotator"], three["n_judged"], three["last_seen"]) == ("A-THREE", 0, None)


def test_the_number_of_queries_does_not_grow() -> None:
    counts = []
    for n in (1, 3):
        person = make_user()
        collection = make_collection(admin=person)
        for _ in range(n):
            make_batch(collection, [make_annotator(collection)])
        counts.append(queries_of(caller(person), reverse("api_batches", args=[collection.slug]), n))
    assert counts[0] == counts[1]
