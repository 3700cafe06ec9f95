"""Contested pairs over HTTP: the queue, and a pair from the blind grade to the decision."""

import csv
from datetime import timedelta
from io import StringIO

import pytest
from django.db import connection
from django.http import StreamingHttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.models import (
    Adjudication,
    AdjudicationReading,
    DocumentVersion,
    Item,
    Judgment,
    Planting,
    Policy,
    Role,
)
from annotation.quality.policy import Policy as Parameters
from annotation.trust.steps.exclusions import exclude_annotator
from annotation.trust.steps.policies import store_policy
from tests.annotation.roles import ADMINS_ONLY, RESEARCH_ONLY, People, make_people
from tests.annotation.worked_campaign import Worked, make_worked
from tests.factories import make_annotator, make_batch, make_item, make_judgment, make_member, make_user

pytestmark = pytest.mark.django_db
QUEUE = "/c/bees/quality/contested/"
NEXT, CSV, WAITING = QUEUE + "next", QUEUE + "decisions.csv", QUEUE + "waiting.csv"
PAIR = "/c/bees/quality/pair?number=1&docno=d3"
DEEDS = ("open", "blind", "look", "leave", "withdraw")
NAMES = ("Amber", "Birch", "Cedar", "Dune")


def deed(name: str, docno: str = "d3", **more: str) -> str:
    further = "".join(f"&{key}={value}" for key, value in more.items())
    return f"/c/bees/quality/pair/{name}?number=1&docno={docno}{further}"


def started() -> tuple[People, Worked, Client]:
    people = make_people()
    worked = make_worked(people.collection)
    worked.fill()
    worked.judge("d3", "Amber", 0, comment="Only in the last line")
    return people, worked, people.client("admin")


def second_admin(people: People) -> Client:
    client = Client()
    client.force_login(make_member(people.collection, make_user("second"), Role.ADMIN))
    return client


def decide(client: Client, grade: int, *, blind: int | None = None, docno: str = "d3", n: int = 0) -> int:
    if blind is not None:
        assert client.post(deed("blind", docno), {"grade": blind}).status_code == 302
    data = {"grade": grade, "reason": f"Says {grade}", "based_on": n}
    return client.post(f"/c/bees/quality/pair?number=1&docno={docno}", data).status_code


def test_researchers_read_the_queue_and_admins_decide() -> None:
    people, _, _ = started()
    assert people.statuses(QUEUE) == RESEARCH_ONLY
    assert people.statuses(CSV) == RESEARCH_ONLY
    assert people.statuses(WAITING) == RESEARCH_ONLY
    assert people.statuses(PAIR) == ADMINS_ONLY
    assert people.statuses(NEXT, "post") == {**ADMINS_ONLY, "admin": 302}
    assert people.statuses(PAIR, "post") == {**ADMINS_ONLY, "admin": 422}
    for name in DEEDS:
        expected = 422 if name == "blind" else 302
        assert people.statuses(deed(name, "d4"), "post") == {**ADMINS_ONLY, "admin": expected}, name
        assert people.client("admin").get(deed(name)).status_code == 405
    assert Adjudication.objects.count() == 0


def test_the_queue_says_why_and_shows_no_grade() -> None:
    people, _, client = started()
    page = client.get(QUEUE)
    assert [(row.docno, row.why, row.n_people) for row in page.context["page_obj"]] == [
        ("d3", ["grades too far apart", "flagged"], 4),
        ("d4", ["too few reliable judgments"], 3),
        ("d5", ["too few reliable judgments"], 2),
        ("d1", ["wide range"], 4),
    ]
    counts = {each.key: each.n for each in page.context["waiting"].reasons if each.n}
    assert counts == {"apart": 1, "few": 2, "wide": 1, "flagged": 1}
    assert "Only in the last line" not in page.text
    lines = client.get(WAITING).getvalue().decode().splitlines()
    assert lines[:2] == [
        "number,docno,why,people,held_by,sent_by,sent_because",
        "1,d3,grades too far apart; flagged,4,,,",
    ]
    assert len(lines) == 5
    assert client.get(WAITING + "?reason=few").getvalue().decode().splitlines()[1:] == [
        "1,d4,too few reliable judgments,3,,,",
        "1,d5,too few reliable judgments,2,,,",
    ]
    minds = client.get(QUEUE + "minds.csv").getvalue().decode().splitlines()
    assert (minds[0], len(minds), minds[1]) == (
        "what,share,low,high,n", 5, "Mind changed after seeing the others’ grades,,,,0"
    )  # fmt: skip
    for wrong in ("nothing.csv", "waiting.csv?batch=none"):
        assert client.get(QUEUE + wrong).status_code == 404
    assert [row.docno for row in client.get(QUEUE + "?reason=few").context["page_obj"]] == ["d4", "d5"]
    assert [row.docno for row in client.get(QUEUE + "?topic=g").context["page_obj"]] == []
    assert 'href="/c/bees/quality/contested/waiting.csv?reason=few"' in client.get(QUEUE + "?reason=few").text
    nothing = client.get(QUEUE + "?reason=few&topic=g")  # none has both: the filters say what was chosen all the same
    filters = nothing.context["listed"].filters
    assert [(chosen, chosen in dict(values)) for _, chosen, values in filters] == [("few", True), ("g", True)]
    assert people.client("researcher").get(QUEUE).text.count("Take the first") == 0


def test_a_second_opinion_and_thresholds_are_chosen() -> None:
    people, worked, client = started()
    rule = Parameters(accuracy_threshold=0.0, count_unproven=True, max_range=None, consolidation="dawid_skene")
    store_policy(people.collection, name="posterior", parameters=rule, actor=people.admin)
    chosen = f"?batch={worked.batch.token}&policy=default+v1&posterior=posterior+v1&below=1.0&wide=4"
    page = client.get(QUEUE + chosen)
    counts = {each.key: each.n for each in page.context["waiting"].reasons}
    assert (counts["wide"], counts["unsure"] > 0) == (0, True)
    for wrong in ("posterior=default+v1", "below=2", "wide=0", "batch=none"):
        assert client.get(f"{QUEUE}?batch={worked.batch.token}&policy=default+v1&{wrong}").status_code == 422
    assert Policy.objects.filter(name="posterior").exists()


def test_what_excluded_people_said_is_marked() -> None:
    people, worked, client = started()
    assert decide(client, 0, blind=0) == 302
    assert ">excluded" not in client.get(PAIR).text
    exclude_annotator(worked.people["Amber"], reason="Does not read", actor=people.admin)
    page = client.get(PAIR)
    assert [each.judgment.annotator.pseudonym for each in page.context["file"].judgments if each.is_excluded] == [
        "Amber"
    ]
    assert "excluded</span>" in page.text


def test_without_a_batch_nothing_is_contested() -> None:
    client = make_people().client("admin")
    assert "Nothing is contested yet" in client.get(QUEUE).text
    assert client.post(NEXT).status_code == 404


def test_before_the_blind_grade_the_page_knows_nobodys_grade() -> None:
    """Not in the HTML, however one comes there; afterwards it has all of it."""
    people, worked, client = started()
    worked.judge("d3", "Birch", 2, comment="In a way", evidence_start=0, evidence_end=4)
    client.post(NEXT)
    for address in (PAIR, PAIR + "&view=whole", QUEUE):
        text = client.get(address).text
        assert [name for name in (*NAMES, "Only in the last line", "In a way", "mark class") if name in text] == []
    refused = client.post(deed("blind"), {"grade": "7"})
    assert (refused.status_code, "7 is not one of the available choices" in refused.text) == (422, True)
    assert "Amber" not in client.get(PAIR).text
    answer = client.post(deed("blind"), {"grade": "2"})
    assert (answer.status_code, answer["Location"]) == (302, PAIR)
    page = client.get(PAIR)
    assert all(name in page.text for name in (*NAMES, "Only in the last line", '<mark class="evidence">Some</mark>'))
    assert page.context["form"]["grade"].value() == 2
    other = second_admin(people).get(PAIR).text
    assert [name for name in NAMES if name in other] == []


def test_from_the_queue_to_the_decision_and_on() -> None:
    people, _, client = started()
    query = "?policy=default+v1&batch=" + make_batch_token(people)
    answer = client.post(NEXT + query)
    assert answer["Location"].startswith("/c/bees/quality/pair?batch=")
    assert answer["Location"].endswith("&number=1&docno=d3")
    here = answer["Location"]
    client.post(here.replace("/pair?", "/pair/blind?"), {"grade": "2"})
    assert client.post(here, {"grade": "1", "reason": " ", "based_on": "0"}).status_code == 422
    answer = client.post(here, {"grade": "1", "reason": "The last line", "based_on": "0", "next": "1"})
    assert answer["Location"].endswith("&number=1&docno=d4")
    row = Adjudication.objects.get()
    assert (row.grade, row.blind_grade, row.knew, row.created_by) == (1, 2, "", people.admin)
    page = client.get(QUEUE + query)
    waiting = page.context["waiting"]
    assert (waiting.n_contested, waiting.n_decided, waiting.n_waiting) == (4, 1, 3)
    assert [(share.n_yes, share.n) for _, share in page.context["figures"].shares] == [(1, 1), (0, 1), (1, 1), (1, 1)]


def make_batch_token(people: People) -> str:
    return people.collection.batches.get().token


def test_two_adjudicators_do_not_meet() -> None:
    people, _, client = started()
    other = second_admin(people)
    client.post(NEXT)
    assert other.post(NEXT)["Location"].endswith("docno=d4")
    text = other.get(PAIR).text
    assert "lead is deciding on this pair" in text
    assert "This is my grade" not in text
    assert [row.holder for row in other.get(QUEUE).context["page_obj"]][:2] == ["lead", ""]
    other.post(deed("blind"), {"grade": "1"})
    assert AdjudicationReading.objects.filter(seen_at__isnull=False).count() == 0
    AdjudicationReading.objects.update(held_until=timezone.now() - timedelta(minutes=1))
    assert decide(other, 1, blind=1) == 302
    client.post(deed("blind"), {"grade": "3"})
    answer = client.post(PAIR, {"grade": "3", "reason": "Mine stays", "based_on": "0"})
    assert answer.status_code == 422
    assert "second has decided meanwhile" in answer.text
    assert "Mine stays" in answer.text
    assert Adjudication.objects.count() == 1


def test_a_pair_of_a_list_is_theirs_while_they_read() -> None:
    people, _, client = started()
    answer = client.post(deed("open", "d4", reason="few"))
    assert answer["Location"] == "/c/bees/quality/pair?reason=few&number=1&docno=d4"
    other = second_admin(people)
    refused = other.post(deed("open", "d4"), follow=True)
    assert "lead is deciding on topic 1, document d4 now" in refused.text
    assert refused.context["state"].stage == "held"
    other.post(deed("open", back="reason%3Dfew"))
    readings = AdjudicationReading.objects.order_by("pk").values_list("reader__username", "knew", "seen_at")
    assert list(readings) == [("lead", "", None), ("second", "seen", None)]


def test_leaving_gives_the_pair_to_others() -> None:
    people, _, client = started()
    client.post(NEXT)
    assert client.post(deed("leave"), {"next": "1"})["Location"].endswith("docno=d4")
    assert [row.left for row in client.get(QUEUE).context["page_obj"]] == [True, False, False, False]
    assert second_admin(people).post(NEXT)["Location"].endswith("docno=d3")
    for docno in ("d4", "d5", "d1"):
        last = client.post(deed("leave", docno), {"next": "1"})
    assert last["Location"].startswith(QUEUE)
    assert "Nothing waits for you here" in client.get(QUEUE).text


def test_who_looks_first_is_marked() -> None:
    _, _, client = started()
    client.post(deed("look"))
    assert "Amber" in client.get(PAIR).text
    assert decide(client, 1) == 302
    row = Adjudication.objects.get()
    assert (row.blind_grade, row.knew) == (None, "seen")
    client.post(deed("blind", "d4", back="reason%3Dfew"), {"grade": "4"})
    assert AdjudicationReading.objects.get(document__docno="d4").knew == "seen"
    answer = client.post(
        "/c/bees/quality/pair?number=1&docno=d4&back=reason%3Dfew", {"grade": 4, "reason": "x", "based_on": 0}
    )
    assert answer["Location"] == "/c/bees/quality/pairs?reason=few"


def test_who_judged_the_pair_is_marked() -> None:
    people, worked, client = started()
    make_judgment(worked.items["d3"], make_annotator(people.collection, people.admin, "LEAD"), 1)
    decide(client, 1, blind=1)
    assert Adjudication.objects.get().knew == "judged"
    assert "Not blind: had judged the pair as annotator" in client.get(PAIR).text


def test_a_decision_is_revised_and_withdrawn() -> None:
    _, _, client = started()
    decide(client, 1, blind=2)
    assert "Decide again" in client.get(PAIR).text
    assert decide(client, 3, n=1) == 302
    assert client.post(deed("withdraw"), {"reason": "", "based_on": "2"}).status_code == 302
    assert client.post(deed("withdraw"), {"reason": "Not ours to say", "based_on": "2"}).status_code == 302
    assert [(row.action, row.grade, row.blind_grade) for row in Adjudication.objects.order_by("pk")] == [
        ("decide", 1, 2),
        ("decide", 3, None),
        ("withdraw", None, None),
    ]
    page = client.get(PAIR)
    assert "Withdrawn by lead" in page.text
    assert client.get(QUEUE).context["waiting"].n_decided == 0


def test_the_file_of_decisions() -> None:
    people, _, client = started()
    decide(client, 1, blind=2)
    Adjudication.objects.update(reason="=1+1", blind_ms=61_040, decide_ms=None)
    decide(second_admin(people), 4, blind=4, n=1)
    answer = people.client("researcher").get(CSV)
    assert isinstance(answer, StreamingHttpResponse)
    assert answer["Content-Disposition"] == 'attachment; filename="bees-decisions.csv"'
    text = answer.getvalue().decode()
    first, second = csv.DictReader(StringIO(text))
    assert {**first, "created_at": ""} == {
        "number": "1",
        "docno": "d3",
        "criterion": "relevance",
        "action": "decide",
        "grade": "1",
        "blind_grade": "2",
        "changed": "yes",
        "blind": "yes",
        "knew": "",
        "blind_seconds": "61.0",
        "decide_seconds": "",
        "adjudicator": "1",
        "holds": "no",
        "created_at": "",
        "reason": "'=1+1",
    }
    assert (second["changed"], second["holds"], second["adjudicator"]) == ("no", "yes", "2")
    assert "lead" not in text


def test_no_criterion_of_a_decision_runs_in_a_spreadsheet() -> None:
    _, _, client = started()
    decide(client, 1, blind=2)
    Adjudication.objects.update(criterion="=1+1")
    assert ",'=1+1," in client.get(CSV).getvalue().decode()


def test_a_check_is_not_decided() -> None:
    _, worked, client = started()
    worked.add_item("far", planted=Planting.Purpose.CHECK)
    assert "nothing to decide" in client.get("/c/bees/quality/pair?number=1&docno=far").text
    client.post(deed("blind", "far"), {"grade": "0"})
    assert "never enters qrels" in client.get(QUEUE).text
    assert decide(client, 0, docno="far") == 422
    assert AdjudicationReading.objects.count() == 0
    assert client.get("/c/bees/quality/pair?number=1&docno=nothing").status_code == 404


def test_what_people_said_with_times_and_evidence_in_another_version() -> None:
    people, worked, client = started()
    people.collection.language = "de"
    people.collection.save()
    item, text = worked.items["d3"], "Only <b>bees</b> & swifts."
    assert item.document_version is not None
    DocumentVersion.objects.filter(pk=item.document_version.pk).update(text=text)
    worked.judge("d3", "Amber", 3, evidence_start=5, evidence_end=16)
    Judgment.objects.filter(annotator__pseudonym="Amber", revision=3).update(active_ms=1_234_000, wall_ms=None)
    client.post(deed("look"))
    page = client.get(PAIR)
    (row,) = [each for each in page.context["file"].judgments if each.evidence]
    assert (row.judgment.annotator.pseudonym, row.evidence, row.quote) == ("Amber", (5, 16), "<b>bees</b>")
    assert '<q dir="auto" lang="de">&lt;b&gt;bees&lt;/b&gt;</q>' in page.text
    assert '<mark class="evidence">&lt;b&gt;bees&lt;/b&gt;</mark>' in page.text
    assert "1,234 s at work ·" in page.text
    other = make_item(make_batch(people.collection, [], n_documents=0), item.topic, item.document)
    new = DocumentVersion.objects.create(
        collection=people.collection,
        document=item.document,
        sha256="1" * 64,
        title="New",
        text="Otherwise",
        is_current=False,
    )
    Item.objects.filter(pk=other.pk).update(document_version=new)
    page = client.get(PAIR)
    assert "Evidence, in another version of the document:</span> <q" in page.text
    assert "mark class" not in page.text


def test_evidence_outside_the_best_passage_brings_the_whole_document() -> None:
    _, worked, client = started()
    text = "A topic about bees.\n\n" + "Nothing of it here. " * 400
    DocumentVersion.objects.filter(document__docno="d3").update(text=text)
    worked.judge("d3", "Birch", 2, evidence_start=len(text) - 20, evidence_end=len(text) - 1)
    assert 'data-view="excerpt"' in client.get(PAIR).text
    client.post(deed("look"))
    texts = {view: client.get(PAIR + view).text for view in ("", "&view=excerpt", "&view=whole")}
    assert ['data-view="whole"' in text for text in texts.values()] == [True, False, True]


def test_a_page_costs_the_same_for_one_pair_as_for_three() -> None:
    _, worked, client = started()
    client.post(deed("look"))

    def queries(address: str) -> int:
        with CaptureQueriesContext(connection) as seen:
            assert client.get(address).status_code == 200
        return len(seen)

    before = queries(QUEUE), queries(PAIR)
    for docno in ("m1", "m2", "m3"):
        worked.add_item(docno)
        for name, grade in (("Amber", 0), ("Birch", 4)):
            worked.judge(docno, name, grade)
        decide(client, 2, blind=3, docno=docno)
    worked.judge("d3", "Birch", 3, evidence_start=0, evidence_end=4)
    worked.judge("d3", "Cedar", 3, evidence_start=0, evidence_end=4)
    assert queries(QUEUE) == before[0]
    assert queries(PAIR) - before[1] in (0, 1)  # the text that evidence is quoted from
