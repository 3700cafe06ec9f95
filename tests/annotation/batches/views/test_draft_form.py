"""The form of a batch: five fields, presets, groups that open where they matter, and the figures beside."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from annotation.batches.forms.batches import BatchForm
from annotation.batches.forms.groups import FIRST, GROUPS
from annotation.batches.forms.presets import PRESETS, WORDS
from annotation.batches.read.last_round import believed_in
from annotation.batches.steps.layout import dry_run
from annotation.models import Annotator, Batch, Collection
from annotation.people.steps.information import revise_information
from annotation.quality.policy import Policy as Parameters
from annotation.trust.steps.policies import store_policy
from tests.annotation.batches.views.test_batches import ADMIN_POSTS, beginning, entered
from tests.annotation.callers import caller, send
from tests.annotation.roles import make_people
from tests.annotation.worked_campaign import make_worked
from tests.commands import ran

pytestmark = pytest.mark.django_db

NEW, ESTIMATE = "/c/bees/batches/new", "/c/bees/batches/estimate"


def open_groups(client: Client, address: str, data: dict[str, object] | None = None) -> list[str]:
    answer = client.post(address, data) if data else client.get(address)
    return [group.key for group in answer.context["groups"] if group.is_open]


def test_every_field_stands_on_the_page_once() -> None:
    names = [*FIRST, *(name for *_, group in GROUPS for name in group)]
    assert sorted(names) == sorted(BatchForm.base_fields)


def test_presets_set_the_same_fields_and_the_form_takes_each() -> None:
    people, campaign = beginning()
    client = people.client("admin")
    for preset in PRESETS.values():
        assert preset.sets.keys() == WORDS.keys()
        entry = {**entered(campaign), **preset.sets, "name": preset.name, "judgments_per_item": 1}
        assert client.post(NEW, entry).status_code == 302, preset.name
        assert preset.why in client.get(NEW).text
        assert preset.says in client.get(NEW).text


def test_a_preset_fills_the_form_in_and_stores_nothing() -> None:
    people, campaign = beginning()
    client = people.client("admin")
    some = [campaign.annotators[1].pk, campaign.annotators[2].pk]
    entry = entered(campaign, name="mine", annotators=some, seed=99, judgments_per_item="x", preset="crowd")
    answer = client.post(NEW, entry)
    form = answer.context["form"]
    assert (answer.status_code, Batch.objects.count(), form.errors) == (200, 0, {})
    shown = {name: form[name].value() for name in PRESETS["crowd"].sets}
    assert shown == PRESETS["crowd"].sets
    assert (form["name"].value(), form["seed"].value()) == ("mine", "99")
    assert [str(pk) for pk in form["annotators"].value()] == [str(pk) for pk in some]
    assert client.get(f"{NEW}?preset=quick").context["form"]["judgments_per_item"].value() == 1
    assert client.get(f"{NEW}?preset=odd").context["form"]["judgments_per_item"].value() == 3
    draft = campaign.draft()
    client.post(f"/c/bees/batches/{draft.token}/edit", {**entered(campaign), "preset": "careful"})
    draft.refresh_from_db()
    assert draft.repeat_share == 0


def test_groups_open_where_something_differs_or_is_wrong() -> None:
    people, campaign = beginning()
    client = people.client("admin")
    assert open_groups(client, NEW) == []
    assert open_groups(client, f"{NEW}?preset=crowd") == ["checks", "time"]
    usual = entered(campaign, minimum_seconds=10, block_size=25, target_probability=90)
    assert open_groups(client, NEW, {**usual, "block_size": 3}) == ["layout"]
    assert open_groups(client, NEW, {**usual, "numbers": "T9"}) == ["topics"]
    draft = campaign.draft(block_size=25, feedback=Batch.Feedback.CLOSED)
    assert open_groups(client, f"/c/bees/batches/{draft.token}/edit") == ["topics", "feedback"]
    assert "Before the first card" not in client.get(NEW).text
    revise_information(people.collection, text="We keep your grades.", based_on=0, actor=None)
    assert "Before the first card" in client.get(NEW).text


@pytest.mark.both("reads")
def test_people_who_counted_in_the_last_round_are_chosen() -> None:
    people = make_people()
    worked = make_worked(people.collection)
    client = people.client("admin")
    store_policy(people.collection, name="default", parameters=Parameters(min_gold=1), actor=None)
    believed = {each.pseudonym for each in believed_in(worked.batch)}
    assert "Choose those who count in" in " ".join(client.get(NEW).text.split())
    form = client.post(NEW, {"name": "next", "everybody": "on", "people": "believed"}).context["form"]
    chosen = Annotator.objects.filter(pk__in=form["annotators"].value())
    assert {each.pseudonym for each in chosen} == believed
    assert believed
    assert (form["everybody"].value(), form["name"].value()) == (False, "next")
    form = client.post(NEW, {"everybody": "on", "people": "nobody"}).context["form"]
    assert (form["annotators"].value(), form["everybody"].value()) == ([], False)


def test_the_estimate_is_near_the_dry_run() -> None:
    people, campaign = beginning(n_pairs=30, n_gold=8)
    Collection.objects.update(cost_per_judgment="0.05", currency="EUR")
    client, entry = people.client("admin"), entered(campaign, check_share=4)
    estimate = client.post(ESTIMATE, entry).context["estimate"]
    client.post(NEW, entry)
    plan = dry_run(Batch.objects.get())
    assert estimate.pairs.n_ordinary == plan.n_ordinary
    assert estimate.n_wanted == plan.n_ordinary_judgments
    assert estimate.n_judgments == pytest.approx(plan.n_judgments, rel=0.1)
    assert estimate.gold_each == pytest.approx(max(each.n_gold for each in plan.people), abs=2)
    assert float(estimate.cost) == pytest.approx(0.05 * estimate.n_judgments)
    assert estimate.hours == pytest.approx(estimate.n_judgments * 30 / 3600)
    assert estimate.counting.verdict == "With so little gold no pair will count."


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"pool": ""}, "Choose a pool"),
        ({"annotators": []}, "2 judgments per pair need as many people who get cards; chosen: none."),
        ({"annotators": [], "everybody": "on"}, "no pair will count"),
        ({"gold_share": "x", "judgments_per_item": ""}, "no pair will count"),
        ({"topics": "listed", "numbers": "T9"}, "Nothing is left to judge"),
    ],
)
def test_an_unfinished_form_has_an_estimate(changes: dict[str, object], words: str) -> None:
    people, campaign = beginning()
    answer = people.client("admin").post(ESTIMATE, entered(campaign, **changes))
    assert answer.status_code == 200
    assert words in " ".join(answer.text.split())


def test_only_admins_estimate_and_by_few_queries() -> None:
    people, campaign = beginning()
    statuses = {
        who: people.client(who).post(ESTIMATE, entered(campaign)).status_code for who in ("admin", *ADMIN_POSTS)
    }
    assert statuses == {"admin": 200, **ADMIN_POSTS}
    client = people.client("admin")
    with CaptureQueriesContext(connection) as queries:
        client.post(ESTIMATE, entered(campaign, everybody="on"))
    assert len(queries) < 35


@pytest.mark.both("reads")
def test_api_and_command_take_the_same_presets() -> None:
    people, _ = beginning()
    entry = {"name": "api", "pool": "pool", "preset": "careful", "gold_share": 0.2}
    answer = send(caller(people.admin), "post", "/api/v1/collections/bees/batches", entry)
    assert answer.status_code == 201, answer.content
    ran("batch", "new", "bees", "shell", "--pool", "pool", "--preset", "careful", "--gold-share", "20", "--seed", "1")
    ran("batch", "new", "bees", "plain", "--pool", "pool")
    fields = ("judgments_per_item", "gold_share", "check_share", "repeat_share", "minimum_seconds", "session_minutes")
    rows = {batch.name: tuple(getattr(batch, name) for name in fields) for batch in Batch.objects.all()}
    assert rows["api"] == rows["shell"] == (3, 0.2, 0.02, 0.04, 10, 50)
    assert rows["plain"] == (3, 0.12, 0, 0, 10, 50)
    odd = send(caller(people.admin), "post", "/api/v1/collections/bees/batches", {**entry, "preset": "odd"})
    assert odd.status_code == 400
