"""Correcting and withdrawing gold by hand: first the page says whom it touches, then it happens."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.gold.read.current import current_gold
from annotation.models import AuditEvent, ExclusionEvent, GoldEvent, Rule
from annotation.trust.steps.exclusions import exclude_annotator
from tests.annotation.roles import People, make_people
from tests.annotation.worked_campaign import Worked, make_worked

pytestmark = pytest.mark.django_db

SET, WITHDRAW = "/c/bees/gold/set", "/c/bees/gold/withdraw"


def beginning() -> tuple[People, Worked]:
    people = make_people()
    return people, make_worked(people.collection)


def confirmed(answer: object, **more: object) -> dict[str, object]:
    """The fields of the page that asks, as its button sends them."""
    context = answer.context  # type: ignore[attr-defined]
    fields = {field.name: field.value() for field in context["form"] if field.value() not in (None, "")}
    asked = {field.name: field.value() for field in context["confirm"]}
    return {**fields, **asked, **more}


def test_a_correction_says_whom_it_touches_before_it_happens() -> None:
    people, _ = beginning()
    client, before = people.client("admin"), GoldEvent.objects.count()
    entered = {"number": "g", "docno": "G09", "grade": "4", "reason": "misread"}
    answer = client.post(SET, entered)
    assert answer.status_code == 200
    assert GoldEvent.objects.count() == before
    effect = answer.context["effect"]
    assert (effect.n_rescored, [person.pseudonym for person in effect.changed]) == (3, ["Birch"])
    assert "14 of 20" in answer.text
    assert "13 of 20" in answer.text
    done = client.post(SET, confirmed(answer), follow=True)
    assert done.redirect_chain == [("/c/bees/gold/", 302)]
    assert "3 judgments are scored anew" in done.text
    event = current_gold(people.collection).get(document__docno="G09")
    assert (event.grade, event.accepted, event.reason, event.created_by) == (4, [4], "misread", people.admin)


def test_accepted_grades_are_shown_edited_and_kept() -> None:
    people, _ = beginning()
    client = people.client("admin")
    answer = client.post(SET, {"number": "g", "docno": "G09", "grade": "1", "accepted": ["4", "2"]})
    assert "accepted besides: 4, 2" in answer.text or "accepted besides: 2, 4" in answer.text
    client.post(SET, confirmed(answer))
    assert current_gold(people.collection).get(document__docno="G09").accepted == [1, 2, 4]
    form = client.get(SET, {"number": "g", "docno": "G09"}).context["form"]
    assert (form["grade"].value(), form["accepted"].value()) == (1, [2, 4])
    answer = client.post(SET, {"number": "g", "docno": "G09", "grade": "1"})
    client.post(SET, confirmed(answer))
    assert current_gold(people.collection).get(document__docno="G09").accepted == [1]


def test_a_withdrawal_asks_too_and_what_touches_nobody_does_not() -> None:
    people, worked = beginning()
    client = people.client("admin")
    answer = client.post(WITHDRAW, {"number": "g", "docno": "G05", "reason": "doubtful"})
    assert "Nothing has changed yet" in answer.text
    assert current_gold(people.collection).filter(document__docno="G05").exists()
    client.post(WITHDRAW, confirmed(answer))
    assert not current_gold(people.collection).filter(document__docno="G05").exists()
    worked.add_item("new")
    assert client.post(SET, {"number": "1", "docno": "new", "grade": "2"}).status_code == 302
    assert current_gold(people.collection).filter(document__docno="new").exists()


@pytest.mark.parametrize(("ticked", "back"), [(["Cedar"], True), ([], False)])
def test_whom_the_change_frees_comes_back_if_ticked(ticked: list[str], back: bool) -> None:
    people, worked = beginning()
    client = people.client("admin")
    exclude_annotator(worked.people["Cedar"], reason="The watch.", actor=None, rule=Rule.STOP)
    answer = client.post(SET, {"number": "g", "docno": "G11", "grade": "1", "accepted": ["4"]})
    assert "Cedar: excluded by a rule (watch, before clearing); then 7 right of 12" in answer.text
    assert answer.context["confirm"]["bring_back"].value() == ["Cedar"]
    done = client.post(SET, confirmed(answer, bring_back=ticked), follow=True)
    assert ("Brought back: Cedar." in done.text) is back
    assert (ExclusionEvent.objects.latest("pk").action == "reinstate") is back
    assert AuditEvent.objects.filter(verb="gold set", actor=people.admin).count() == 1


def test_who_was_excluded_by_hand_is_only_mentioned() -> None:
    people, worked = beginning()
    client = people.client("admin")
    for docno in ("G06", "G07"):
        client.post(SET, confirmed(client.post(SET, {"number": "g", "docno": docno, "grade": "1", "accepted": ["4"]})))
    exclude_annotator(worked.people["Cedar"], reason="Lent the account.", actor=None)
    answer = client.post(SET, {"number": "g", "docno": "G08", "grade": "1", "accepted": ["4"]})
    assert "Lent the account." in answer.text
    assert "stays excluded until somebody reinstates" in answer.text
    assert "bring_back" not in answer.context["confirm"].fields
    client.post(SET, confirmed(answer))
    assert ExclusionEvent.objects.latest("pk").action == "exclude"


def test_who_is_held_without_a_reason_is_named_however_gold_was_changed() -> None:
    """A file does not say whom it touches: it makes Cedar right on nine of twelve."""
    people, worked = beginning()
    client = people.client("admin")
    exclude_annotator(worked.people["Cedar"], reason="Accuracy.", actor=None, rule=Rule.ACCURACY)
    exclude_annotator(worked.people["Amber"], reason="By hand.", actor=None)
    assert client.get("/c/bees/gold/").context["freed"] == []
    lines = b"".join(f"g\t{docno}\t4\n".encode() for docno in ("G06", "G07", "G08"))
    file = SimpleUploadedFile("g.tsv", lines)
    client.post("/c/bees/gold/file", {"file": file, "correct": "on"})
    page = client.get("/c/bees/gold/")
    assert [(person.pseudonym, person.after.n_right) for person in page.context["freed"]] == [("Cedar", 9)]
    assert "Cedar</a>, 9 right of 12, excluded by a rule (accuracy)" in page.text
    assert "held by a rule" not in people.client("researcher").get("/c/bees/gold/").text
    reason = {"reason": "Gold was corrected since."}
    client.post("/c/bees/annotators/Cedar/reinstate", reason)
    assert client.get("/c/bees/gold/").context["freed"] == []


def test_a_pair_changed_by_somebody_else_meanwhile_is_left() -> None:
    people, _ = beginning()
    client = people.client("admin")
    first = client.post(SET, {"number": "g", "docno": "G09", "grade": "4"})
    client.post(WITHDRAW, confirmed(client.post(WITHDRAW, {"number": "g", "docno": "G09", "reason": "gone"})))
    late = client.post(SET, confirmed(first), follow=True)
    assert "changed meanwhile" in late.text
    assert not current_gold(people.collection).filter(document__docno="G09").exists()


def test_researchers_and_annotators_change_nothing() -> None:
    people, _ = beginning()
    before = GoldEvent.objects.count()
    entered = {"number": "g", "docno": "G09", "grade": "4", "reason": "x", "confirmed": "True", "seen": "0"}
    for who, status in {"researcher": 403, "annotator": 403, "outsider": 404, "anonymous": 302}.items():
        assert people.client(who).post(SET, entered).status_code == status
        assert people.client(who).post(WITHDRAW, entered).status_code == status
    assert GoldEvent.objects.count() == before
