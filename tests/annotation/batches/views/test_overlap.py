"""Batches whose pairs get as many judgments as they need: their form, their dry run, their page, over HTTP."""

import re
from html import unescape

import pytest

from annotation.models import Batch, Item
from annotation.quality.policy import Policy as Parameters
from annotation.trust.steps.policies import store_policy
from tests.annotation.batches.steps.overlap_work import make_steered, steering_policy
from tests.annotation.batches.steps.test_overlap import judged_apart
from tests.annotation.batches.views.test_batches import beginning, entered
from tests.annotation.roles import RESEARCH_ONLY, make_people
from tests.factories import make_batch

pytestmark = pytest.mark.django_db

STEERED = {"steered_by": "steering v1", "most_judgments": 4, "target_probability": 85}


def test_a_steered_batch_is_drafted_and_changed_in_the_same_form() -> None:
    people, campaign = beginning()
    steering_policy(people.collection)
    client = people.client("admin")
    client.post("/c/bees/batches/new", entered(campaign, **STEERED))
    batch = Batch.objects.get()
    assert (str(batch.steered_by), batch.most_judgments, batch.target_probability) == ("steering v1", 4, 0.85)
    address = f"/c/bees/batches/{batch.token}/edit"
    form = client.get(address).context["form"]
    assert {name: form[name].value() for name in STEERED} == STEERED
    client.post(address, entered(campaign, target_probability=85))
    batch.refresh_from_db()
    assert (batch.steered_by, batch.most_judgments, batch.target_probability) == (None, None, None)


def test_only_policies_that_can_steer_are_offered() -> None:
    """Without one, the form says where to make it, and what is begun there can."""
    people, campaign = beginning()
    client = people.client("admin")
    ranged = Parameters(consolidation="dawid_skene", max_range=1)
    store_policy(people.collection, name="ranged", parameters=ranged, actor=None)
    page = client.get("/c/bees/batches/new")
    assert [name for name, _ in page.context["form"].fields["steered_by"].widget.choices] == [""]
    link = re.search(r'No stored policy can: a <a href="([^"]+)">New policy</a>', page.text)
    assert link
    begun = client.get(unescape(link[1])).context["form"].initial
    client.post("/c/bees/policies/new", {name: "" if value is None else value for name, value in begun.items()})
    page = client.get("/c/bees/batches/new")
    assert [name for name, _ in page.context["form"].fields["steered_by"].widget.choices] == ["", "steering v1"]
    assert "No stored policy can" not in page.text
    client.post("/c/bees/batches/new", entered(campaign, **STEERED))
    assert Batch.objects.get().most_judgments == 4


@pytest.mark.parametrize(
    ("change", "field", "words"),
    [
        ({"most_judgments": 2}, "most_judgments", "must be above the 2 that every pair gets"),
        ({"most_judgments": 16}, "most_judgments", "less than or equal to 15"),
        ({"most_judgments": ""}, "most_judgments", "Say how many or how sure"),
        ({"target_probability": ""}, "target_probability", "Say how many or how sure"),
        ({"target_probability": 49}, "target_probability", "greater than or equal to 50"),
        ({"steered_by": ""}, "steered_by", "Choose the policy that says which pairs get more"),
        ({"steered_by": "nobody v3"}, "steered_by", "Select a valid choice"),
        ({"steered_by": "default v1"}, "steered_by", "This policy gives no probability of a grade to steer by"),
        ({"steered_by": "ranged v1"}, "steered_by", "asking for more deletes pairs"),
    ],
)
def test_what_cannot_steer_is_refused_in_words(change: dict[str, object], field: str, words: str) -> None:
    people, campaign = beginning()
    steering_policy(people.collection)
    ranged = Parameters(consolidation="dawid_skene", max_range=1)
    store_policy(people.collection, name="ranged", parameters=ranged, actor=None)
    answer = people.client("admin").post("/c/bees/batches/new", entered(campaign, **STEERED) | change)
    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == [field]
    assert words in answer.context["form"].errors[field][0]
    assert not Batch.objects.exists()


def test_the_dry_run_says_the_most_it_can_cost_and_what_simulation_expects() -> None:
    people, campaign = beginning(n_people=3)
    steering_policy(people.collection)
    client = people.client("admin")
    answer = client.post("/c/bees/batches/new", entered(campaign, **STEERED), follow=True)
    overlap, result = answer.context["overlap"], answer.context["result"]
    assert (overlap.n_judgments, overlap.most) == (2 * result.n_ordinary, 4 * result.n_ordinary)
    assert overlap.further_hours == pytest.approx(2 * result.n_ordinary * result.seconds / 3600)
    assert [row.accuracy for row in overlap.rows] == [0.6, 0.75, 0.9]
    page = answer.text
    assert "less than 85 % sure of its grade" in page
    assert (overlap.too_little_gold, "Nothing is likely to be added:" in page) == (True, True)
    assert (overlap.n_gold_ready, overlap.enough) == (result.n_gold_ready, 20)
    assert "3 people take part, and nobody judges a pair twice: no pair can have 4 judgments." in page
    fixed = client.post("/c/bees/batches/new", entered(campaign, name="second"), follow=True)
    assert fixed.context["overlap"] is None
    assert "More judgments where" not in fixed.text


def test_the_page_says_where_pairs_stopped_and_what_was_saved() -> None:
    people = make_people()
    steered = make_steered(people.collection)
    client, address = people.client("admin"), f"/c/bees/batches/{steered.batch.token}/"
    assert "Nothing is computed yet" in client.get(address).text
    judged_apart(steered)
    steered.look()
    page = re.sub(r"\s+", " ", client.get(address).text)
    assert "1 judgment was asked for so far." in page
    assert "60 % of the 5 that 5 each take" in page
    assert "of 32 gold pairs" in page
    assert "so nothing speaks against them" in page
    assert "With 3, 4 or 5 judgments nothing counts as sure: 8, 8 and 8 gold pairs came so far" in page
    assert "1 pair still waits for the first 2 judgments." in page
    table = f"{address}overlap.csv"
    assert table in page
    head, first, second, *rest = client.get(table).text.splitlines()
    assert head.startswith("judgments,sure_enough,in_doubt_at_the_end,one_more_asked_for,gold_pairs,said,right,")
    assert head.endswith(",learned_on")
    assert (first.split(",")[-1], second.split(",")[-1]) == ("32", "8")
    assert (first.split(",")[0], second.split(",")[0], len(rest)) == ("2", "3", 2)
    assert sum(int(line.split(",")[4]) for line in (first, second, *rest)) == 32
    assert people.statuses(table) == RESEARCH_ONLY
    fixed = make_batch(people.collection, [])
    assert client.get(f"/c/bees/batches/{fixed.token}/overlap.csv").status_code == 404


def test_the_form_says_how_much_gold_steering_needs() -> None:
    people, _ = beginning()
    steering_policy(people.collection)
    assert "20 gold pairs must get as many judgments" in people.client("admin").get("/c/bees/batches/new").text


def test_withheld_pairs_are_said_to_wait_for_an_admin() -> None:
    people = make_people()
    steered = make_steered(people.collection)
    _, split, begun = judged_apart(steered)
    Item.objects.filter(pk__in=[split.pk, begun.pk]).update(withheld=True)
    steered.look()
    page = people.client("admin").get(f"/c/bees/batches/{steered.batch.token}/")
    summary = page.context["steering"].summary
    assert (summary.n_stopped, summary.n_wanting, summary.n_short) == (1, 0, 0)
    assert "2 withheld pairs are not among them" in page.text


def test_the_page_says_why_nothing_is_added() -> None:
    people = make_people()
    steered = make_steered(people.collection, n_gold=2)
    judged_apart(steered)
    steered.look()
    page = people.client("admin").get(f"/c/bees/batches/{steered.batch.token}/").text
    assert "Nothing is added yet. 8 gold pairs have 2 judgments; with fewer than 20" in page
