"""Messages that go out: to nobody unless allowed, signed, tried again, never to an address that was not checked."""

import hashlib
import hmac
import json
import socket
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.core import mail
from django.utils import timezone

from annotation.kernel.jobs import JobRun, claim_job, enqueue, run_job
from annotation.models import AuditEvent, Delivery, Job, JobEvent, Recipient
from annotation.outgoing.steps import delivering, webhook
from annotation.outgoing.steps.allowed_addresses import OutgoingError
from annotation.outgoing.steps.delivering import MINUTES, sweep_deliveries
from annotation.outgoing.steps.messages import write_messages
from annotation.outgoing.steps.queueing import JOB
from annotation.outgoing.steps.recipients import add_recipient, end_recipient, secret_of
from tests.annotation.callers import caller, statuses
from tests.annotation.outgoing.receiver import Receiver
from tests.annotation.outgoing.sending import tell, work
from tests.annotation.roles import ADMINS_ONLY, make_people
from tests.commands import ran
from tests.factories import make_collection

ADMINS = {"admin": 200, "researcher": 403, "annotator": 403, "outsider": 404, "anonymous": 401}
HOOK = "https://hooks.example.org/touchstone"


@pytest.mark.django_db
def test_a_signed_message_comes_once(receiver: Receiver) -> None:
    collection = make_collection("bees")
    recipient = add_recipient(collection, kind="webhook", address=receiver.address, actor=None)
    first, second = tell(collection, value=0.5), tell(collection, value=0.6)
    assert (first, Delivery.objects.count()) == (second, 1)
    assert (work(), work()) == (1, 0)
    headers, body = receiver.got[0]
    secret = secret_of(recipient)
    signed = f"{headers['Touchstone-Timestamp']}.{body}".encode()
    assert headers["Touchstone-Signature"] == f"sha256={hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()}"
    assert abs(int(headers["Touchstone-Timestamp"]) - timezone.now().timestamp()) < 60
    message = json.loads(body)
    assert (message["id"], message["facts"], message["collection"]) == (
        headers["Touchstone-Delivery"],
        {"value": 0.5},
        "bees",
    )
    delivery = Delivery.objects.get()
    assert (delivery.state, delivery.n_tries, delivery.answer) == ("sent", 1, "Answered 204.")
    again = add_recipient(make_collection("wasps"), kind="webhook", address=receiver.address, actor=None)
    assert secret_of(again) != secret


@pytest.mark.django_db
def test_it_is_tried_again_after_growing_waits_and_given_up(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    collection = make_collection("bees")
    add_recipient(collection, kind="webhook", address=receiver.address, actor=None)
    tell(collection)
    receiver.answers += [500, 302, 404, 500, 500, 500, 500]
    now, waits = timezone.now(), list[float]()
    for n in range(len(MINUTES) + 1):
        monkeypatch.setattr(timezone, "now", lambda moment=now: moment)
        assert work() == 1
        delivery = Delivery.objects.get()
        if n == 1:
            assert delivery.answer == "Answered 302: a redirect, which is not followed."
        if delivery.next_try:
            waits.append((delivery.next_try - now).total_seconds() / 60)
            assert work() == 0
            now = delivery.next_try
    assert (waits, delivery.state, delivery.n_tries) == (list(map(float, MINUTES)), "failed", 7)
    assert len({headers["Touchstone-Delivery"] for headers, _ in receiver.got}) == 1
    assert len(receiver.got) == 7
    monkeypatch.setattr(timezone, "now", lambda: now + timedelta(days=9))
    assert work() == 0


@pytest.mark.django_db
def test_a_lost_try_is_made_again(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    collection = make_collection("bees")
    add_recipient(collection, kind="webhook", address=receiver.address, actor=None)
    tell(collection)
    monkeypatch.setattr(delivering, "post", killed)
    run = claim_job()
    assert isinstance(run, JobRun)
    with pytest.raises(KeyboardInterrupt):
        run_job(run)
    assert (Delivery.objects.get().n_tries, sweep_deliveries()) == (1, 0)
    later = timezone.now() + timedelta(minutes=11)
    monkeypatch.setattr(timezone, "now", lambda: later)
    monkeypatch.setattr(delivering, "post", webhook.post)
    assert (work(), work()) == (1, 1)  # the job that was lost leaves it to the next sweep
    delivery = Delivery.objects.get()
    assert (len(receiver.got), delivery.state, delivery.n_tries) == (1, "sent", 2)


def killed(_delivery: Delivery) -> str:
    raise KeyboardInterrupt


def broken(_delivery: Delivery) -> str:
    raise RuntimeError("at 10.1.2.3")


@pytest.mark.django_db
def test_a_try_that_breaks_off_counts(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    collection = make_collection("bees")
    add_recipient(collection, kind="webhook", address=receiver.address, actor=None)
    [delivery] = tell(collection)
    monkeypatch.setattr(delivering, "post", broken)
    work()
    delivery.refresh_from_db()
    assert (delivery.state, delivery.n_tries) == ("waiting", 1)
    assert delivery.answer == "An error of this installation: RuntimeError."
    Delivery.objects.update(n_tries=7, next_try=timezone.now())
    assert (work(), receiver.got) == (1, [])
    delivery.refresh_from_db()
    assert (delivery.state, delivery.n_tries, delivery.answer) == ("failed", 7, "The last try broke off.")


@pytest.mark.django_db
def test_jobs_that_waited_long_make_one_try(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sweep queues no second job for what has one, and a job of another moment sends nothing."""
    collection = make_collection("bees")
    add_recipient(collection, kind="webhook", address=receiver.address, actor=None)
    [delivery] = tell(collection)
    receiver.answers += [500] * 9
    later = timezone.now() + timedelta(hours=2)
    assert (delivery.next_try or later) > timezone.now()  # with a job of its own from the start
    monkeypatch.setattr(timezone, "now", lambda: later)
    assert sweep_deliveries() == 0
    for due in ({}, {"due": (later - timedelta(hours=1)).isoformat()}, dict(Job.objects.get().payload)):
        enqueue(JOB, collection=collection, created_by=None, **{**due, "delivery": delivery.token})
    assert work() == 4
    delivery.refresh_from_db()
    assert (len(receiver.got), delivery.n_tries, delivery.next_try) == (1, 1, later + timedelta(minutes=1))


@pytest.mark.django_db
def test_what_another_job_has_taken_is_left_to_it(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    collection = make_collection("bees")
    add_recipient(collection, kind="webhook", address=receiver.address, actor=None)
    tell(collection)

    def report(*_: object, **__: object) -> None:
        Delivery.objects.update(n_tries=1, next_try=timezone.now() + timedelta(minutes=10))

    monkeypatch.setattr(JobRun, "report", report)
    assert (work(), receiver.got, Delivery.objects.get().n_tries) == (1, [], 1)
    assert Job.objects.get().result == {"words": delivering.STALE}


@pytest.mark.django_db
def test_what_everybody_may_see_of_a_message(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Jobs and the audit log have the host: no path, no name before the @, no address of the own network."""
    settings.TOUCHSTONE_WEBHOOK_HOSTS, settings.TOUCHSTONE_MAIL_DOMAINS = ["hooks.example.org"], ["example.org"]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_args, **_options: [(0, 0, 0, "", ("10.1.2.3", 443))])
    collection = make_collection("bees")
    add_recipient(collection, kind="webhook", address=f"{HOOK}/s3cret?key=s3cret", actor=None)
    end_recipient(add_recipient(collection, kind="mail", address="ada@example.org", actor=None), actor=None)
    tell(collection)
    work()
    job = Job.objects.get()
    assert (job.message, job.result) == (
        "webhook at hooks.example.org",
        {"words": "It was not taken, and is tried again."},
    )
    assert "10.1.2.3" in Delivery.objects.get().answer  # for admins
    subjects = AuditEvent.objects.filter(verb__startswith="recipient").order_by("pk").values_list("subject", flat=True)
    assert list(subjects) == ["https://hooks.example.org", "example.org", "example.org"]
    seen = f"{list(Job.objects.values())} {list(JobEvent.objects.values())} {list(AuditEvent.objects.values())}"
    assert not [each for each in ("s3cret", "10.1.2.3", "ada@") if each in seen]


@pytest.mark.django_db
def test_what_is_allowed_no_more_is_not_tried(receiver: Receiver, settings: Any) -> None:
    collection = make_collection("bees")
    add_recipient(collection, kind="webhook", address=receiver.address, actor=None)
    tell(collection)
    settings.TOUCHSTONE_WEBHOOK_PRIVATE_HOSTS = ["elsewhere"]
    work()
    assert (Delivery.objects.get().state, receiver.got) == ("failed", [])


@pytest.mark.django_db
def test_mail_goes_to_allowed_domains_alone(settings: Any) -> None:
    collection = make_collection("bees")
    with pytest.raises(OutgoingError, match="has not switched this on"):
        add_recipient(collection, kind="mail", address="team@example.org", actor=None)
    settings.TOUCHSTONE_MAIL_DOMAINS = ["example.org"]
    refused = {"team@evil.example": "not allowed", "a\n@example.org": "not a mail", "x": "not a mail"}
    for address, reason in refused.items():
        with pytest.raises(OutgoingError, match=reason):
            add_recipient(collection, kind="mail", address=address, actor=None)
    add_recipient(collection, kind="mail", address="team@example.org", actor=None)
    write_messages(collection, event="test", cause="a", subject="Two\nlines", facts={"words": "It fell.", "value": 0.5})
    work()
    sent = mail.outbox[0]
    assert (sent.subject, sent.to) == ("[Touchstone] Two lines", ["team@example.org"])
    assert sent.body.startswith("It fell.\n\nvalue: 0.5\n")
    assert sent.extra_headers["X-Touchstone-Delivery"] == Delivery.objects.get().token


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("address", "is_https", "link"),
    [
        ("", False, None),
        ("", True, "https://judge.example.org/c/bees/series/3/"),
        ("http://10.0.0.5:8000", False, "http://10.0.0.5:8000/c/bees/series/3/"),
        ("https://proxy.example.org", True, "https://proxy.example.org/c/bees/series/3/"),
    ],
)
def test_a_message_links_to_the_page_it_names(
    receiver: Receiver, settings: Any, address: str, is_https: bool, link: str | None
) -> None:
    """Where the settings say how people reach the installation; a program finds its path beside it."""
    settings.TOUCHSTONE_ADDRESS, settings.TOUCHSTONE_HTTPS = address, is_https
    settings.ALLOWED_HOSTS, settings.TOUCHSTONE_MAIL_DOMAINS = ["localhost", "judge.example.org"], ["example.org"]
    collection = make_collection("bees")
    add_recipient(collection, kind="webhook", address=receiver.address, actor=None)
    add_recipient(collection, kind="mail", address="team@example.org", actor=None)
    tell(collection, page="/c/bees/series/3/")
    work()
    assert json.loads(receiver.got[0][1])["facts"] == {"page": "/c/bees/series/3/", "link": link}
    lines = mail.outbox[0].body.splitlines()
    assert [line for line in lines if line.startswith("link")] == ([f"link: {link}"] if link else [])
    assert any(line.startswith("page: ") for line in lines) == (link is None), "a link holds its path"


@pytest.mark.django_db
def test_a_message_has_a_bound() -> None:
    collection = make_collection("bees")
    Recipient.objects.create(collection=collection, kind="webhook", address=HOOK)
    with pytest.raises(ValueError, match="at most 16384 bytes"):
        tell(collection, words="x" * 20_000)


@pytest.mark.django_db
def test_the_page_the_api_and_the_command(receiver: Receiver) -> None:
    people = make_people()
    assert people.statuses("/c/bees/outgoing/") == ADMINS_ONLY
    for name in ("recipients", "deliveries"):
        assert statuses(people, f"/api/v1/collections/bees/{name}") == ADMINS, name
    page = people.client("admin").post("/c/bees/outgoing/", {"kind": "webhook", "address": receiver.address})
    recipient = Recipient.objects.get()
    assert secret_of(recipient) in page.text
    assert secret_of(recipient) not in people.client("admin").get("/c/bees/outgoing/").text
    assert (
        "Messages go there already."
        in people.client("admin").post("/c/bees/outgoing/", {"kind": "webhook", "address": receiver.address}).text
    )
    people.client("admin").post(f"/c/bees/outgoing/{recipient.token}/test")
    work()
    assert json.loads(receiver.got[0][1])["subject"] == "A test from bees"
    program = caller(people.admin)
    rows = program.get("/api/v1/collections/bees/deliveries").json()["results"]
    assert [(row["state"], row["address"]) for row in rows] == [("sent", receiver.address)]
    listed = ran("outgoing", "list", "bees", "--json").facts
    assert [row["state"] for row in listed["deliveries"]] == ["sent"]
    tell(people.collection)
    assert ran("outgoing", "end", "bees", receiver.address).code == 0
    assert ran("outgoing", "end", "bees", receiver.address).code == 1
    assert (Delivery.objects.latest("pk").answer, work()) == ("The recipient was taken away.", 1)
    sent = {"kind": "webhook", "address": receiver.address}
    answer = program.post("/api/v1/collections/bees/recipients", sent, content_type="application/json")
    assert answer.json()["secret"] == secret_of(Recipient.objects.latest("pk"))
    refused = program.post(
        "/api/v1/collections/bees/recipients", {"kind": "mail", "address": "a@b"}, content_type="application/json"
    )
    assert (refused.status_code, list(refused.json()["errors"])) == (400, ["kind"])


@pytest.mark.django_db
def test_whoever_is_taken_away_is_told_nothing(receiver: Receiver) -> None:
    collection = make_collection("bees")
    recipient = add_recipient(collection, kind="webhook", address=receiver.address, actor=None)
    end_recipient(recipient, actor=None)
    assert (tell(collection), work(), receiver.got) == ([], 0, [])
    assert isinstance(Recipient.objects.get().ended_at, datetime)


@pytest.mark.django_db
def test_a_message_written_while_its_recipient_was_taken_away(receiver: Receiver) -> None:
    collection = make_collection("bees")
    add_recipient(collection, kind="webhook", address=receiver.address, actor=None)
    tell(collection)
    Recipient.objects.update(ended_at=timezone.now())
    work()
    delivery = Delivery.objects.get()
    assert (receiver.got, delivery.state, delivery.answer) == ([], "failed", "The recipient was taken away.")
