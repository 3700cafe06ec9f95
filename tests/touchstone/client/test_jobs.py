"""Long work: asked for again and again, until it has ended well, or has not, or takes too long."""

from typing import Any

import httpx
import pytest

from tests.touchstone.client.wires import Answer, Pauses, Server, client_of, pauses
from touchstone.client import JobError, JobTimeoutError, RefusedFileError

__all__ = ["pauses"]
pytestmark = pytest.mark.pure


def job(state: str, **entries: Any) -> httpx.Response:
    return httpx.Response(200, json={"state": state, "error": "", "message": "", "done": 0, "total": 2, **entries})


def imported(state: str, *reasons: str) -> httpx.Response:
    problems = [{"file": "x.tsv", "line": n, "reason": reason} for n, reason in enumerate(reasons, 1)]
    answer = {"state": state, "filename": "x.tsv", "problems": problems, "n_problems": len(problems)}
    return httpx.Response(200, json=answer)


def laid_out(*answers: Answer) -> Any:
    """The job that lays a batch out, of a server behind a proxy that calls itself otherwise."""
    taken = httpx.Response(202, json={"job_url": "http://inside:8000/api/v1/jobs/tok"})
    server = Server([taken, *answers])
    return client_of(server).collection("bees").batches.lay_out("t"), server


def test_a_job_is_waited_for(pauses: Pauses) -> None:
    work, server = laid_out(job("queued"), job("running", done=1), httpx.ReadError("lost"), job("done", done=2))
    seen: list[int] = []
    assert work.wait(progress=lambda answer: seen.append(answer["done"]))["state"] == "done"
    assert (work.token, seen) == ("tok", [0, 1, 2])
    assert {str(request.url) for request in server.requests[1:]} == {"https://host/base/api/v1/jobs/tok"}
    assert pauses == pytest.approx([0.1, 0.15, 0.5])  # 0.5 after the lost connection


def test_questions_become_rarer_but_not_too_rare(pauses: Pauses) -> None:
    work, _ = laid_out(*[job("running")] * 12, job("done"))
    work.wait(every=1.0)
    assert max(pauses) == 1.0
    assert pauses == sorted(pauses)


@pytest.mark.parametrize(
    ("state", "entries", "message"),
    [
        ("failed", {"error": "No topic is chosen."}, "The work is failed: No topic is chosen."),
        ("cancelled", {"message": "Laying out"}, "The work is cancelled: Laying out"),
    ],
)
def test_a_job_that_did_not_end_well_is_an_error(state: str, entries: dict[str, str], message: str) -> None:
    work, _ = laid_out(job(state, **entries))
    with pytest.raises(JobError) as caught:
        work.wait()
    assert (str(caught.value), caught.value.answer["state"]) == (message, state)


def test_a_job_that_takes_too_long_goes_on(pauses: Pauses) -> None:
    work, server = laid_out(job("running"))
    with pytest.raises(JobTimeoutError, match="still running after 3 seconds") as caught:
        work.wait(timeout=3)
    assert caught.value.answer["state"] == "running"
    assert sum(pauses) == pytest.approx(3)
    asked = len(server.requests)
    with pytest.raises(JobTimeoutError):
        work.wait(timeout=0)
    assert len(server.requests) == asked + 1


def test_a_file_is_checked_and_then_published(pauses: Pauses) -> None:
    taken = httpx.Response(202, json={"id": 12})
    server = Server(
        [taken, imported("checking"), imported("checked"), taken, imported("storing"), imported("published")]
    )
    imports = client_of(server).collection("bees").imports
    work = imports.check(12, format="tsv")
    assert work.wait()["state"] == "checked"
    assert imports.publish(work.id).wait()["state"] == "published"
    assert {request.url.path.rpartition("/imports/")[2] for request in server.requests} == {
        "12",
        "12/check",
        "12/publish",
    }


def test_a_refused_file_says_line_and_reason() -> None:
    server = Server([httpx.Response(202, json={"id": 12}), imported("refused", "no title", "no number")])
    with pytest.raises(RefusedFileError) as caught:
        client_of(server).collection("bees").imports.publish(12).wait()
    assert str(caught.value) == "x.tsv:1: no title (and 1 more)"
    assert [(each["line"], each["reason"]) for each in caught.value.problems] == [(1, "no title"), (2, "no number")]
    whole = {"state": "refused", "filename": "x", "n_problems": 1}
    whole["problems"] = [{"file": "x", "line": 0, "reason": "cut short"}]
    server = Server([httpx.Response(202, json={"id": 12}), httpx.Response(200, json=whole)])
    with pytest.raises(RefusedFileError, match=r"^x: cut short$"):
        client_of(server).collection("bees").imports.publish(12).wait()


@pytest.mark.parametrize("state", ["failed", "cancelled"])
def test_an_import_that_did_not_end_well_is_an_error(state: str) -> None:
    server = Server([httpx.Response(202, json={"id": 12}), imported(state)])
    with pytest.raises(JobError, match=f"x.tsv: it is {state}"):
        client_of(server).collection("bees").imports.publish(12).wait()


def test_an_arrival_whose_name_was_taken_meanwhile_is_an_error() -> None:
    answer = {"state": "checked", "filename": "b.zip", "error": "There is a collection bees already."}
    server = Server([httpx.Response(202, json={}), httpx.Response(200, json=answer)])
    with pytest.raises(JobError, match="There is a collection bees already"):
        client_of(server).arrivals.publish("t").wait()
