"""A run made of others: by page, API, command and library the same run, which says what it came from."""

from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse

import touchstone as ts
from annotation.kernel.jobs import claim_job, run_job
from annotation.models import AuditEvent, Job
from evaluation.models import Run
from evaluation.runs.read import outgoing_run, why_run_stays
from tests.annotation.callers import caller, callers, send
from tests.annotation.refused_fields import refused_fields
from tests.annotation.roles import RESEARCH_ONLY, People, make_people
from tests.commands import ran
from tests.factories import make_collection, make_run

pytestmark = pytest.mark.django_db

PAGE, ADDRESS = "/c/bees/runs/fuse", reverse("api_fused_runs", args=["bees"])
RUNS = {
    "one": "1 Q0 a 1 9 one\n1 Q0 b 2 8 one\n2 Q0 a 1 0.5 one\n",
    "two": "1 Q0 c 1 3 two\n1 Q0 a 2 2 two\n3 Q0 d 1 1 two\n",
}


def beginning() -> People:
    people = make_people()
    for text in RUNS.values():
        make_run(people.collection, text)
    return people


def entered(**changes: Any) -> dict[str, Any]:
    return {"tag": "both", "runs": ["one", "two"], "method": "rrf", "k": "", "normalisation": "", "depth": 5, **changes}


def work() -> Job:
    run = claim_job()
    assert run is not None
    return run_job(run)


def text_of(run: Run) -> bytes:
    return b"".join(outgoing_run(run, "trec").pieces)


def test_who_fuses() -> None:
    people = beginning()
    assert people.statuses(PAGE) == RESEARCH_ONLY
    codes = {who: send(client, "post", ADDRESS).status_code for who, client in callers(people).items()}
    assert codes == {"admin": 400, "researcher": 400, "annotator": 403, "outsider": 404, "anonymous": 401}
    assert not Job.objects.exists()


def test_the_page_makes_a_run_that_says_what_it_came_from() -> None:
    people = beginning()
    client = people.client("researcher")
    answer = client.post(PAGE, entered(k=10))
    job = Job.objects.get()
    assert answer.headers["Location"] == f"/jobs/{job.token}/"
    assert work().state == Job.State.DONE
    run = Run.objects.get(tag="both")
    assert run.origin == {
        "method": "rrf",
        "parameters": {"k": 10},
        "depth": 5,
        "runs": [{"tag": tag, "sha256": Run.objects.get(tag=tag).sha256} for tag in ("one", "two")],
    }
    assert (run.description, run.n_topics, run.n_rows, run.created_by) == (
        "RRF (k=10) of one, two",
        3,
        5,
        people.researcher,
    )
    assert text_of(run).splitlines()[0] == f"1 Q0 a 1 {1 / 11 + 1 / 12!r} both".encode()
    assert AuditEvent.objects.filter(verb="runs fused", subject="both", actor=people.researcher).exists()
    shown = client.get("/c/bees/runs/tagged/both").text
    assert [tag for tag in RUNS if f"/c/bees/runs/tagged/{tag}" in shown] == ["one", "two"]
    assert "/c/bees/runs/tagged/both" in client.get(f"/jobs/{job.token}/").text
    assert why_run_stays(Run.objects.get(tag="one")) == "Another run is fused from it."
    assert why_run_stays(run) == ""


@pytest.mark.parametrize(
    ("method", "parameters"), [("rrf", {"k": 3}), ("comb_mnz", {"normalisation": "z-score"}), ("borda", {})]
)
def test_page_api_command_and_library_make_the_same_run(
    method: str, parameters: dict[str, Any], tmp_path: Path
) -> None:
    people = beginning()
    people.client("admin").post(PAGE, entered(tag="page", method=method, **parameters))
    asked = {"tag": "program", "runs": ["two", "one"], "method": method, "depth": 5, **parameters}
    answer = send(caller(people.researcher), "post", ADDRESS, asked)
    assert (answer.status_code, answer.json()["run_url"]) == (
        202,
        "http://testserver/api/v1/collections/bees/runs/program",
    )
    assert [work().state, work().state] == ["done", "done"]
    for tag, text in RUNS.items():
        (tmp_path / tag).write_text(text)
    words = [str(tmp_path / tag) for tag in RUNS]
    options = [word for name, value in parameters.items() for word in (f"--{name}", str(value))]
    assert (
        ran(
            "fuse", *words, "--method", method, "--depth", "5", "--tag", "file", "-o", str(tmp_path / "out"), *options
        ).code
        == 0
    )
    ours = ts.fuse(words, method, depth=5, tag="ours", **parameters)
    (tmp_path / "ours").write_bytes(b"".join(_trec(ours)))
    texts = {
        "page": text_of(Run.objects.get(tag="page")),
        "program": text_of(Run.objects.get(tag="program")),
        "file": (tmp_path / "out").read_bytes(),
        "ours": (tmp_path / "ours").read_bytes(),
    }
    same = {text.replace(f" {tag}\n".encode(), b" tag\n") for tag, text in texts.items()}
    assert len(same) == 1


def _trec(run: Any) -> Any:
    from evaluation.formats.run_export import run_trec

    return run_trec(run)


@pytest.mark.parametrize(
    ("changes", "fields"),
    [
        ({"tag": "one"}, {"tag"}),
        ({"tag": "a b"}, {"tag"}),
        ({"runs": ["one"]}, {"runs"}),
        ({"runs": ["one", "four"]}, {"runs"}),
        ({"method": "sum"}, {"method"}),
        ({"method": "isr", "k": 5}, {"k"}),
        ({"method": "rrf", "normalisation": "rank"}, {"normalisation"}),
        ({"depth": 0}, {"depth"}),
    ],
)
def test_what_cannot_be_fused_is_refused_by_field(changes: dict[str, Any], fields: set[str]) -> None:
    people = beginning()
    page = people.client("researcher").post(PAGE, entered(**changes))
    assert (page.status_code, set(page.context["form"].errors)) == (422, fields)
    asked = {name: value for name, value in entered(**changes).items() if value != ""}
    answer = send(caller(people.researcher), "post", ADDRESS, asked)
    assert (answer.status_code, refused_fields(answer)) == (400, fields)
    assert not Job.objects.exists()


def test_runs_of_another_collection_are_unknown_here() -> None:
    people = beginning()
    make_run(make_collection(), RUNS["one"].replace(" one\n", " theirs\n"))
    page = people.client("admin").post(PAGE, entered(runs=["one", "theirs"]))
    assert (page.status_code, set(page.context["form"].errors)) == (422, {"runs"})


def test_a_tag_that_is_taken_meanwhile_fails_the_job_and_changes_nothing() -> None:
    people = beginning()
    people.client("researcher").post(PAGE, entered())
    make_run(people.collection, RUNS["one"].replace(" one\n", " both\n"))
    job = work()
    assert (job.state, "another run has come with the tag both" in job.error) == (Job.State.FAILED, True)
    assert Run.objects.get(tag="both").origin == {}


def test_scores_that_cannot_be_added_fail_the_job_in_words() -> None:
    people = beginning()
    for tag in ("huge", "vast"):
        make_run(people.collection, f"1 Q0 a 1 1e308 {tag}\n")
    changes = {"runs": ["huge", "vast"], "method": "comb_sum", "normalisation": "none"}
    people.client("researcher").post(PAGE, entered(**changes))
    job = work()
    assert (job.state, "not finite" in job.error) == (Job.State.FAILED, True)


@pytest.mark.parametrize(
    ("words", "code", "reason"),
    [
        (["--method", "isr", "--k", "3"], 2, "ISR has no parameter k"),
        (["--k", "-1"], 2, "k of RRF is from 0"),
        (["--depth", "0"], 2, "a depth of at least 1"),
        (["--tag", "a b"], 2, "a tag without blanks"),
    ],
)
def test_the_command_says_what_is_wrong(words: list[str], code: int, reason: str, tmp_path: Path) -> None:
    for tag, text in RUNS.items():
        (tmp_path / tag).write_text(text)
    ended = ran("fuse", *(str(tmp_path / tag) for tag in RUNS), *words)
    assert (ended.code, reason in ended.err, ended.out) == (code, True, "")


def test_the_command_names_file_and_line(tmp_path: Path) -> None:
    (tmp_path / "bad").write_text("1 Q0 a 1 high bad\n")
    (tmp_path / "one").write_text(RUNS["one"])
    ended = ran("fuse", str(tmp_path / "bad"), str(tmp_path / "one"))
    assert (ended.code, f"{tmp_path / 'bad'}:1:" in ended.err) == (1, True)
