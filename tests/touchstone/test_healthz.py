import pytest
from django.test import Client

pytestmark = [pytest.mark.django_db, pytest.mark.both("sql")]

POLICY = {
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
}


def test_healthz_answers_anybody(client: Client) -> None:
    response = client.get("/healthz")
    assert (response.status_code, response.content) == (200, b"ok\n")


def test_healthz_only_reads(client: Client) -> None:
    assert client.post("/healthz").status_code == 405


def test_every_answer_carries_the_policy(client: Client) -> None:
    for address in ("/healthz", "/no-such-page"):
        assert set(client.get(address)["Content-Security-Policy"].split("; ")) == POLICY


def test_a_host_that_is_not_ours_is_refused(client: Client) -> None:
    assert client.get("/healthz", headers={"host": "example.net"}).status_code == 400
