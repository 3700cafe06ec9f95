"""On the way to a webhook: which address, which certificate, how long."""

import shutil
import socket
import time
from pathlib import Path
from typing import Any

import pytest

from annotation.models import Delivery
from annotation.outgoing.steps import webhook
from annotation.outgoing.steps.recipients import add_recipient
from tests.annotation.outgoing.receiver import Receiver, dripping, make_certificate, receiving
from tests.annotation.outgoing.sending import tell, work
from tests.factories import make_collection


@pytest.mark.django_db
def test_what_is_connected_to_is_what_was_checked(
    receiver: Receiver, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The name is looked up once; the receiver sees the name."""
    asked = list[str]()
    looked_up = socket.getaddrinfo

    def look_up(host: str, *rest: Any, **options: Any) -> Any:
        asked.append(host)
        return looked_up("127.0.0.1", *rest, **options)

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    settings.TOUCHSTONE_WEBHOOK_PRIVATE_HOSTS = [f"inside.example:{receiver.port}"]
    collection = make_collection("bees")
    address = f"http://inside.example:{receiver.port}/hook"
    add_recipient(collection, kind="webhook", address=address, actor=None)
    tell(collection)
    work()
    assert asked == ["inside.example", "127.0.0.1"]
    assert receiver.got[0][0]["Host"] == f"inside.example:{receiver.port}"


@pytest.mark.django_db
def test_no_tls_no_message_and_silence_ends(receiver: Receiver, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webhook, "SECONDS", 0.2)
    collection = make_collection("bees")
    add_recipient(collection, kind="webhook", address=f"https://{receiver.host}/", actor=None)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        host = f"127.0.0.1:{silent.getsockname()[1]}"
        settings.TOUCHSTONE_WEBHOOK_PRIVATE_HOSTS = [receiver.host, host]
        add_recipient(collection, kind="webhook", address=f"http://{host}/", actor=None)
        tell(collection, secret="none")
        work()
    first, second = Delivery.objects.order_by("pk")
    assert (receiver.got, first.state, second.state) == ([], "waiting", "waiting")
    assert (first.answer.split(":")[0], second.answer.split(":")[0]) == ("SSLError", "TimeoutError")


def lead(monkeypatch: pytest.MonkeyPatch, *addresses: str) -> None:
    """Names lead to these addresses, and addresses to themselves."""
    looked_up = socket.getaddrinfo

    def look_up(host: str, port: int, *rest: Any, **options: Any) -> Any:
        hosts = [host] if host.startswith("127.") else addresses
        return [answer for each in hosts for answer in looked_up(each, port, *rest, **options)]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)


@pytest.mark.django_db
def test_addresses_are_asked_in_turn_until_the_time_is_over(
    receiver: Receiver, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    lead(monkeypatch, "127.0.0.2", "127.0.0.1")  # the receiver is at the second
    settings.TOUCHSTONE_WEBHOOK_PRIVATE_HOSTS = [f"inside.example:{receiver.port}"]
    collection = make_collection("bees")
    address = f"http://inside.example:{receiver.port}/hook"
    add_recipient(collection, kind="webhook", address=address, actor=None)
    tell(collection)
    work()
    assert (Delivery.objects.get().state, len(receiver.got)) == ("sent", 1)
    monkeypatch.setattr(webhook, "ALL_SECONDS", 0.0)  # as if the look-up had lasted so long
    tell(collection, cause="two")
    work()
    late = Delivery.objects.latest("pk")
    assert (late.state, late.answer.split(":")[0], len(receiver.got)) == ("waiting", "TimeoutError", 1)


@pytest.mark.django_db
def test_an_answer_that_drips_is_cut_off(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webhook, "ALL_SECONDS", 0.4)
    collection = make_collection("bees")
    with dripping() as port:
        settings.TOUCHSTONE_WEBHOOK_PRIVATE_HOSTS = [f"127.0.0.1:{port}"]
        add_recipient(collection, kind="webhook", address=f"http://127.0.0.1:{port}/", actor=None)
        tell(collection)
        begun = time.monotonic()
        work()
    assert time.monotonic() - begun < 3
    assert Delivery.objects.get().state == "waiting"


@pytest.mark.django_db
@pytest.mark.skipif(shutil.which("openssl") is None, reason="makes a certificate with openssl")
def test_a_certificate_must_be_known_and_of_the_name(
    settings: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    certificate = make_certificate(tmp_path, "right.example")
    lead(monkeypatch, "127.0.0.1")
    collection = make_collection("bees")
    with receiving(certificate) as there:
        hosts = [f"{name}.example:{there.port}" for name in ("right", "wrong")]
        settings.TOUCHSTONE_WEBHOOK_PRIVATE_HOSTS = hosts
        for host in hosts:
            add_recipient(collection, kind="webhook", address=f"https://{host}/", actor=None)
        tell(collection, cause="unknown")
        work()
        assert there.got == []
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        tell(collection, cause="known")
        work()
    answers = [each.answer for each in Delivery.objects.order_by("pk")]
    assert ["self-signed" in answer for answer in answers] == [True, True, False, False]
    assert (answers[2], "Hostname mismatch" in answers[3]) == ("Answered 204.", True)
    assert [headers["Host"] for headers, _ in there.got] == [hosts[0]]
