"""The life of a batch by command."""

import pytest

from annotation.models import AuditEvent, Batch, Participation
from tests.annotation.campaign import Campaign, make_campaign
from tests.commands import ran
from tests.factories import make_collection

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign() -> Campaign:
    return make_campaign(make_collection("bees"))


def test_from_draft_to_close(campaign: Campaign) -> None:
    campaign.draft(judgments_per_item=2)
    assert ran("batch", "dry-run", "bees", "first").code == 0
    for deed, state in (
        ("lay-out", "laid_out"),
        ("open", "open"),
        ("pause", "paused"),
        ("reopen", "open"),
        ("close", "closed"),
    ):
        tried = ran("batch", deed, "bees", "first", "--dry-run")
        assert (tried.code, Batch.objects.get().state != state) == (0, True), deed
        assert ran("batch", deed, "bees", "first").code == 0
        assert Batch.objects.get().state == state
    verbs = AuditEvent.objects.order_by("pk").values_list("verb", flat=True)
    assert [verb for verb in verbs if verb.startswith("batch ")][1:] == [
        "batch laid out", "batch opened", "batch paused", "batch reopened", "batch closed",
    ]  # fmt: skip


@pytest.mark.parametrize("deed", ["open", "pause", "reopen", "close"])
def test_a_step_out_of_turn_is_refused_on_trial_too(campaign: Campaign, deed: str) -> None:
    campaign.draft()
    tried, done = (ran("batch", deed, "bees", "first", *words, "--json") for words in (["--dry-run"], []))
    assert (tried.code, done.code, tried.error, tried.out) == (1, 1, done.error, "")
    assert Batch.objects.get().state == "draft"


def test_people_join_and_leave(campaign: Campaign) -> None:
    campaign.draft(annotators=campaign.annotators[:1])
    tried = ran("batch", "assign", "bees", "first", "everybody", "--dry-run", "--json")
    assert (tried.facts["assigned"], Participation.objects.count()) == (3, 1)
    assert ran("batch", "assign", "bees", "first", "A-2", "A-3").out == "assigned: 2 of 2\n"
    ended = ran("batch", "assign", "bees", "first", "A-2", "--end", "--json")
    assert (ended.facts["ended"], Participation.objects.filter(is_active=True).count()) == (1, 2)
    assert ran("batch", "assign", "bees", "first", "A-2", "--end").code == 1
    assert ran("batch", "assign", "bees", "first", "Nobody").code == 2


def test_lists_and_looks(campaign: Campaign) -> None:
    assert ran("batch", "list", "bees").out == "no batch\n"
    campaign.draft()
    row = ran("batch", "list", "bees", "--json").facts[0]
    assert (row["name"], row["state"], row["pool"], row["judged"]) == ("first", "draft", "pool", 0)
    ran("batch", "lay-out", "bees", "first")
    shown = ran("batch", "show", "bees", "first", "--json").facts
    assert {one["number"] for one in shown["by_topic"]} == {"T1", "T2", "T3"}
    assert len(shown["by_person"]) == 4
    assert ran("batch", "show", "bees", "first").out.startswith("first: laid out, ")
    assert ran("batch", "delete", "bees", "first").out == "first is deleted\n"
    assert not Batch.objects.exists()
    assert ran("batch", "show", "bees", "first").code == 2


def test_a_draft_is_changed_and_says_what_it_is_then(campaign: Campaign) -> None:
    campaign.draft(block_size=20)
    assert ran("batch", "list", "bees").out == "first: draft, 0 pairs, 0 judged, 4 people\n"
    words = ("batch", "edit", "bees", "first", "--name", "second", "--gold-share", "15", "--topic", "T2", "--json")
    assert ran(*words, "--dry-run").facts["name"] == "second"
    assert Batch.objects.get().name == "first"
    done = ran(*words)
    assert (done.facts["name"], done.facts["gold_share"], done.facts["stored"]) == ("second", 0.15, True)
    assert [topic.number for topic in Batch.objects.get().topics.all()] == ["T2"]
    assert ran("batch", "edit", "bees", "second").code == 2
    ran("batch", "lay-out", "bees", "second")
    assert ran("batch", "edit", "bees", "second", "--seed", "3").code == 1
