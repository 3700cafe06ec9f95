"""The inbox: who is told of what, on the page and by API; what they may see no more; what was read."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client, override_settings
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.batches.steps.batches import assign_annotators, open_batch
from annotation.health.read.alerts import ShownAlert
from annotation.home.steps.inbox import KEPT, sweep_inbox
from annotation.home.steps.notifying import tell_alerts
from annotation.home.steps.waiting import count_waiting
from annotation.judging.steps.own_results import raise_appeal
from annotation.kernel import clock
from annotation.kernel.access import ADMIN
from annotation.kernel.jobs import enqueue
from annotation.kernel.jobs.notifying import SOON, tell_end
from annotation.kernel.notices import KINDS, leads, tell
from annotation.models import Annotator, Batch, Delivery, Feedback, Job, Membership, Notice, Role, User
from annotation.outgoing.steps.recipients import add_recipient
from annotation.people.steps.invitations import join_by_invitation, make_invitations
from annotation.quality.alerts import Alert
from annotation.review.steps.appeals import decline_appeal
from tests.annotation.callers import MEMBERS, caller, statuses
from tests.annotation.roles import People, make_people
from tests.annotation.worked_campaign import make_worked
from tests.factories import make_annotator, make_batch, make_judgment, make_user

pytestmark = pytest.mark.django_db

MAIL = {"TOUCHSTONE_MAIL_DOMAINS": ["example.org"], "EMAIL_BACKEND": "django.core.mail.backends.locmem.EmailBackend"}
API = "/api/v1/inbox"


@pytest.fixture
def people() -> People:
    return make_people()


def texts(person: User) -> list[str]:
    return list(Notice.objects.filter(user=person).order_by("pk").values_list("text", flat=True))


def entries(person: User) -> list[dict[str, Any]]:
    results: list[dict[str, Any]] = caller(person).get(API).json()["results"]
    return results


def make_notice(people: People, n: int = 1, kind: str = "snapshot", **values: Any) -> Notice:
    """The admin, of so many things; the last one."""
    for number in range(n):
        tell(
            kind,
            [people.admin.pk],
            cause=f"test {number}",
            text=f"Thing {number}.",
            collection=people.collection,
            **(values or {"pk": number}),
        )
    return Notice.objects.filter(user=people.admin).latest("pk")


def worn(people: People) -> tuple[Annotator, Batch]:
    """A person with an account in a batch that is laid out."""
    annotator = Annotator.objects.get(user=people.annotator)
    return annotator, make_batch(people.collection, [annotator], name="first", state=Batch.State.LAID_OUT)


def test_who_may(people: People) -> None:
    assert statuses(people, API) == MEMBERS
    assert people.statuses("/inbox/") == dict.fromkeys(("admin", "researcher", "annotator", "outsider"), 200) | {
        "anonymous": 302
    }
    notice = make_notice(people)
    others = {"researcher": 404, "annotator": 404, "outsider": 404, "anonymous": 302}
    for deed in ("read", "read-all"):
        assert people.statuses(f"/inbox/{notice.token}/{deed}", "post") == {"admin": 302, **others}


def test_who_judges_is_told_once_that_a_batch_is_open(people: People) -> None:
    annotator, batch = worn(people)
    open_batch(batch, actor=people.admin)
    assign_annotators(batch, annotators=[annotator], actor=people.admin)
    assert texts(people.annotator) == ["first is open: you can judge in it."]
    assert entries(people.annotator)[0]["page"] == f"/judge/{batch.token}/"
    late = make_user("late")
    assign_annotators(batch, annotators=[make_annotator(people.collection, late, "LATE")], actor=people.admin)
    assert (texts(late), texts(people.admin)) == (["first is open: you can judge in it."], [])


def test_an_objection_goes_to_admins_and_its_answer_back(people: People) -> None:
    annotator, batch = worn(people)
    judgment = make_judgment(batch.items.all()[0], annotator, 0)
    feedback = Feedback.objects.create(
        batch=batch,
        annotator=annotator,
        assignment=judgment.assignment,
        grade=3,
        accepted=[3],
        created_at=timezone.now(),
    )
    appeal = raise_appeal(feedback, reason="It names the bird.")
    assert texts(people.admin) == ["A-ONE objects to what they were told of a pair in first."]
    assert entries(people.admin)[0]["page"] == f"/c/bees/gold/objections/{appeal.token}"
    assert (texts(people.researcher), texts(people.annotator)) == ([], [])
    decline_appeal(appeal, answer="It does not.", actor=people.admin)
    assert texts(people.annotator) == ["Your objection in first was answered."]
    assert entries(people.annotator)[0]["page"] == f"/work/{batch.token}/"


def test_a_look_tells_of_alerts_and_of_finished_batches_once(people: People) -> None:
    worked = make_worked(people.collection)
    worked.fill()
    for _ in range(2):
        count_waiting(people.collection)
    told_of = texts(people.admin)
    assert "Every pair of first has its judgments." in told_of
    assert any(text.startswith("Alert: ") for text in told_of)
    assert len(told_of) == len(set(told_of))
    assert set(told_of) - set(texts(people.researcher)) == {"Every pair of first has its judgments."}
    assert texts(people.annotator) == []


def test_a_batch_that_is_behind_is_told_of_once_more_when_it_is_overdue(people: People) -> None:
    _, batch = worn(people)
    behind = Alert("due", "2030-12-24", 3.0, "")
    overdue = replace(behind, stage="overdue")
    for alert in (behind, behind, overdue, overdue, behind):
        tell_alerts(people.collection, [(batch, ShownAlert(alert, None))])
    assert texts(people.admin) == [
        "Alert: Late (first, due 24 December 2030).",
        "Alert: Late (first, due 24 December 2030, overdue).",
    ]


def test_who_invited_is_told_who_came(people: People) -> None:
    ((_, secret),) = make_invitations(people.collection, role=Role.RESEARCHER, notes=[""], actor=people.admin)
    join_by_invitation(secret, person=make_user("cleo"))
    assert texts(people.admin) == ["cleo has accepted an invitation as researcher."]
    assert entries(people.admin)[0]["page"] == "/c/bees/people/cleo/"


@pytest.mark.parametrize(
    ("state", "waited", "is_told"),
    [(Job.State.DONE, False, False), (Job.State.DONE, True, True), (Job.State.FAILED, False, True)],
)
def test_work_is_told_when_it_failed_or_took_its_time(people: People, state: str, waited: bool, is_told: bool) -> None:
    here, person = people.collection, people.researcher
    job = enqueue("evaluate_runs", collection=here, created_by=person, about="first, 2 runs")
    if waited:
        job.created_at = clock.now() - SOON - timedelta(seconds=1)
    tell_end(job, Job.State(state))
    assert [text.partition(": ")[2] for text in texts(people.researcher)] == [
        "Evaluate runs (first, 2 runs)."
    ] * is_told


def test_what_a_person_may_see_no_more_is_not_shown(people: People) -> None:
    make_notice(people)
    assert len(entries(people.admin)) == 1
    Membership.objects.filter(user=people.admin, collection=people.collection).update(role=Role.ANNOTATOR)
    assert entries(people.admin) == []
    page = people.client("admin").get("/inbox/").text
    assert ("Thing" in page, "unread" in page.partition("</header>")[0]) == (False, False)


def test_the_bell_counts_and_reading_is_of_one_or_of_all_before(people: People) -> None:
    newest, client = make_notice(people, 3), people.client("admin")
    middle = Notice.objects.get(user=people.admin, text="Thing 1.")
    assert (n_unread(client), len(entries(people.admin))) == (3, 3)
    assert client.post(f"/inbox/{newest.token}/read", headers={"X-Inbox": "1"}).status_code == 204
    assert n_unread(client) == 2
    assert caller(people.admin).post(f"{API}/{middle.token}/read-all").json() == {"read": 2}
    assert (n_unread(client), caller(people.admin).get(f"{API}?unread=true").json()["results"]) == (0, [])
    tell("snapshot", [people.admin.pk], cause="new", text="New.", collection=people.collection, pk=7)
    client.post(f"/inbox/{newest.token}/read-all")
    assert n_unread(client) == 1


def n_unread(client: Client) -> int:
    page = client.get("/inbox/")
    return int(page.context["n_unread"]())


def test_every_kind_leads_somewhere_and_nothing_is_told_twice(people: People) -> None:
    values = {"batch_health": "token", "own_results": "token", "batch": "token", "judge": "token", "job": "token"}
    for kind, each in KINDS.items():
        name = values.get(each.page, {"people_person": "username", "gold_appeal": "token"}.get(each.page, "pk"))
        thing: dict[str, str | int] = {name: 1 if name == "pk" else "abc"}
        for _ in range(2):
            tell(kind, leads(people.collection, ADMIN), cause=kind, text=kind, collection=people.collection, **thing)
    shown = entries(people.admin)
    assert sorted(each["kind"] for each in shown) == sorted(KINDS)
    assert all(each["page"].startswith("/") for each in shown)


@override_settings(**MAIL)
def test_recipients_outside_hear_what_leads_read_if_they_want_everything(people: People) -> None:
    for name, everything in (("all", True), ("series", False)):
        add_recipient(
            people.collection, kind="mail", address=f"{name}@example.org", everything=everything, actor=people.admin
        )
    make_notice(people)
    tell("job", [people.admin.pk], cause="job", text="Work.", collection=people.collection, token="abc")
    (delivery,) = Delivery.objects.all()
    assert (delivery.recipient.address, delivery.subject) == ("all@example.org", "Thing 0.")
    assert '"page": "/c/bees/snapshots/0/"' in delivery.body


def test_what_was_read_long_ago_is_deleted(people: People) -> None:
    make_notice(people, 3)
    old, late, unread = Notice.objects.filter(user=people.admin).order_by("pk")
    now = timezone.now()
    Notice.objects.filter(pk=old.pk).update(read_at=now - KEPT - timedelta(days=1), created_at=now - 2 * KEPT)
    Notice.objects.filter(pk=late.pk).update(read_at=now - KEPT + timedelta(days=1), created_at=now - 2 * KEPT)
    Notice.objects.filter(pk=unread.pk).update(created_at=now - 2 * KEPT)
    assert (sweep_inbox(), sweep_inbox()) == (1, 0)
    assert texts(people.admin) == [late.text, unread.text]


def test_what_was_read_long_ago_is_deleted_in_portions(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("annotation.kernel.clearing.PORTION", 2)
    make_notice(people, 5)
    Notice.objects.filter(user=people.admin).update(read_at=timezone.now() - 2 * KEPT)
    with CaptureQueriesContext(connection) as seen:
        assert sweep_inbox() == 5
    assert sum(query["sql"].startswith("DELETE") for query in seen) == 3
