"""What is sent, when it is sent again, and what an answer becomes."""

import json
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import httpx
import pytest

from tests.touchstone.client.wires import Broken, Pauses, Server, client_of, pauses, problem
from touchstone.client import ApiError, ClientError, UnreachableError

__all__ = ["pauses"]
pytestmark = pytest.mark.pure

LOST = httpx.ReadError("lost")
NEVER_THERE = httpx.ConnectError("refused")
DONE = httpx.Response(200, json={"name": "first"})
BUSY = httpx.Response(503, headers={"Retry-After": "7"}, json={"title": "Unavailable"})


def test_a_request_carries_token_address_and_what_was_said() -> None:
    server = Server([DONE])
    client_of(server).collection("bees").batches.draft(name="first", pool="depth 10", topics=None, annotators=["Amber"])
    (request,) = server.requests
    assert (request.method, str(request.url)) == ("POST", "https://host/base/api/v1/collections/bees/batches")
    assert request.headers["Authorization"] == "Bearer secret"
    body = {"name": "first", "pool": "depth 10", "topics": None, "annotators": ["Amber"]}
    assert json.loads(server.bodies[0]) == body


def test_an_empty_body_is_an_object_and_no_body_is_none() -> None:
    server = Server([DONE])
    desk = client_of(server).desk("t")
    desk.next()
    desk.keep()
    assert server.bodies == [b"{}", b""]


def test_what_names_a_thing_may_hold_anything() -> None:
    server = Server([DONE])
    bees = client_of(server).collection("bees")
    bees.documents.read("a/b?c#d e")
    bees.evaluations.compare(snapshot="first", measure=["nDCG@10", "AP"], run=["bm25", "dense&co"])
    paths = [
        request.url.raw_path.decode().removeprefix("/base/api/v1/collections/bees/") for request in server.requests
    ]
    asked = "snapshot=first&measure=nDCG%4010&measure=AP&run=bm25&run=dense%26co"
    assert paths == ["documents/a%2Fb%3Fc%23d%20e", f"evaluations/compare?{asked}"]


def test_a_list_comes_page_after_page() -> None:
    first, second = (
        {"results": [{"slug": "a"}], "next": "https://x/?page=2"},
        {"results": [{"slug": "b"}], "next": None},
    )
    server = Server([httpx.Response(200, json=first), httpx.Response(200, json=second)])
    places = client_of(server).collections.all()
    assert server.requests == []
    assert [place["slug"] for place in places] == ["a", "b"]
    assert [request.url.params["page"] for request in server.requests] == ["1", "2"]


@pytest.mark.parametrize("fault", [LOST, NEVER_THERE, httpx.ReadTimeout("slow"), httpx.RemoteProtocolError("closed")])
def test_a_post_is_sent_again_under_the_same_key(fault: Exception, pauses: Pauses) -> None:
    server = Server([fault, fault, DONE])
    assert client_of(server).collection("bees").batches.open("t")["name"] == "first"
    assert len(server.keys) == 3
    assert len({*server.keys}) == 1
    assert pauses == [0.5, 1.0]


def test_every_post_has_a_key_of_its_own_and_nothing_else_has_one() -> None:
    server = Server([DONE])
    bees = client_of(server).collection("bees")
    bees.batches.open("t")
    bees.batches.open("t")
    bees.batches.read("t")
    bees.change(name="Bees")
    assert None not in server.keys[:2]
    assert server.keys[0] != server.keys[1]
    assert server.keys[2:] == [None, None]


def test_a_busy_server_says_when_to_come_again(pauses: Pauses) -> None:
    later = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    answers = [
        BUSY,
        httpx.Response(429, headers={"Retry-After": later}),
        httpx.Response(503, headers={"Retry-After": "4000"}),
        httpx.Response(503, headers={"Retry-After": "soon"}),
        DONE,
    ]
    assert client_of(Server([*answers])).collection("bees").read()["name"] == "first"
    assert pauses[0] == 7
    assert 25 < pauses[1] <= 30
    assert pauses[2:] == [60, 4]


def test_in_the_end_the_error_is_raised(pauses: Pauses) -> None:
    server = Server([BUSY])
    with pytest.raises(ApiError, match="503 Unavailable") as caught:
        client_of(server, tries=3).collection("bees").read()
    assert (len(server.requests), caught.value.retry_after, pauses) == (3, 7, [7, 7])
    with pytest.raises(UnreachableError, match="https://host/base/api/v1/ gives no answer: lost"):
        client_of(Server([LOST]), tries=2).collection("bees").read()


def test_a_deletion_is_sent_again_only_where_it_never_arrived(pauses: Pauses) -> None:
    server = Server([NEVER_THERE, httpx.Response(204)])
    client_of(server).collection("bees").pools.delete(4)
    assert len(server.requests) == 2
    server = Server([LOST, httpx.Response(204)])
    with pytest.raises(UnreachableError):
        client_of(server).collection("bees").pools.delete(4)
    assert (len(server.requests), pauses) == (1, [0.5])


@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 422, 500, 507])
def test_other_errors_are_raised_at_once(status: int, pauses: Pauses) -> None:
    server = Server([problem(status)])
    with pytest.raises(ApiError) as caught:
        client_of(server).collection("bees").batches.open("t")
    assert (caught.value.status, len(server.requests), pauses) == (status, 1, [])


def test_a_problem_says_what_is_wrong() -> None:
    refused = problem(400, type="/api/problems/refused", errors={"runs.0": ["Not here: bm26."]}, title="Refused")
    with pytest.raises(ApiError, match=r"^400 Refused: It is open\.$") as caught:
        client_of(Server([refused])).collection("bees").runs.fuse(tag="f", runs=["bm26"])
    error = caught.value
    assert (error.status, error.code, error.detail) == (400, "refused", "It is open.")
    assert error.errors == {"runs.0": ["Not here: bm26."]}
    with pytest.raises(ApiError) as caught:
        client_of(Server([problem(409, asked=2, given=1)])).desk("t").grade(token="c", grade=2)
    assert (caught.value.code, caught.value.problem["given"], caught.value.errors) == ("conflict", 1, {})


def test_what_a_proxy_says_is_an_error_too() -> None:
    page = httpx.Response(413, text="<h1>Too large</h1>" + "x" * 400)
    with pytest.raises(ApiError, match=r"^413 Request Entity Too Large: <h1>Too large</h1>x{282}$"):
        client_of(Server([page])).collection("bees").read()
    moved = httpx.Response(301, headers={"Location": "https://other/"})
    with pytest.raises(ApiError, match="The server sends us to https://other/: use that address"):
        client_of(Server([moved])).collection("bees").read()
    with pytest.raises(ClientError, match="answers 200 with something other than JSON"):
        client_of(Server([httpx.Response(200, text="<p>Sign in</p>")])).collection("bees").read()


def test_an_address_without_a_scheme_is_wrong_at_once(pauses: Pauses) -> None:
    from touchstone.client import Client

    with pytest.raises(UnreachableError, match="missing an 'http://' or 'https://' protocol"):
        Client("touchstone.example.org", "secret").collection("bees").read()
    assert pauses == []


@pytest.mark.parametrize("token", ["", "secret\n", "sec ret", "secret\N{HORIZONTAL ELLIPSIS}"])
def test_what_is_no_token_is_wrong_at_once(token: str) -> None:
    """As read from a file with its line end."""
    from touchstone.client import Client

    with pytest.raises(ValueError, match="This is no token") as error:
        Client("https://touchstone.example.org", token)
    assert "sec" not in str(error.value)


def test_a_download_is_whole_or_not_there(tmp_path: Path, pauses: Pauses) -> None:
    def half() -> httpx.Response:
        return httpx.Response(200, stream=Broken(b"1 0 ", after=lambda: httpx.ReadError("lost")))

    target = tmp_path / "qrels"
    target.write_text("old")
    with pytest.raises(UnreachableError):
        client_of(Server([half()]), tries=1).collection("bees").snapshots.save_qrels(1, target)
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [("qrels", "old")]
    server = Server([half(), httpx.Response(200, content=b"1 0 d1 1\n")])
    assert client_of(server).collection("bees").snapshots.save_qrels(1, target, form="trec") == target
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [("qrels", "1 0 d1 1\n")]
    assert server.requests[0].url.params["form"] == "trec"
    with pytest.raises(ApiError, match="409 Conflict"):
        client_of(Server([problem(409)])).collection("bees").bundles.save(tmp_path / "none", token="t")
    assert [file.name for file in tmp_path.iterdir()] == ["qrels"]
