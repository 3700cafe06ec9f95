"""Drafting and laying out by command: what the pages would do, for programs."""

import io
import json

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Batch, Item, Slot
from annotation.people.steps.information import revise_information
from tests.annotation.batches.steps.overlap_work import steering_policy
from tests.annotation.campaign import Campaign, make_campaign
from tests.annotation.qualified import make_round
from tests.commands import ran
from tests.factories import make_collection

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign() -> Campaign:
    return make_campaign(make_collection("bees"))


def output_of(*words: str) -> str:
    out = io.StringIO()
    call_command(*words, stdout=out, stderr=io.StringIO())
    return out.getvalue()


def refused(*words: str) -> tuple[str, int]:
    with pytest.raises(CommandError) as raised:
        output_of(*words)
    return str(raised.value), raised.value.returncode


def test_a_draft_has_what_was_given_and_else_what_the_page_proposes(campaign: Campaign) -> None:
    options = ("--pool", "pool", "--annotator", "everybody", "--seed", "7", "--json")
    facts = json.loads(output_of("batch", "new", "bees", "first", *options))
    batch = Batch.objects.get()
    assert facts == {
        "name": "first", "state": "draft", "topics": 3, "annotators": 4, "seed": 7, "judgments_per_item": 3,
        "gold_share": 0.12, "check_share": 0.0, "repeat_share": 0.0, "minimum_seconds": 10, "session_minutes": 50,
        "break_minutes": 10, "nudge_minutes": 25, "opening_cards": 3, "feedback": "never", "feedback_hours": 24,
        "block_size": 25, "information": None, "qualification": None, "steered_by": None, "most_judgments": None,
        "target_probability": None,
    }  # fmt: skip
    assert (batch.pool, batch.seed, batch.gold_share, batch.participations.count()) == (campaign.pool, 7, 0.12, 4)
    words = output_of(
        "batch", "new", "bees", "second", "--pool", "pool", "--topic", "T2", "--topic", "T3", "--annotator", "A-2",
        "--judgments-per-item", "1", "--gold-share", "15", "--seed", "1", "--nudge-minutes", "0",
        "--opening-cards", "5", "--feedback", "delayed", "--feedback-hours", "48",
    )  # fmt: skip
    assert words == "drafted: second, 2 topics, 1 annotator, seed 1\n"
    second = Batch.objects.get(name="second")
    assert [topic.number for topic in second.topics.order_by("number")] == ["T2", "T3"]
    assert (second.judgments_per_item, second.gold_share) == (1, 0.15)
    assert (second.nudge_minutes, second.opening_cards) == (0, 5)
    assert (second.feedback, second.feedback_hours) == ("delayed", 48)
    output_of("batch", "new", "bees", "third", "--pool", "pool")
    output_of("batch", "new", "bees", "fourth", "--pool", "pool")
    third, fourth = Batch.objects.filter(name__in=("third", "fourth"))
    assert third.seed != fourth.seed, "drawn"


def test_a_draft_may_ask_for_more_where_a_grade_is_in_doubt(campaign: Campaign) -> None:
    steering_policy(campaign.collection)
    draft = ("batch", "new", "bees", "first", "--pool", "pool", "--json")
    facts = json.loads(output_of(*draft, "--steered-by", "steering v1", "--most-judgments", "5"))
    steered = {name: facts[name] for name in ("steered_by", "most_judgments", "target_probability")}
    assert steered == {"steered_by": "steering v1", "most_judgments": 5, "target_probability": 0.9}
    words, code = refused(*draft, "--steered-by", "default v1", "--most-judgments", "5")
    assert "This policy gives no probability of a grade to steer by." in words
    assert code == 2


def test_what_comes_before_the_first_card_is_named(campaign: Campaign) -> None:
    text = revise_information(campaign.collection, text="We keep your grades.", based_on=0, actor=None)
    qualification = make_round(campaign.collection)
    draft = ("batch", "new", "bees", "first", "--pool", "pool")
    facts = json.loads(output_of(*draft, "--information", "1", "--qualification", "Basics", "--json"))
    assert (facts["information"], facts["qualification"]) == (1, "Basics")
    batch = Batch.objects.get()
    assert (batch.information, batch.qualification) == (text, qualification)
    second = (*draft[:3], "second", *draft[4:])
    assert refused(*second, "--information", "2") == ("There is no version 2 of the information text.", 2)
    assert refused(*second, "--qualification", "x") == ("There is no qualification round x in this collection.", 2)


def test_what_the_page_would_not_take_is_misuse(campaign: Campaign) -> None:
    campaign.draft()
    draft = ("batch", "new", "bees", "second", "--pool", "pool")
    for words, message in [
        (("batch", "new", "wasps", "x", "--pool", "pool"), "There is no collection wasps."),
        (("batch", "new", "bees", "x", "--pool", "lake"), "There is no pool lake in this collection."),
        ((*draft, "--annotator", "Nobody"), "There is no annotator Nobody who could take part."),
        ((*draft, "--topic", "T9"), "numbers: Not in this pool: T9."),
        ((*draft, "--gold-share", "55"), "gold_share: Ensure this value is less than or equal to 50."),
        (("layout", "bees", "second"), "There is no batch second in this collection."),
        (("layout", "wasps", "first"), "There is no collection wasps."),
    ]:
        assert refused(*words) == (message, 2)
    taken = ("batch", "new", "bees", "first", "--pool", "pool")
    assert refused(*taken) == ("name: The collection already has a batch of this name.", 1)
    assert refused(*taken, "--dry-run") == ("name: The collection already has a batch of this name.", 1)
    assert Batch.objects.count() == 1


def test_the_plan_is_what_is_stored(campaign: Campaign) -> None:
    campaign.draft(judgments_per_item=2)
    plan = json.loads(output_of("layout", "bees", "first", "--dry-run", "--json"))
    assert (plan["stored"], Item.objects.count()) == (False, 0)
    done = json.loads(output_of("layout", "bees", "first", "--json"))
    assert done == {**plan, "stored": True}
    assert (done["n_items"], done["n_topics"]) == (Item.objects.count(), 3)
    assert Slot.objects.exists()
    assert Batch.objects.get().state == Batch.State.LAID_OUT
    assert refused("layout", "bees", "first") == ("This batch has been laid out already.", 1)
    assert refused("layout", "bees", "first", "--dry-run") == ("This batch has been laid out already.", 1)


def test_the_plan_in_words_names_who_cannot_reach_ten_gold(campaign: Campaign) -> None:
    campaign.draft(judgments_per_item=1)
    lines = output_of("layout", "bees", "first", "--dry-run").splitlines()
    assert lines[0].startswith("With so little gold no pair will count. The policy default v1 counts nobody")
    assert lines[1].startswith("would be laid out: ")
    short = [line for line in lines if line.startswith("cannot reach 10 gold: ")]
    assert [line.split(": ")[1].partition(".")[0] for line in short] == ["A-1", "A-2", "A-3", "A-4"]
    assert "too little of it comes up" in short[0]
    assert output_of("layout", "bees", "first").splitlines()[2:] == lines[2:]


def test_a_layout_that_is_not_possible_leaves_the_draft(campaign: Campaign) -> None:
    campaign.draft(annotators=campaign.annotators[:1])
    reason = "3 judgments of every pair by different people are wanted, but there is 1 participant."
    assert refused("layout", "bees", "first", "--dry-run") == (reason, 1)
    assert refused("layout", "bees", "first") == (reason, 1)
    assert (Batch.objects.get().state, Item.objects.count()) == (Batch.State.DRAFT, 0)


def test_the_first_name_of_a_draft_still_works(campaign: Campaign) -> None:
    ended = ran("batch", "bees", "first", "--pool", "pool", "--seed", "1")
    assert (ended.code, ended.out) == (0, "drafted: first, 3 topics, 0 annotators, seed 1\n")
    tried = ran("batch", "new", "bees", "second", "--pool", "pool", "--dry-run")
    assert (tried.code, tried.out.startswith("would be drafted: second"), Batch.objects.count()) == (0, True, 1)
