"""What stands before a card, as a browser without a script meets it: consent, the guideline's changes."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from annotation.corpus.steps.guidelines import revise_guideline
from annotation.models import Annotator, Assignment, Batch, Case, Consent, GuidelineReading, Judgment
from annotation.people.steps.information import revise_information
from tests.annotation.roles import People, make_people
from tests.factories import make_annotator, make_batch, make_participation

pytestmark = pytest.mark.django_db
SCRIPT = {"X-Judge": ""}


def beginning(*, information: str = "") -> tuple[People, Batch]:
    """The annotator of `make_people` takes part in a batch."""
    people = make_people()
    batch = make_batch(people.collection, [Annotator.objects.get(user=people.annotator)])
    if information:
        batch.information = revise_information(people.collection, text=information, based_on=0, actor=None)
        batch.save()
    return people, batch


def revised(people: People, introduction: str, cases: tuple[Case, ...] = ()) -> int:
    version = revise_guideline(
        people.collection, introduction=introduction, examples="", edge_cases="", cases=cases, actor=None
    )
    return version.number


def judged(client: Client, batch: Batch) -> None:
    """Start, and grade the card that comes."""
    client.post(f"/judge/{batch.token}/start")
    card = client.get(f"/judge/{batch.token}/").context["card"]
    client.post(f"/judge/{batch.token}/grade", {"token": card.token, "grade": "2"})


def hand_in_all(client: Client, batch: Batch) -> None:
    """Grade what is held, until nothing is."""
    while card := client.get(f"/judge/{batch.token}/").context["card"]:
        client.post(f"/judge/{batch.token}/grade", {"token": card.token, "grade": "2"})


@pytest.mark.parametrize("deed", ["consent", "decline", "acknowledge", "qualify/begin"])
def test_only_participants_and_only_by_post(deed: str) -> None:
    people, batch = beginning(information="Text")
    address = f"/judge/{batch.token}/{deed}"
    refused = {"admin": 404, "researcher": 404, "outsider": 404, "anonymous": 302}
    assert {who: people.client(who).post(address, {"number": "1"}).status_code for who in refused} == refused
    assert people.client("annotator").get(address).status_code in (404, 405)
    assert people.client("anonymous").post(address)["Location"].startswith("/login")
    assert not Consent.objects.exists()
    assert not GuidelineReading.objects.exists()


def test_who_agrees_goes_on_and_it_is_written_down() -> None:
    people, batch = beginning(information="We keep **your** grades.")
    client = people.client("annotator")
    page = client.get(f"/judge/{batch.token}/")
    assert "We keep <strong>your</strong> grades." in page.text
    assert "Start judging" not in page.text
    client.post(f"/judge/{batch.token}/start")
    assert not Assignment.objects.exists()
    answer = client.post(f"/judge/{batch.token}/consent", {"number": "1"}, follow=True)
    assert "Start judging" in answer.text
    consent = Consent.objects.get()
    assert (consent.annotator.user, consent.information) == (people.annotator, batch.information)


def test_who_declines_is_led_home_and_nothing_is_kept() -> None:
    people, batch = beginning(information="Text")
    client = people.client("annotator")
    answer = client.post(f"/judge/{batch.token}/decline", follow=True)
    assert answer.redirect_chain == [("/", 302)]
    assert "You have not agreed, so nothing was handed to you." in answer.text
    assert not Consent.objects.exists()
    assert "I have read it and agree" in client.get(f"/judge/{batch.token}/").text


@pytest.mark.parametrize("number", ["1", "3", "", "x", "-1"])
def test_only_the_text_that_is_asked_for_is_agreed_to(number: str) -> None:
    people, batch = beginning(information="One.")
    revise_information(people.collection, text="Two is what counts now.", based_on=1, actor=None)
    client = people.client("annotator")
    answer = client.post(f"/judge/{batch.token}/consent", {"number": number}, follow=True)
    assert "Another version has come into force meanwhile." in answer.text
    assert "Two is what counts now." in answer.text
    assert not Consent.objects.exists()


def test_a_new_version_asks_again_and_says_so() -> None:
    people, batch = beginning(information="One")
    client = people.client("annotator")
    client.post(f"/judge/{batch.token}/consent", {"number": "1"})
    revise_information(people.collection, text="Two", based_on=1, actor=None)
    page = client.get(f"/judge/{batch.token}/").text
    assert "The text has changed since you agreed to it" in page
    assert "<del>One</del><ins>Two</ins>" in page
    client.post(f"/judge/{batch.token}/consent", {"number": "2"})
    assert "Start judging" in client.get(f"/judge/{batch.token}/").text


def test_the_change_is_told_since_what_the_person_read_last() -> None:
    people, batch = beginning()
    client = people.client("annotator")
    revised(people, "Judge what it says. Be fair.")
    judged(client, batch)
    for words in ("Judge what it says. Be quick.", "Judge what it says. Be strict."):
        number = revised(people, words, (Case(topic="Bees", document="Moths", grade=0, reason="No bee"),))
    hand_in_all(client, batch)
    page = client.get(f"/judge/{batch.token}/")
    assert "Be <del>fair</del><ins>strict</ins>." in page.text
    assert "quick" not in page.text
    assert "<ins>Grade 0. Topic: Bees" in page.text
    assert f"You last read version 2; version {number} is in force now." in page.text
    answer = client.post(f"/judge/{batch.token}/acknowledge", {"number": str(number)}, follow=True)
    assert 'id="grades"' in answer.text or 'name="grade"' in answer.text
    assert Assignment.objects.get(state="leased").guideline == people.collection.guideline_versions.get(number=number)


def test_a_version_that_came_after_the_page_was_shown_is_shown_first() -> None:
    people, batch = beginning()
    client = people.client("annotator")
    judged(client, batch)
    seen = revised(people, "Second")
    hand_in_all(client, batch)
    revised(people, "Third")
    answer = client.post(f"/judge/{batch.token}/acknowledge", {"number": str(seen)}, follow=True)
    assert "Another version has come into force meanwhile." in answer.text
    assert "<ins>Third</ins>" in answer.text
    assert list(GuidelineReading.objects.values_list("guideline__number", flat=True)) == [1]


def test_beside_a_card_stands_the_guideline_it_was_handed_out_under() -> None:
    people, batch = beginning()
    client = people.client("annotator")
    client.post(f"/judge/{batch.token}/start")
    revised(people, "Now otherwise.")
    page = client.get(f"/judge/{batch.token}/")
    assert "Guideline, version 1" in page.text
    assert "Now otherwise." not in page.text
    client.post(f"/judge/{batch.token}/grade", {"token": page.context["card"].token, "grade": "2"})
    assert Judgment.objects.get().guideline == people.collection.guideline_versions.get(number=1)


def test_beside_a_held_card_stands_its_guideline_though_another_was_acknowledged_elsewhere() -> None:
    people, batch = beginning()
    other = make_batch(people.collection, [Annotator.objects.get(user=people.annotator)])
    client = people.client("annotator")
    for each in (batch, other):
        client.post(f"/judge/{each.token}/start")
    number = revised(people, "Now otherwise.")
    hand_in_all(client, batch)
    client.post(f"/judge/{batch.token}/acknowledge", {"number": str(number)})
    page = client.get(f"/judge/{other.token}/")
    assert page.context["guideline"].number == 1
    client.post(f"/judge/{other.token}/grade", {"token": page.context["card"].token, "grade": "2"})
    assert Judgment.objects.get(batch=other).guideline == people.collection.guideline_versions.get(number=1)
    assert client.get(f"/judge/{other.token}/").context["guideline"].number == number, "of the card that came next"


def test_beside_a_card_that_came_back_stands_what_its_revision_will_carry() -> None:
    people, batch = beginning()
    client = people.client("annotator")
    judged(client, batch)
    hand_in_all(client, batch)
    number = revised(people, "Now otherwise.")
    assert client.get(f"/judge/{batch.token}/").context["why"] == "done"
    client.post(f"/judge/{batch.token}/undo")
    page = client.get(f"/judge/{batch.token}/")
    assert page.context["guideline"].number == 1, "nothing has been acknowledged since"
    client.post(f"/judge/{batch.token}/grade", {"token": page.context["card"].token, "grade": "4"})
    revision = Judgment.objects.get(revision=2)
    assert (revision.guideline, number) == (people.collection.guideline_versions.get(number=1), 2)


def test_a_script_is_told_to_read_first() -> None:
    people, batch = beginning()
    client = people.client("annotator")
    judged(client, batch)
    card = client.get(f"/judge/{batch.token}/").context["card"]
    revised(people, "Changed")
    answer = client.post(f"/judge/{batch.token}/grade", {"token": card.token, "grade": "1"}, headers=SCRIPT)
    assert 'data-outcome="saved"' in answer.text
    assert '<template data-card="state">' in answer.text
    assert "The guideline has changed" in answer.text


def test_the_panel_shows_one_case_of_each_grade_and_the_others_behind() -> None:
    people, batch = beginning()
    cases = tuple(Case(topic=f"T{at}", document="D", grade=at % 3, reason="R") for at in range(7))
    revised(people, "With cases", cases)
    client = people.client("annotator")
    start = client.get(f"/judge/{batch.token}/").context["guideline"]
    assert [case.topic for case in start.cases] == [f"T{at}" for at in range(7)]
    client.post(f"/judge/{batch.token}/start")
    shown = client.get(f"/judge/{batch.token}/").context["guideline"]
    assert sorted(case.grade for case in shown.cases) == [0, 1, 2]
    assert len(shown.further) == 4
    assert {case.index for case in (*shown.cases, *shown.further)} == set(range(7))


def test_people_and_topics_see_different_cases_first() -> None:
    people = make_people()
    annotators = [make_annotator(people.collection) for _ in range(6)]
    batch = make_batch(people.collection, annotators, n_topics=2, n_documents=6, judgments_per_item=6)
    revised(people, "With cases", tuple(Case(topic=f"T{n}", document="D", grade=n % 5, reason="R") for n in range(15)))
    orders = set()
    for annotator in annotators:
        assert annotator.user is not None
        client = Client()
        client.force_login(annotator.user)
        client.post(f"/judge/{batch.token}/start")
        orders.add(tuple(case.index for case in client.get(f"/judge/{batch.token}/").context["guideline"].cases))
    assert len(orders) > 3


def test_the_gates_cost_no_query_beside_a_card() -> None:
    people, batch = beginning(information="Text")
    client = people.client("annotator")
    plain = make_batch(people.collection, [])
    make_participation(plain, Annotator.objects.get(user=people.annotator), salt=3)
    client.post(f"/judge/{batch.token}/consent", {"number": "1"})

    def queries(of: Batch) -> int:
        judged(client, of)
        card = client.get(f"/judge/{of.token}/").context["card"]
        with CaptureQueriesContext(connection) as seen:
            client.post(f"/judge/{of.token}/grade", {"token": card.token, "grade": "2"}, headers=SCRIPT)
        assert not any("consent" in query["sql"] or "guidelinereading" in query["sql"] for query in seen)
        return len(seen)

    assert queries(batch) == queries(plain)
