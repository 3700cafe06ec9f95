"""The pages of gold: researchers see it, admins change it, annotators never."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.http import HttpResponse
from django.test.utils import CaptureQueriesContext

from annotation.gold.read.current import current_gold
from annotation.models import GoldEvent, Import
from tests.annotation.campaign import Campaign, make_campaign
from tests.annotation.roles import ADMINS_ONLY, RESEARCH_ONLY, People, make_people
from tests.factories import make_snapshot

pytestmark = [pytest.mark.django_db, pytest.mark.both("text")]

ADMIN_POSTS = {"researcher": 403, "annotator": 403, "outsider": 404, "anonymous": 302}


def beginning(**sizes: int) -> tuple[People, Campaign]:
    people = make_people()
    return people, make_campaign(people.collection, **{"n_topics": 2, **sizes})


def test_who_sees_gold_and_who_changes_it() -> None:
    people, _ = beginning()
    assert people.statuses("/c/bees/gold/") == RESEARCH_ONLY
    for page in ("set", "file", "qrels"):
        assert people.statuses(f"/c/bees/gold/{page}") == ADMINS_ONLY
    before = GoldEvent.objects.count()
    for page in ("set", "withdraw", "file", "qrels"):
        statuses = people.statuses(f"/c/bees/gold/{page}", "post")
        assert {who: status for who, status in statuses.items() if who != "admin"} == ADMIN_POSTS
    assert GoldEvent.objects.count() == before
    assert people.client("admin").get("/c/bees/gold/withdraw").status_code == 405


def test_without_imported_qrels_the_page_says_why_there_are_none() -> None:
    people, campaign = beginning()
    url = "/c/bees/gold/qrels"
    empty = people.client("admin").get(url)
    assert (empty.status_code, empty.context["waiting"]) == (200, [])
    reason = {"file": "core.qrels", "line": 3, "reason": "the grade 16 is above the scale, which ends at 4"}
    refused = Import.objects.create(
        collection=campaign.collection, kind=Import.Kind.QRELS, state=Import.State.REFUSED, filename="core.qrels",
        sha256="0" * 64, problems=[reason], n_problems=1,
    )  # fmt: skip
    Import.objects.create(
        collection=campaign.collection, kind=Import.Kind.TOPICS, state=Import.State.REFUSED, sha256="0" * 64
    )
    answer = people.client("admin").get(url)
    assert [(file.pk, file.reason) for file in answer.context["waiting"]] == [(refused.pk, reason["reason"])]
    assert f"/c/bees/imports/{refused.pk}/" in answer.text
    make_snapshot(campaign.collection, "T1 0 D1-00 3\n")
    assert "form" in people.client("admin").get(url).context


def test_the_page_lists_gold_with_its_balance() -> None:
    people, _ = beginning(n_gold=6)
    answer = people.client("researcher").get("/c/bees/gold/")
    assert [(topic.number, topic.counts) for topic in answer.context["balance"]] == [
        ("T1", [2, 1, 1, 1, 1]),
        ("T2", [2, 1, 1, 1, 1]),
    ]
    assert (answer.context["totals"], answer.context["n_gold"]) == ([4, 2, 2, 2, 2], 12)
    assert len(answer.context["page_obj"]) == 12
    assert "Withdraw" not in answer.text
    assert "Withdraw" in people.client("admin").get("/c/bees/gold/").text


@pytest.mark.parametrize(
    ("query", "expected"), [({"q": "T2 D2-00"}, 1), ({"q": "nothing"}, 0), ({"grade": "0"}, 4), ({"grade": "9"}, 0)]
)
def test_gold_is_searched_by_words_and_grade(query: dict[str, str], expected: int) -> None:
    people, _ = beginning(n_gold=6)
    answer = people.client("admin").get("/c/bees/gold/", query)
    assert len(answer.context["page_obj"]) == expected


def test_a_pair_is_set_corrected_and_withdrawn_by_hand() -> None:
    people, campaign = beginning(n_gold=0)
    client = people.client("admin")
    pair = {"number": "T1", "docno": "D1-03"}

    def gold_rows() -> list[tuple[object, ...]]:
        fields = ("topic__number", "document__docno", "grade", "accepted", "reason")
        return list(current_gold(campaign.collection).values_list(*fields))

    client.post("/c/bees/gold/set", {**pair, "grade": "3", "accepted": ["2"], "reason": "says so"})
    assert gold_rows() == [("T1", "D1-03", 3, [2, 3], "says so")]
    client.post("/c/bees/gold/set", {**pair, "grade": "0"})
    assert gold_rows() == [("T1", "D1-03", 0, [0], "")]
    client.post("/c/bees/gold/withdraw", pair)
    assert len(gold_rows()) == 1  # without a reason nothing happens
    client.post("/c/bees/gold/withdraw", {**pair, "reason": "doubtful"})
    assert gold_rows() == []
    assert GoldEvent.objects.filter(created_by=people.admin).count() == 3


def test_what_the_collection_does_not_have_is_said_at_the_fields() -> None:
    people, _ = beginning()
    before = GoldEvent.objects.count()
    answer = people.client("admin").post("/c/bees/gold/set", {"number": "T9", "docno": "D9", "grade": "7"})
    assert answer.status_code == 422
    assert answer.context["form"].errors == {
        "number": ["The collection has no topic T9."],
        "docno": ["The collection has no document D9."],
        "grade": ["Select a valid choice. 7 is not one of the available choices."],
    }
    assert GoldEvent.objects.count() == before


def test_the_form_is_filled_in_for_a_correction() -> None:
    people, _ = beginning()
    form = people.client("admin").get("/c/bees/gold/set", {"number": "T1", "docno": "D1-00"}).context["form"]
    assert (form["number"].value(), form["docno"].value()) == ("T1", "D1-00")


def test_what_is_said_of_a_pair_is_there_when_it_is_corrected() -> None:
    people, campaign = beginning(n_gold=0)
    client, pair = people.client("admin"), {"number": "T1", "docno": "D1-03"}
    entries = {"grade": "3", "accepted": ["2"], "reason": "between us", "explanation": "It names the <law>."}
    client.post("/c/bees/gold/set", {**pair, **entries})
    assert current_gold(campaign.collection).get().explanation == "It names the <law>."
    form = client.get("/c/bees/gold/set", pair).context["form"]
    assert {name: form[name].value() for name in entries} == {**entries, "grade": 3, "accepted": [2]}
    page = client.get("/c/bees/gold/", {"q": "names law", "columns": ["reason", "explanation"]}).text
    assert "It names the &lt;law&gt;." in page
    assert "between us" in page


def test_a_file_is_taken_whole_or_not_at_all() -> None:
    people, campaign = beginning(n_gold=0)
    client = people.client("admin")
    bad = client.post("/c/bees/gold/file", {"file": SimpleUploadedFile("g.tsv", b"T1\tD1-00\t1\nT1\tD1-01\t9\n")})
    assert bad.status_code == 422
    assert [(p.line, p.reason) for p in bad.context["problems"]] == [(2, "the scale has no grade 9 (0 to 4)")]
    assert not current_gold(campaign.collection).exists()
    good = client.post("/c/bees/gold/file", {"file": SimpleUploadedFile("g.tsv", b"T1\tD1-00\t1\nT1\tD1-01\t4\n")})
    assert good.headers["Location"] == "/c/bees/gold/"
    assert current_gold(campaign.collection).count() == 2


def test_qrels_need_the_choice_what_unlisted_pairs_are() -> None:
    people, campaign = beginning(n_gold=0)
    snapshot = make_snapshot(campaign.collection, "T1 0 D1-00 3\nT1 0 D1-01 0\n")
    entered = {"snapshot": snapshot.pk, "seed": "5"}
    client = people.client("admin")
    assert client.post("/c/bees/gold/qrels", entered).context["form"].errors == {
        "unlisted": ["This field is required."]
    }
    assert client.post("/c/bees/gold/qrels", {**entered, "unlisted": "zero"}).context["form"].errors == {
        "pool": ["Choose the pool that unlisted pairs are drawn from."],
        "n_unlisted": ["Say how many."],
    }
    assert not current_gold(campaign.collection).exists()
    drawn = {**entered, "unlisted": "zero", "pool": campaign.pool.pk, "n_unlisted": "4"}
    answer = client.post("/c/bees/gold/qrels", drawn, follow=True)
    assert "Gold: 6 pairs set, 4 of them unlisted." in answer.text
    grades = current_gold(campaign.collection).order_by("grade").values_list("grade", flat=True)
    assert list(grades) == [0, 0, 0, 0, 0, 3]


def test_the_number_of_queries_does_not_grow() -> None:
    people, campaign = beginning(n_gold=0)
    client = people.client("admin")

    def queries() -> int:
        with CaptureQueriesContext(connection) as seen:
            assert client.get("/c/bees/gold/").status_code == 200
        return len(seen)

    campaign.set_gold(0, 0, 1)
    one = queries()
    campaign.set_gold(0, 1, 2)
    campaign.set_gold(1, 1, 2)
    assert queries() == one


def test_a_file_and_qrels_that_correct_are_taken_once_the_box_is_ticked() -> None:
    people, campaign = beginning(n_gold=1)
    client, data = people.client("admin"), b"T1\tD1-00\t3\n"
    grade = campaign.collection.gold_events.order_by("pk")[0].grade

    def send(**entries: str) -> HttpResponse:
        return client.post(  # type: ignore[return-value]
            "/c/bees/gold/file", {"file": SimpleUploadedFile("g.tsv", data), **entries}
        )

    refused = send()
    assert refused.status_code == 422
    assert f"topic T1, document D1-00: {grade} → 3" in refused.text
    assert send(correct="on").headers["Location"] == "/c/bees/gold/"
    snapshot = make_snapshot(campaign.collection, "T1 0 D1-00 1\n")
    chosen = {"snapshot": str(snapshot.pk), "seed": "5", "unlisted": "leave"}
    assert client.post("/c/bees/gold/qrels", chosen).status_code == 422
    assert client.post("/c/bees/gold/qrels", {**chosen, "correct": "on"}).status_code == 302
    assert current_gold(campaign.collection).get(document__docno="D1-00").grade == 1
