"""A sign-in that ran out while a page was open."""

import pytest
from django.http import HttpResponse
from django.templatetags.static import static
from django.test import Client, RequestFactory

from annotation.kernel.middleware import KeepNothing
from tests.factories import make_collection, make_user

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


def test_a_fragment_is_not_answered_with_the_sign_in_page() -> None:
    answer = Client().get("/tokens", headers={**HTMX, "HX-Current-URL": "http://testserver/judge/x/?a=1"})
    assert (answer.status_code, answer.headers["HX-Redirect"]) == (200, "/login?next=/judge/x/%3Fa%3D1")
    assert answer.content == b""


@pytest.mark.parametrize("page", [None, "https://evil.example/x", "not an address"])
def test_a_page_that_is_not_ours_is_never_gone_back_to(page: str | None) -> None:
    headers = {**HTMX, **({"HX-Current-URL": page} if page else {})}
    assert Client().get("/tokens", headers=headers).headers["HX-Redirect"] == "/login?next=/"


def test_a_page_is_redirected_as_ever() -> None:
    answer = Client().get("/tokens")
    assert (answer.status_code, answer.headers["Location"]) == (302, "/login?next=/tokens")
    assert "HX-Redirect" not in answer.headers


def test_other_redirects_of_fragments_stay() -> None:
    client = Client()
    client.force_login(make_user())
    answer = client.post("/tokens/unknown/revoke", headers=HTMX)
    assert (answer.status_code, answer.headers["Location"]) == (302, "/tokens")


@pytest.mark.parametrize(
    "path",
    ["/", "/login", "/no-such-page", "/c/bees/", "/c/bees/gold/", "/c/bees/quality/", "/api/v1/collections/bees/gold"],
)
def test_nobody_keeps_what_was_answered(path: str) -> None:
    admin = make_user()
    make_collection("bees", admin=admin)
    signed_in = Client()
    signed_in.force_login(admin)
    for client in (signed_in, Client()):
        assert "no-store" in client.get(path).headers["Cache-Control"]


def test_static_files_are_kept(client: Client) -> None:
    assert "no-store" not in client.get(static("css/base.css")).headers.get("Cache-Control", "")


def test_signing_out_clears_the_browser_but_not_what_waits_to_be_sent() -> None:
    client = Client()
    client.force_login(make_user())
    answer = client.post("/logout")
    assert (answer.status_code, answer.headers["Clear-Site-Data"]) == (302, '"cache"')
    assert "no-store" in answer.headers["Cache-Control"]


def test_the_answer_to_a_post_says_nothing_of_caches() -> None:
    """Said of what a script sends, a browser would not bring the page back as it was left."""
    keep_nothing = KeepNothing(lambda _request: HttpResponse())
    posted = keep_nothing(RequestFactory().post("/")).headers
    asked = keep_nothing(RequestFactory().get("/")).headers
    assert (posted.get("Cache-Control"), asked["Cache-Control"]) == (None, "private, no-store")
