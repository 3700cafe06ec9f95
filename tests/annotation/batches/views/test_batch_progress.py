"""A batch under way: progress, people, withheld pairs."""

import re
from dataclasses import replace
from datetime import timedelta
from html import unescape

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.batches.read.batches import SHARED, topic_progress
from annotation.batches.steps.batches import close_batch
from annotation.judging.steps.gates import give_consent
from annotation.kernel import listing
from annotation.kernel.blocks import recount_blocks
from annotation.models import (
    Adjudication,
    AdjudicationReading,
    Annotator,
    Assignment,
    Batch,
    Item,
    Participation,
    Qualification,
    Slot,
    Topic,
    TopicVersion,
)
from annotation.people.steps.information import revise_information
from tests.annotation.batches.views.under_way import NOW, judge, skip, under_way
from tests.annotation.campaign import make_campaign
from tests.annotation.qualified import go_through, make_round, place_in
from tests.annotation.roles import WHO, make_people
from tests.factories import make_annotator, make_annotators, make_batch

pytestmark = pytest.mark.django_db


def test_where_more_slots_are_open_than_were_forecast_so_many_judgments_are_expected() -> None:
    people, _, batch = under_way(n_topics=1)
    client = people.client("admin")
    n_slots = Slot.objects.filter(SHARED, batch=batch).count()
    judge(batch, 0, 2)

    def expected() -> tuple[int, int]:
        (row,) = client.get("/c/bees/batches/").context["listed"].rows
        done = next(cell for _, cell in row.cells if cell.most)
        page = client.get(f"/c/bees/batches/{batch.token}/").context
        assert (done.done, page["n_judged"]) == (2, 2)
        return done.most, page["n_expected"]

    Batch.objects.update(n_expected=1)
    assert expected() == (n_slots, n_slots)
    Batch.objects.update(n_expected=n_slots + 1)
    assert expected() == (n_slots + 1, n_slots + 1)
    Slot.objects.update(state=Slot.State.JUDGED, lease_until=None)
    recount_blocks(batch)
    assert expected() == (2, 2)


def test_a_topic_with_a_revised_text_is_one_row_with_its_newest_title() -> None:
    _, _, batch = under_way(n_topics=1)
    (before,) = topic_progress(batch)
    newest = {"sha256": "1" * 64, "title": "Bees, again", "is_current": False}
    revised = TopicVersion.objects.create(collection=batch.collection, topic=Topic.objects.get(), **newest)
    Item.objects.filter(pk=Item.objects.order_by("pk")[0].pk).update(topic_version=revised)
    assert topic_progress(batch) == [replace(before, title="Bees, again")]


@pytest.mark.both("reads")
def test_what_stands_before_the_next_card_of_each_person() -> None:
    people, campaign, batch = under_way(n_people=3)
    judge(batch, 0, 1)
    qualification = make_round(people.collection, most_attempts=1)
    Batch.objects.update(qualification=qualification)
    passing, failing, _ = campaign.annotators
    go_through(place_in(batch, failing), [1, 1, 1])
    text = revise_information(people.collection, text="We keep your grades.", based_on=0, actor=None)
    Batch.objects.update(information=text)
    batch.refresh_from_db()
    passed = place_in(batch, passing)
    give_consent(passed, number=1, moment=NOW)
    go_through(passed, [0, 2, 4])
    page = people.client("researcher").get(f"/c/bees/batches/{batch.token}/")
    rows = {
        row.annotator.pseudonym: (row.agreed_at, row.guideline, row.result and row.result.has_passed, row.is_out)
        for row in page.context["participants"]
    }
    assert rows == {
        "A-1": (NOW, 1, True, False),
        "A-2": (None, None, False, True),
        "A-3": (None, None, False, False),
    }
    assert "no try left" in page.text
    assert "cannot start" not in page.text
    Qualification.objects.update(state="closed")
    assert "have not passed it cannot start" in people.client("researcher").get(page.request["PATH_INFO"]).text


@pytest.mark.both("reads")
def test_progress_by_topic_and_person() -> None:
    people, _, batch = under_way()
    judge(batch, 0, 10)
    judge(batch, 1, 5)
    skip(batch, 1, Assignment.SkipReason.OTHER)
    context = people.client("researcher").get(f"/c/bees/batches/{batch.token}/").context
    assert context["n_judged"] == 15
    planted = Assignment.objects.filter(state="judged", item__planting__isnull=False).count()
    topics = [each.row for each in context["rows"]]
    assert sum(topic.n_judged for topic in topics) == 15 - planted
    assert [(topic.number, topic.n_wanted) for topic in topics] == [("T1", 27), ("T2", 27)]
    done = {each.row.annotator.pseudonym: each.row for each in context["people"].rows}
    assert {name: (person.n_judged, person.n_skipped) for name, person in done.items()} == {
        "A-1": (10, 0),
        "A-2": (5, 1),
        "A-3": (0, 0),
        "A-4": (0, 0),
    }
    assert (done["A-1"].active_hours, done["A-1"].wall_hours, done["A-1"].pace) == (0.05, 0.1, 200)
    assert done["A-1"].last_seen == NOW + timedelta(seconds=360)
    assert (done["A-3"].pace, done["A-3"].last_seen) == (None, None)


def test_thousands_of_topics_and_people_come_in_pages() -> None:
    people = make_people()
    annotators = make_annotators(people.collection, [f"P{n:04}" for n in range(2000)])
    batch = make_batch(people.collection, annotators, n_topics=2000, n_documents=1)
    answer = people.client("admin").get(f"/c/bees/batches/{batch.token}/?page=40&people-page=40")
    assert len(answer.content) < 1_000_000
    assert answer.text.count("1,951–2,000 of 2,000") == 2
    named = [each.row.annotator.pseudonym for each in answer.context["people"].rows]
    assert named == [f"P{n}" for n in range(1950, 2000)]


@pytest.mark.parametrize(
    ("query", "topics", "people_there"),
    [
        ({"sort": "-number", "people-sort": "-judgments"}, ["T2", "T1"], ["A-1", "A-2", "A-3", "A-4"]),
        ({"q": "t2", "people-q": "a-3"}, ["T2"], ["A-3"]),
        ({"people-part": "False"}, ["T1", "T2"], ["A-4"]),
        ({"people-part": "True", "people-q": "4"}, ["T1", "T2"], []),
    ],
)
def test_topics_and_people_are_two_lists(query: dict[str, str], topics: list[str], people_there: list[str]) -> None:
    people, _, batch = under_way()
    judge(batch, 0, 2)
    judge(batch, 1, 1)
    Participation.objects.filter(annotator__pseudonym="A-4").update(is_active=False)
    client, url = people.client("admin"), f"/c/bees/batches/{batch.token}/"
    page = client.get(url, query)
    assert [each.row.number for each in page.context["rows"]] == topics
    assert [each.row.annotator.pseudonym for each in page.context["people"].rows] == people_there
    lines = client.get(url, {**query, "people-as": "csv"}).getvalue().decode().splitlines()
    assert lines[0].startswith("annotator,judgments,skipped,active_hours")
    assert [line.split(",")[0] for line in lines[1:]] == people_there
    lines = client.get(url, {**query, "as": "csv"}).getvalue().decode().splitlines()
    assert (lines[0], len(lines)) == ("number,title,pairs,judgments,judgments_wanted,withheld", 1 + len(topics))
    assert ("/unassign" in page.text) == bool(people_there and "False" not in query.values())
    assert "/unassign" not in people.client("researcher").get(url, query).text


@pytest.mark.parametrize(
    ("query", "is_open"),
    [("", False), ("page=1", True), ("q=", True), ("sort=-number", True), ("people-page=1", False)],
)
def test_topics_stay_unfolded_while_somebody_works_with_them(query: str, is_open: bool) -> None:
    people, _, batch = under_way()
    page = people.client("admin").get(f"/c/bees/batches/{batch.token}/?{query}")
    assert ('id="topics" open' in page.text) == is_open
    assert page.context["listed"].whole == "?page=1#topics"


def test_what_belongs_to_which_list_is_told_apart_by_ear(monkeypatch: pytest.MonkeyPatch) -> None:
    people, _, batch = under_way()
    client, url = people.client("admin"), f"/c/bees/batches/{batch.token}/"
    bars = re.findall(r'<progress [^>]*aria-label="([^"]*)"', client.get(url).text)
    assert bars == ["Judgments", "T1", "T2"]
    monkeypatch.setattr(listing, "PER_PAGE", 1)
    landmarks = re.findall(r'(?:class="pagination"|role="search") aria-label="([^"]*)"', client.get(url).text)
    assert landmarks == ["Topics", "Pages of topics", "Annotators", "Pages of annotators"]


def test_what_the_page_says_beside_a_value_is_a_column_to_choose() -> None:
    people, _, batch = under_way()
    Participation.objects.filter(annotator__pseudonym="A-4").update(is_active=False)
    Annotator.objects.filter(pseudonym="A-4").update(kind="machine", user=None)
    Annotator.objects.filter(pseudonym="A-3").update(gets_cards=False)
    client, url = people.client("admin"), f"/c/bees/batches/{batch.token}/"
    assert [text in client.get(url).text for text in ("(unassigned)", "(gets no cards)")] == [True, True]
    query = {"people-columns": ["takes_part", "kind", "gets_cards"], "people-as": "csv"}
    assert client.get(url, query).getvalue().decode().splitlines() == [
        "annotator,takes_part,kind,gets_cards",
        "A-1,yes,person,yes",
        "A-2,yes,person,yes",
        "A-3,yes,person,no",
        "A-4,no,machine,yes",
    ]
    lines = client.get(url, {"columns": ["judgments_wanted"], "as": "csv"}).getvalue().decode().splitlines()
    assert lines == ["number,judgments_wanted", "T1,27", "T2,27"]


@pytest.mark.both("reads")
def test_a_batch_without_anything_left_is_proposed_for_closing() -> None:
    people, _, batch = under_way()
    url = f"/c/bees/batches/{batch.token}/"

    def proposals(who: str) -> tuple[bool, list[str]]:
        client = people.client(who)
        tasks = client.get("/c/bees/").context["overview"].tasks
        return client.get(url).context["is_finished"], [task.address for task in tasks if "freeze" in task.deed]

    assert proposals("admin") == (False, [])  # nobody has judged
    Slot.objects.filter(batch=batch).update(state=Slot.State.JUDGED)
    one = Slot.objects.filter(batch=batch, reserved_for=None).earliest("pk")
    Slot.objects.filter(pk=one.pk).update(state=Slot.State.OPEN)
    recount_blocks(batch)
    assert proposals("admin") == (False, [])
    until = timezone.now()
    Slot.objects.filter(pk=one.pk).update(state=Slot.State.LEASED, lease_until=until)
    recount_blocks(batch)
    assert proposals("admin") == (False, [])
    Slot.objects.filter(pk=one.pk).update(state=Slot.State.OPEN, lease_until=None)
    Item.objects.filter(pk=one.item_id).update(withheld=True)  # nobody is asked for it
    recount_blocks(batch)
    assert proposals("admin") == (True, [f"{url}close"])
    assert proposals("researcher") == (True, [])
    assert f'href="{url}close"' in people.client("admin").get("/c/bees/").text
    assert f'href="{url}close"' not in people.client("researcher").get("/c/bees/").text
    assert people.client("admin").post(f"{url}step", {"step": "close"}).status_code == 302
    assert proposals("admin") == (False, [])


@pytest.mark.both("reads")
@pytest.mark.both("reads")
def test_people_are_assigned_and_unassigned() -> None:
    people, campaign, batch = under_way()
    newcomer = make_annotator(campaign.collection, pseudonym="A-9")
    client = people.client("admin")
    page = client.get(f"/c/bees/batches/{batch.token}/")
    offered = page.context["assign_form"].fields["annotators"].queryset
    assert [str(annotator) for annotator in offered] == ["A-9", "A-ONE"]
    client.post(f"/c/bees/batches/{batch.token}/assign", {"annotators": [newcomer.pk]})
    assert batch.participations.filter(annotator=newcomer, is_active=True).exists()
    client.post(f"/c/bees/batches/{batch.token}/unassign", {"annotator": newcomer.pk})
    assert batch.participations.filter(annotator=newcomer, is_active=False).exists()
    answer = client.post(f"/c/bees/batches/{batch.token}/assign", {"annotators": []}, follow=True)
    assert "Choose at least one annotator" in answer.text
    client.post(f"/c/bees/batches/{batch.token}/assign", {"everybody": "on"})
    assert not client.get(f"/c/bees/batches/{batch.token}/").context["assign_form"].fields["annotators"].queryset
    stranger = make_campaign(n_topics=1).annotators[0]
    client.post(f"/c/bees/batches/{batch.token}/assign", {"annotators": [stranger.pk]})
    assert not batch.participations.filter(annotator=stranger).exists()


@pytest.mark.both("reads")
def test_what_two_people_could_not_judge_is_listed_with_reasons_and_released() -> None:
    people, _, batch = under_way()
    item = batch.items.filter(planting=None).first()
    assert item is not None
    Item.objects.filter(pk=item.pk).update(withheld=True)
    skipped = skip(batch, 0, Assignment.SkipReason.BROKEN)
    Item.objects.filter(pk=skipped.pk).update(withheld=True)
    client = people.client("admin")
    page = client.get(f"/c/bees/batches/{batch.token}/")
    reasons = {each.item.pk: each.skips for each in page.context["withheld"]}
    assert reasons == {item.pk: [], skipped.pk: ["A-1: The document is broken or empty"]}
    release = f"/c/bees/batches/{batch.token}/items/{item.token}/release"
    statuses = {who: people.client(who).post(release).status_code for who in ("researcher", "annotator", "outsider")}
    assert statuses == {"researcher": 403, "annotator": 403, "outsider": 404}
    assert client.get(release).status_code == 405
    client.post(release)
    (left,) = client.get(page.request["PATH_INFO"]).context["withheld"]
    assert left.item == skipped
    assert client.post(release.replace(item.token, "x" * 22)).status_code == 404


@pytest.mark.both("reads")
def test_a_withheld_pair_is_decided_blind_first_and_shown_decided_without_its_grade() -> None:
    people, _, batch = under_way()
    skipped = skip(batch, 0, Assignment.SkipReason.BROKEN)
    Item.objects.filter(pk=skipped.pk).update(withheld=True)
    client, address = people.client("admin"), f"/c/bees/batches/{batch.token}/"
    page = client.get(address)
    (opening,) = re.findall(r'action="(/c/bees/quality/pair/open[^"]*)"', page.text)
    assert "garbled" not in page.text, "nobody's words before the blind grade"
    pair = client.post(unescape(opening))["Location"]
    assert AdjudicationReading.objects.get().held_until > timezone.now(), "theirs while they read"
    assert client.get(pair).context["state"].stage == "blind"
    assert client.post(pair, {"grade": 1, "reason": "x", "based_on": 0}).status_code == 422
    assert client.post(pair.replace("pair?", "pair/blind?"), {"grade": 2})["Location"] == pair
    assert "garbled" in client.get(pair).text
    back = client.post(pair, {"grade": 1, "reason": "Read elsewhere", "based_on": 0})["Location"]
    assert client.get(back).context["waiting"].n_waiting == 0
    decision = Adjudication.objects.get()
    assert (decision.grade, decision.blind_grade, decision.knew, decision.created_by) == (1, 2, "", people.admin)
    (left,) = client.get(address).context["withheld"]
    assert (left.item, left.decided) == (skipped, 1)
    assert "grade 1" not in client.get(address).text
    assert "quality/pair" not in people.client("researcher").get(address).text


def test_researchers_see_progress_without_the_means_to_change_it() -> None:
    people, _, batch = under_way()
    text = people.client("researcher").get(f"/c/bees/batches/{batch.token}/").text
    assert [word for word in ("Unassign", "Pause", "Close", "Release") if word in text] == []


@pytest.mark.both("reads")
def test_the_number_of_queries_does_not_grow() -> None:
    people, campaign, batch = under_way(n_people=4)
    client = people.client("admin")

    def queries() -> int:
        with CaptureQueriesContext(connection) as seen:
            assert client.get(f"/c/bees/batches/{batch.token}/").status_code == 200
        return len(seen)

    judge(batch, 0, 1)
    Item.objects.filter(pk__in=batch.items.values("pk")[:1]).update(withheld=True)
    one = queries()
    for place in (1, 2, 3):
        judge(batch, place, 3)
    Item.objects.filter(pk__in=batch.items.order_by("pk").values_list("pk", flat=True)[:3]).update(withheld=True)
    assert queries() == one
    assert campaign.pool


def test_when_people_are_told_and_who_takes_part_may_be_changed_until_it_is_closed() -> None:
    people, _, batch = under_way()
    address, choice = f"/c/bees/batches/{batch.token}/feedback", {"feedback": "delayed", "feedback_hours": "48"}
    answers = {who: people.client(who).post(address, choice).status_code for who in WHO}
    assert answers == {"admin": 302, "researcher": 403, "annotator": 403, "outsider": 404, "anonymous": 302}
    batch.refresh_from_db()
    assert (batch.feedback, batch.feedback_hours) == ("delayed", 48)
    admin = people.client("admin")
    page = admin.get(f"/c/bees/batches/{batch.token}/").text
    assert ("Change when annotators see their results" in page, "/unassign" in page) == (True, True)
    assert "Change when annotators" not in people.client("researcher").get(f"/c/bees/batches/{batch.token}/").text
    for wrong in ({"feedback": "sometimes", "feedback_hours": "1"}, {"feedback": "closed", "feedback_hours": "0"}):
        assert "Say when" in admin.post(address, wrong, follow=True).text
    close_batch(batch, actor=None)
    assert "reopen it first" in admin.post(address, {**choice, "feedback": "never"}, follow=True).text
    batch.refresh_from_db()
    assert (batch.feedback, batch.feedback_hours) == ("delayed", 48)
    page = admin.get(f"/c/bees/batches/{batch.token}/").text
    assert ("Change when annotators" in page, "/unassign" in page) == (False, False)
