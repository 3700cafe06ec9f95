"""The watch on critical errors: on the quality page, and the page of its settings."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils.html import escape

from annotation.models import AuditEvent, Collection, ExclusionEvent, GoldEvent, Judgment
from annotation.quality.policy import Policy as Parameters
from annotation.quality.trust import WatchSettings
from annotation.trust.pages.standing import Measured, verdict_on
from annotation.trust.pages.watch import rate_rows
from annotation.trust.read.watch import watch_settings
from annotation.trust.steps.exclusions import exclude_annotator
from annotation.trust.steps.policies import store_policy
from tests.annotation.roles import ADMINS_ONLY, RESEARCH_ONLY, People, make_people
from tests.annotation.worked_campaign import Worked, make_worked
from tests.factories import make_gold

pytestmark = pytest.mark.django_db
PAGE, QUALITY = "/c/bees/quality/watch", "/c/bees/quality/annotators"
OTHERS = "?good=0.9&poor=0.7&alpha=0.05&beta=0.1&false_pauses=0.05&per_golds=300"


def started() -> tuple[People, Worked, Client]:
    people = make_people()
    return people, make_worked(people.collection), people.client("admin")


def watched(client: Client) -> dict[str, tuple[str, str, int, int]]:
    rows = client.get(QUALITY).context["page_obj"]
    return {
        row.pseudonym: (row.watch.state, row.watch.words, row.watch.n_critical, row.watch.n_gold)
        for row in sorted(rows, key=lambda row: row.pseudonym)
    }


def test_where_the_watch_stands_with_each_person() -> None:
    _, _, client = started()
    assert watched(client) == {
        "Amber": ("cleared", "after 7 gold pairs", 1, 10),
        "Birch": ("cleared", "after 7 gold pairs", 6, 20),
        "Cedar": ("stopped", "after 12 gold pairs", 6, 12),
        "Dune": ("cleared", "after 7 gold pairs", 0, 8),
    }
    assert "has stopped 1 of 4 annotators" in client.get(QUALITY).text


def test_a_person_has_one_verdict_with_its_reasons() -> None:
    people, worked, client = started()
    rows = {row.pseudonym: row for row in client.get(QUALITY).context["page_obj"]}
    assert {name: row.verdict.word for name, row in rows.items()} == {
        "Amber": "reliable",
        "Birch": "reliable",
        "Cedar": "unreliable",
        "Dune": "unproven",
    }
    assert {name: row.watch_words for name, row in rows.items() if row.watch_words} == {"Cedar": "after 12 gold pairs"}
    assert rows["Cedar"].verdict.reasons == (
        "Right on 50 % of 12 gold pairs (95 % interval: 25 % to 75 %); the policy asks for 70 %.",
        "Far off on 6 of 12 gold pairs: the watch stopped them after 12.",
        "Their grades do not count.",
    )
    own = " ".join(client.get("/c/bees/quality/annotators/Birch/").text.split())
    assert " ".join(rows["Birch"].verdict.reasons) in own
    assert "cleared" not in own
    store_policy(people.collection, name="default", parameters=Parameters(accuracy_threshold=0.4), actor=None)
    exclude_annotator(worked.people["Amber"], reason="Left", actor=None)
    rows = {row.pseudonym: row for row in client.get(QUALITY).context["page_obj"]}
    assert (rows["Cedar"].verdict.word, rows["Cedar"].verdict.tone) == ("doubtful", "warn")
    assert (rows["Amber"].verdict.word, rows["Amber"].verdict.reasons[0]) == ("excluded", "Excluded: Left")


def test_whom_the_watch_cleared_and_gold_did_not_is_told_why() -> None:
    rows = {row.pseudonym: row for row in started()[2].get(QUALITY).context["page_obj"]}
    near = verdict_on(
        Measured(20, 0.5, 0.3, 0.7),
        standing="unreliable",
        believed=False,
        excluded_for=None,
        watch=rows["Dune"].watch,
        policy=Parameters(),
    )
    assert (near.word, near.tone) == ("unreliable", "bad")
    assert (
        near.reasons[1] == "Far off on 0 of 8 gold pairs: mostly wrong by one grade, which the watch does not look at."
    )


def test_the_order_is_that_of_judging_not_of_saving() -> None:
    """Birch was right on 14 and then wrong on 6; the other way round that ends at once."""
    _, worked, client = started()
    newest = Judgment.objects.order_by("-created_at").values_list("created_at", flat=True)[0]
    for judgment in Judgment.objects.filter(annotator=worked.people["Birch"], topic__number="g"):
        turned = newest - timedelta(seconds=judgment.pk)
        Judgment.objects.filter(pk=judgment.pk).update(created_at=turned)
    assert watched(client)["Birch"] == ("stopped", "after 3 gold pairs", 6, 20)
    Judgment.objects.update(created_at=newest)
    assert watched(client)["Birch"][0] == "cleared"


def test_correcting_gold_takes_the_errors_back() -> None:
    _, worked, client = started()
    for n in range(6, 12):
        make_gold(worked.items[f"G{n:02}"], 4)
    assert watched(client)["Cedar"] == ("cleared", "after 7 gold pairs", 0, 12)


def test_accepting_more_than_one_grade_makes_any_other_critical() -> None:
    _, worked, client = started()
    for n in range(3):
        make_gold(worked.items[f"G{n:02}"], 2, accepted=[2, 3])
    assert watched(client)["Amber"] == ("stopped", "after 3 gold pairs", 4, 10)


def test_an_admin_excludes_whom_the_watch_stopped_and_nothing_happens_before() -> None:
    people, _, client = started()
    text = client.get(QUALITY).text
    reason = "The watch on critical errors stopped this person after 12 gold pairs: 6 critical errors in 12 gold pairs."
    addresses = [part.split('"')[0] for part in text.split('href="')]
    (address,) = [each for each in addresses if each.startswith("/c/bees/annotators/Cedar/exclude")]
    form = client.get(address.replace("&amp;", "&"))
    assert reason in form.text
    assert ExclusionEvent.objects.count() == 0
    assert "Cedar/exclude" not in people.client("researcher").get(QUALITY).text
    client.post("/c/bees/annotators/Cedar/exclude", {"reason": reason})
    assert [(each.annotator.pseudonym, each.reason) for each in ExclusionEvent.objects.all()] == [("Cedar", reason)]
    assert "has nothing to report" in client.get(QUALITY).text
    client.post("/c/bees/annotators/Cedar/reinstate", {"reason": "The gold was wrong"})
    assert watched(client)["Cedar"] == ("stopped", "after 12 gold pairs; reinstated by hand", 6, 12)
    assert "has nothing to report" in client.get(QUALITY).text


def test_who_was_cleared_may_be_stopped_later() -> None:
    _, worked, client = started()
    for n in range(10):
        make_gold(worked.items[f"G{n:02}"], 1 if n < 7 else 4)
    for n in range(10, 20):
        worked.judge(f"G{n:02}", "Amber", 4)
    assert watched(client)["Amber"] == ("stopped", "after 16 gold pairs", 12, 20)
    (amber,) = [row for row in client.get(QUALITY).context["page_obj"] if row.pseudonym == "Amber"]
    assert amber.watch.reason.endswith(
        "stopped this person after 16 gold pairs, cleared after 7: 12 critical errors in 20 gold pairs."
    )


def test_the_page_of_a_person_says_where_the_watch_stands() -> None:
    people, _, client = started()
    text = client.get("/c/bees/quality/annotators/Cedar/").text
    assert "of 12 gold pairs: stopped after 12 gold pairs" in " ".join(text.split())
    assert "/annotators/Cedar/exclude?reason=The%20watch%20on" in text
    assert "exclude" not in people.client("researcher").get("/c/bees/quality/annotators/Cedar/").text


def test_those_it_stopped_come_first() -> None:
    _, _, client = started()
    assert [row.pseudonym for row in client.get(f"{QUALITY}?sort=watch").context["page_obj"]] == [
        "Cedar",
        "Birch",
        "Amber",
        "Dune",
    ]


def test_gold_on_which_nobody_can_err_so_far_is_told() -> None:
    _, worked, client = started()
    for item in [worked.items[f"G{n:02}"] for n in range(20)]:
        make_gold(item, 2, accepted=[0, 1, 2, 3, 4])
    assert "on this gold no grade is two or more from an accepted one" in client.get(QUALITY).text


def test_without_gold_the_watch_says_that_none_has_been_judged() -> None:
    _, _, client = started()
    GoldEvent.objects.all().delete()
    text = client.get(QUALITY).text
    assert "no gold has been judged" in text
    assert "on this gold" not in text


def test_researchers_look_and_admins_choose() -> None:
    people = make_people()
    assert people.statuses(PAGE) == RESEARCH_ONLY
    answers = {who: people.client(who).post(PAGE).status_code for who in ADMINS_ONLY}
    assert answers == {**ADMINS_ONLY, "admin": 422}
    assert "Use these settings" not in people.client("researcher").get(PAGE + OTHERS).text


def test_error_rates_of_the_settings_are_shown() -> None:
    people = make_people()
    answer = people.client("researcher").get(PAGE)
    assert [(row.rate, row.stopped) for row in answer.context["rates"]] == [
        ("0.95", "< 0.1 %"),
        ("0.90", "0.5 %"),
        ("0.85", "3.4 %"),
        ("0.80", "13.9 %"),
        ("0.70", "62.3 %"),
        ("0.60", "91.6 %"),
    ]
    assert [(row.paused, row.golds_paused) for row in answer.context["rates"]][2:4] == [
        ("4.9 %", "11,470"),
        ("45.5 %", "972"),
    ]
    assert escape(answer.context["in_short"]) in answer.text
    assert "it stops 91.6 % before it clears them, after 15 gold pairs on average" in answer.text


def test_settings_are_tried_then_chosen_and_noted() -> None:
    people, _, client = started()
    answer = client.get(PAGE + OTHERS)
    tried = WatchSettings(good=0.9, poor=0.7, per_golds=300)
    assert answer.context["rates"] == rate_rows(tried)
    assert Collection.objects.get(slug="bees").watch == {}
    assert "with the settings on trial" in answer.text
    assert client.post(PAGE + OTHERS).status_code == 302
    assert watch_settings(Collection.objects.get(slug="bees")) == tried
    client.post(PAGE + OTHERS)
    (event,) = AuditEvent.objects.filter(verb="watch chosen")
    assert (event.actor, event.detail["poor"], event.detail["per_golds"]) == (people.admin, 0.7, 300)
    assert watched(client)["Amber"][:2] == ("cleared", "after 9 gold pairs")


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (("poor=0.7", "poor=0.85"), "must be at least 0.1 below the good rate"),
        (("good=0.9", "good=1"), "less than or equal to 0.99"),
        (("per_golds=300", "per_golds=many"), "Enter a whole number"),
        (("alpha=0.05", "alpha=nan"), "Enter a number"),
    ],
)
def test_settings_that_make_no_watch_are_refused(wrong: tuple[str, str], message: str) -> None:
    client = make_people().client("admin")
    for answer in (client.get(PAGE + OTHERS.replace(*wrong)), client.post(PAGE + OTHERS.replace(*wrong))):
        assert answer.status_code == 422
        assert message in answer.text
    assert Collection.objects.get(slug="bees").watch == {}
