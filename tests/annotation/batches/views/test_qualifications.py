"""Qualification rounds as admins make them and read their results; over HTTP."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.batches.steps.qualifications import add_pair, open_qualification
from annotation.gold.steps.events import set_gold, withdraw_gold
from annotation.models import AuditEvent, Batch, Qualification, QualificationItem
from tests.annotation.campaign import make_campaign
from tests.annotation.qualified import go_through, make_round, place_in
from tests.annotation.roles import ADMINS_ONLY, RESEARCH_ONLY, make_people
from tests.factories import make_annotator, make_batch, make_document, make_topic

pytestmark = pytest.mark.django_db
LIST = "/c/bees/qualifications/"
REFUSED = {"researcher": 403, "annotator": 403, "outsider": 404, "anonymous": 302}


def order_of(qualification: Qualification) -> list[str]:
    return list(qualification.items.order_by("position").values_list("document_version__document__docno", flat=True))


def test_researchers_read_and_admins_make() -> None:
    people = make_people()
    token = make_round(people.collection, is_open=False).token
    pair = QualificationItem.objects.earliest("pk").token
    for page in ("", f"{token}/"):
        assert people.statuses(LIST + page) == RESEARCH_ONLY
    for page in ("new", f"{token}/edit", f"{token}/pairs/new", f"{token}/pairs/gold", f"{token}/pairs/{pair}"):
        assert people.statuses(LIST + page) == ADMINS_ONLY
    for deed in ("step", "delete", f"pairs/{pair}/move", f"pairs/{pair}/remove"):
        address = f"{LIST}{token}/{deed}"
        assert {who: people.client(who).post(address, {"step": "up"}).status_code for who in REFUSED} == REFUSED
        assert people.client("admin").get(address).status_code == 405
    assert Qualification.objects.get().items.count() == 3


def test_researchers_get_no_buttons() -> None:
    people = make_people()
    token = make_round(people.collection, is_open=False).token
    text = people.client("researcher").get(f"{LIST}{token}/").text.partition("<main")[2]
    assert "<button" not in text
    assert "/edit" not in text


def test_a_round_of_another_collection_is_not_found() -> None:
    people = make_people()
    other = make_round(make_campaign(n_topics=1).collection)
    pair = other.items.earliest("pk").token
    mine = make_round(people.collection, name="Mine", accepted=[])
    admin = people.client("admin")
    assert admin.get(f"{LIST}{other.token}/").status_code == 404
    assert admin.get(f"{LIST}{mine.token}/pairs/{pair}").status_code == 404
    assert admin.post(f"{LIST}{mine.token}/pairs/{pair}/remove").status_code == 404


def test_from_draft_to_closed_and_back() -> None:
    people = make_people()
    make_topic(people.collection, "T1")
    make_document(people.collection, "D1")
    admin = people.client("admin")
    answer = admin.post(f"{LIST}new", {"name": "Basics", "pass_mark": "72.5", "most_attempts": "3"})
    qualification = Qualification.objects.get()
    assert answer["Location"] == f"{LIST}{qualification.token}/"
    assert (qualification.pass_mark, qualification.most_attempts, qualification.state) == (0.725, 3, "draft")
    step = f"{LIST}{qualification.token}/step"
    assert "The round has no pairs yet." in admin.post(step, {"step": "open"}, follow=True).text
    pair = {"number": "T1", "docno": "D1", "accepted": ["3", "2"], "hint": "Look.", "explanation": "Because."}
    admin.post(f"{LIST}{qualification.token}/pairs/new", pair)
    item = qualification.items.get()
    assert (item.accepted, item.hint, item.explanation) == ([2, 3], "Look.", "Because.")
    for deed, state in (("open", "open"), ("close", "closed"), ("open", "open"), ("redraft", "draft")):
        admin.post(step, {"step": deed})
        qualification.refresh_from_db()
        assert qualification.state == state
    assert "The round is draft" in admin.post(step, {"step": "close"}, follow=True).text
    assert admin.post(step, {"step": "explode"}).status_code == 400
    verbs = AuditEvent.objects.filter(verb__startswith="qualification").order_by("pk").values_list("verb", flat=True)
    assert [verb.removeprefix("qualification ") for verb in verbs] == [
        *("drafted", "opened", "closed", "opened", "taken back")
    ]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": "Basics"}, "name"),
        ({"pass_mark": "101"}, "pass_mark"),
        ({"pass_mark": "-1"}, "pass_mark"),
        ({"most_attempts": "-1"}, "most_attempts"),
        ({"most_attempts": ""}, "most_attempts"),
    ],
)
def test_settings_that_cannot_be_are_refused(change: dict[str, str], field: str) -> None:
    people = make_people()
    make_round(people.collection)
    entry = {"name": "Other", "pass_mark": "70", "most_attempts": "2", **change}
    answer = people.client("admin").post(f"{LIST}new", entry)
    assert (answer.status_code, list(answer.context["form"].errors)) == (422, [field])
    assert Qualification.objects.count() == 1


def test_settings_may_change_at_any_time() -> None:
    people = make_people()
    qualification = make_round(people.collection)
    people.client("admin").post(
        f"{LIST}{qualification.token}/edit", {"name": "Basics", "pass_mark": "50", "most_attempts": "0"}
    )
    qualification.refresh_from_db()
    assert (qualification.name, qualification.pass_mark, qualification.most_attempts) == ("Basics", 0.5, 0)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"number": "T9"}, "number"),
        ({"docno": "D9"}, "docno"),
        ({"accepted": []}, "accepted"),
        ({"accepted": ["5"]}, "accepted"),
        ({"number": "Q1", "docno": "QD1"}, "__all__"),
    ],
)
def test_pairs_that_cannot_be_are_refused(change: dict[str, object], field: str) -> None:
    people = make_people()
    qualification = make_round(people.collection, is_open=False)
    make_topic(people.collection, "T1")
    make_document(people.collection, "D1")
    entry = {"number": "T1", "docno": "D1", "accepted": ["3"], **change}
    answer = people.client("admin").post(f"{LIST}{qualification.token}/pairs/new", entry)
    assert (answer.status_code, list(answer.context["form"].errors)) == (422, [field])
    assert qualification.items.count() == 3


def test_pairs_are_moved_changed_and_removed() -> None:
    people = make_people()
    qualification = make_round(people.collection, is_open=False)
    admin = people.client("admin")
    first, second, third = (
        f"{LIST}{qualification.token}/pairs/{each.token}" for each in qualification.items.order_by("position")
    )
    admin.post(f"{first}/move", {"step": "down"})
    assert order_of(qualification) == ["QD2", "QD1", "QD3"]
    admin.post(f"{third}/move", {"step": "down"})
    admin.post(f"{second}/move", {"step": "up"})
    assert order_of(qualification) == ["QD2", "QD1", "QD3"]
    admin.post(f"{third}/move", {"step": "up"})
    assert order_of(qualification) == ["QD2", "QD3", "QD1"]
    admin.post(f"{second}/remove")
    assert order_of(qualification) == ["QD3", "QD1"]
    admin.post(first, {"accepted": ["1"], "hint": "", "explanation": "Now so."})
    item = qualification.items.get(document_version__document__docno="QD1")
    assert (item.accepted, item.hint, item.explanation) == ([1], "", "Now so.")
    assert admin.post(f"{first}/move", {"step": "aside"}).status_code == 400


@pytest.mark.parametrize("state", ["open", "closed"])
def test_pairs_stand_still_once_the_round_was_opened(state: str) -> None:
    people = make_people()
    qualification = make_round(people.collection)
    Qualification.objects.update(state=state)
    make_topic(people.collection, "T1")
    make_document(people.collection, "D1")
    admin, item = people.client("admin"), qualification.items.earliest("pk")
    address = f"{LIST}{qualification.token}/pairs/"
    before = list(qualification.items.order_by("pk").values())
    texts = [
        admin.post(f"{address}new", {"number": "T1", "docno": "D1", "accepted": ["3"]}).text,
        admin.post(f"{address}{item.token}", {"accepted": ["3"]}).text,
        admin.post(f"{address}{item.token}/move", {"step": "down"}, follow=True).text,
        admin.post(f"{address}{item.token}/remove", follow=True).text,
        admin.post(f"{LIST}{qualification.token}/delete", follow=True).text,
    ]
    assert [f"The round is {state}: this cannot be done now." in text for text in texts] == [True] * 5
    assert list(qualification.items.order_by("pk").values()) == before


def test_a_round_goes_back_to_a_draft_only_while_nothing_stands_on_it() -> None:
    people = make_people()
    annotator = make_annotator(people.collection)
    qualification = make_round(people.collection)
    batch = make_batch(people.collection, [annotator], qualification=qualification)
    admin, step = people.client("admin"), f"{LIST}{qualification.token}/step"
    assert "A batch was laid out without the pairs" in admin.post(step, {"step": "redraft"}, follow=True).text
    Batch.objects.update(state="draft")
    go_through(place_in(batch, annotator), [0])
    assert "People have begun this round" in admin.post(step, {"step": "redraft"}, follow=True).text
    assert Qualification.objects.get().state == "open"


def test_a_draft_is_deleted_unless_a_batch_asks_for_it() -> None:
    people = make_people()
    qualification = make_round(people.collection, is_open=False)
    batch = make_batch(people.collection, [], qualification=qualification, state="draft")
    admin = people.client("admin")
    answer = admin.post(f"{LIST}{qualification.token}/delete", follow=True)
    assert "A batch asks for this round." in answer.text
    Batch.objects.filter(pk=batch.pk).update(qualification=None)
    admin.post(f"{LIST}{qualification.token}/delete")
    assert not Qualification.objects.exists()


def test_gold_is_copied_with_what_is_known_of_it_now() -> None:
    people = make_people()
    campaign = make_campaign(people.collection, n_topics=1, n_gold=3)
    qualification = make_round(people.collection, is_open=False, accepted=[])
    topic, document = campaign.topics[0], campaign.documents[0][0]
    event = set_gold(
        people.collection, topic=topic, document=document, grade=3, accepted=[4], reason="for admins", actor=None
    )
    type(event).objects.filter(pk=event.pk).update(explanation="It answers all but one question.")
    admin, address = people.client("admin"), f"{LIST}{qualification.token}/pairs/gold"
    offered = list(admin.get(address).context["page_obj"])
    assert len(offered) == 3
    assert "for admins" not in admin.get(address).text
    admin.post(address, {"pairs": [event.pk]})
    item = qualification.items.get()
    assert (item.accepted, item.explanation) == ([3, 4], "It answers all but one question.")
    withdraw_gold(people.collection, topic=topic, document=document, reason="", actor=None)
    item.refresh_from_db()
    assert item.accepted == [3, 4]
    left = list(admin.get(address).context["page_obj"])
    assert [each.pk for each in left] == [each.pk for each in offered if each.pk != event.pk]


def test_gold_already_taken_or_gone_is_not_taken() -> None:
    people = make_people()
    make_campaign(people.collection, n_topics=1, n_gold=2)
    qualification = make_round(people.collection, is_open=False, accepted=[])
    admin, address = people.client("admin"), f"{LIST}{qualification.token}/pairs/gold"
    pks = [each.pk for each in admin.get(address).context["page_obj"]]
    admin.post(address, {"pairs": pks[:1]})
    for wrong in ([], [999_999], pks[:1]):
        answer = admin.post(address, {"pairs": wrong})
        assert (answer.status_code, list(answer.context["form"].errors)) == (422, ["pairs"])
    assert qualification.items.count() == 1


def test_results_by_person_and_by_pair() -> None:
    people = make_people()
    passing, failing, absent = (make_annotator(people.collection, pseudonym=name) for name in ("A", "B", "C"))
    qualification = make_round(people.collection, most_attempts=1)
    batch = make_batch(people.collection, [passing, failing, absent], name="Round one", qualification=qualification)
    go_through(place_in(batch, passing), [0, 3, 1])
    go_through(place_in(batch, failing), [0, 4, 1])
    qualification.pass_mark = 0.6
    qualification.save()
    page = people.client("researcher").get(f"{LIST}{qualification.token}/")
    rows = {row.annotator.pseudonym: (row.has_passed, row.is_out, row.tries_left) for row in page.context["people"]}
    assert rows == {"A": (False, True, 0), "B": (False, True, 0), "C": (False, False, 1)}
    pairs = [(pair.n, pair.n_right, dict(pair.shares)) for pair in page.context["pairs"]]
    assert pairs == [
        (2, 2, {0: 2, 1: 0, 2: 0, 3: 0, 4: 0}),
        (2, 1, {0: 0, 1: 0, 2: 0, 3: 1, 4: 1}),
        (2, 0, {0: 0, 1: 2, 2: 0, 3: 0, 4: 0}),
    ]
    assert "no try left" in page.text
    assert "Round one" in page.text
    (row,) = people.client("researcher").get(LIST).context["rows"]
    assert (row.n_pairs, row.n_people, row.n_passed) == (3, 2, 0)


def test_only_first_tries_say_how_hard_a_pair_is() -> None:
    people = make_people()
    annotator = make_annotator(people.collection)
    qualification = make_round(people.collection)
    batch = make_batch(people.collection, [annotator], qualification=qualification)
    go_through(place_in(batch, annotator), [1, 1, 1])
    go_through(place_in(batch, annotator), [0, 2, 4])
    page = people.client("admin").get(f"{LIST}{qualification.token}/")
    assert [(pair.n, pair.n_right) for pair in page.context["pairs"]] == [(1, 0)] * 3
    (row,) = page.context["people"]
    assert ([(tried.n_right, tried.passed) for tried in row.tries], row.tries_left) == ([(0, False), (3, True)], 0)
    assert (row.has_passed, row.is_out) == (True, False)


def test_pairs_without_an_explanation_are_counted() -> None:
    people = make_people()
    qualification = make_round(people.collection, is_open=False)
    topic, document = make_topic(people.collection, "T1"), make_document(people.collection, "D1")
    add_pair(qualification, topic=topic.versions.get(), document=document.versions.get(), accepted=[1])
    assert "1 pair has no explanation." in people.client("admin").get(f"{LIST}{qualification.token}/").text
    open_qualification(qualification, actor=None)


def test_queries_do_not_grow_with_rounds_pairs_and_people() -> None:
    people = make_people()
    client = people.client("admin")

    def queries(n: int) -> list[int]:
        """Of the list and of a round with `n` pairs and people, after `n` more rounds were made."""
        for number in range(n):
            make_round(people.collection, name=f"{n} {number}", accepted=[])
        qualification = make_round(people.collection, name=f"with {n}", accepted=[[1]] * n, prefix=f"{n}-")
        annotators = [make_annotator(people.collection) for _ in range(n)]
        batch = make_batch(people.collection, annotators, qualification=qualification)
        for annotator in annotators:
            go_through(place_in(batch, annotator), [0] * n)
        counts = []
        for page in ("", f"{qualification.token}/"):
            with CaptureQueriesContext(connection) as seen:
                client.get(LIST + page)
            counts.append(len(seen))
        return counts

    assert queries(1) == queries(3)
