"""Forms and JSON come in UTF-8. Another charset is refused before anything is read by it."""

from typing import Any

import pytest
from django.core.wsgi import get_wsgi_application
from django.test import Client, RequestFactory
from pytest_django import Settings

from touchstone.charset import readable_types
from touchstone.uploads import whole_bodies

pytestmark = [pytest.mark.django_db, pytest.mark.both("text")]

application = readable_types(whole_bodies(get_wsgi_application()))  # as the web server has it
FORM, PARTS, JSON = "application/x-www-form-urlencoded", "multipart/form-data; boundary=b", "application/json"
ADDRESSES = ["/login", "/no-such-page", "/api/v1/collections", "/api/v1/bundles"]


def post(address: str, content_type: str) -> tuple[int, bool]:
    """The status of the answer, and whether it carries our policy."""
    client = Client(enforce_csrf_checks=True, raise_request_exception=False)
    answer = client.generic("POST", address, b"username=a&password=b", content_type=content_type)
    return answer.status_code, "default-src 'none'" in answer.headers.get("Content-Security-Policy", "")


@pytest.mark.parametrize("charset", ["utf-16", "utf-7", "idna", "hex", "latin-1", "undefined", '"UTF-32"'])
def test_another_charset_is_refused(charset: str) -> None:
    sent = [(address, f"{kind}; charset={charset}") for address in ADDRESSES for kind in (FORM, PARTS, JSON)]
    assert {each: post(*each) for each in sent} == dict.fromkeys(sent, (415, True))


def test_the_refusal_is_json_for_programs() -> None:
    answer = Client().generic("POST", "/api/v1/collections", b"{}", content_type=f"{JSON}; charset=utf-16")
    assert answer.json()["detail"] == "This has to be sent in UTF-8."


@pytest.mark.parametrize("charset", ["utf-8", "UTF-8", "utf8", '"utf-8"', "us-ascii", "no-such-charset"])
def test_utf_8_goes_on(charset: str) -> None:
    assert post("/login", f"{FORM}; charset={charset}") == (403, True)  # it has no CSRF token


def test_a_query_is_read_as_utf_8_whatever_the_body_is() -> None:
    """`+AAA-` is a NUL in UTF-7."""
    answer = Client().generic("GET", "/login?next=/%2BAAA-", content_type="text/plain; charset=utf-7")
    assert (answer.status_code, 'value="/+AAA-"' in answer.content.decode()) == (200, True)


@pytest.mark.parametrize("kind", ["text/plain; charset*=nix''a", "text/plain; charset*=hex''a", f"{FORM}; charset*=x"])
def test_a_content_type_that_cannot_be_read_counts_as_none(kind: str) -> None:
    """Django reads it outside of everything that turns an error into an answer."""
    heads: list[str] = []

    def start(status: str, headers: list[tuple[str, str]]) -> None:
        heads.extend([status[:3], *(value for name, value in headers if name == "Content-Security-Policy")])

    call: dict[str, Any] = RequestFactory().post("/login").environ
    list(application({**call, "CONTENT_TYPE": kind, "HTTP_HOST": "localhost"}, start))
    assert (heads[0], "default-src 'none'" in heads[1]) == ("403", True)


def test_a_content_type_that_can_be_read_stays() -> None:
    def named(call: dict[str, Any], start: object) -> list[bytes]:
        return [str(call["CONTENT_TYPE"]).encode()]

    assert readable_types(named)({"CONTENT_TYPE": PARTS}, None) == [PARTS.encode()]


@pytest.mark.parametrize("address", ["/login", "/api/v1/bundles"])
def test_the_page_of_an_error_does_not_read_the_form_again(address: str, settings: Settings) -> None:
    """Where a form cannot be read, Django's own error page reads it once more, and fails out of the application."""
    settings.MIDDLEWARE = [each for each in settings.MIDDLEWARE if each != "touchstone.charset.OnlyUtf8"]
    client = Client(enforce_csrf_checks=True, raise_request_exception=False)
    client.get("/login")
    answer = client.generic("POST", address, b"a=b", content_type=f"{FORM}; charset=utf-16")
    assert answer.status_code in {400, 401}
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
