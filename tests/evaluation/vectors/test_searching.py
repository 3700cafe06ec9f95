"""A run found with vectors: by page, API and commands the same bytes, and it says what it was searched with."""

from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.kernel.jobs import ask_cancel, claim_job, run_job
from annotation.kernel.store import path_of
from annotation.models import AuditEvent, Job
from evaluation.models import Run, VectorSet
from evaluation.runs.read import outgoing_run, why_run_stays
from tests.annotation.callers import caller, callers, send
from tests.annotation.refused_fields import refused_fields
from tests.annotation.roles import RESEARCH_ONLY, People, make_people
from tests.commands import ran
from tests.evaluation.vectors.made import Made, bring, bring_both, made_vectors
from tests.factories import make_run, make_vectors

pytestmark = pytest.mark.django_db

PAGE, ADDRESS = "/c/bees/vectors/search", reverse("api_searched_runs", args=["bees"])
SET = "/c/bees/vectors/sets/documents/mine"


def beginning() -> tuple[People, Made]:
    people = make_people()
    some = made_vectors(people.collection)
    bring_both(people.collection, some)
    return people, some


def entered(**changes: Any) -> dict[str, Any]:
    return {"model": "mine", "tag": "found", "similarity": "", "depth": 4, **changes}


def work() -> Job:
    run = claim_job()
    assert run is not None
    return run_job(run)


def text_of(tag: str) -> bytes:
    return b"".join(outgoing_run(Run.objects.get(tag=tag), "trec").pieces)


@pytest.mark.parametrize("similarity", ["cosine", "inner", "euclidean"])
def test_page_api_and_commands_find_the_same_run(similarity: str, tmp_path: Path) -> None:
    people, some = beginning()
    people.client("researcher").post(PAGE, entered(tag="page", similarity=similarity))
    asked = entered(tag="program", similarity=similarity)
    answer = send(caller(people.researcher), "post", ADDRESS, asked)
    assert (answer.status_code, answer.json()["run_url"]) == (
        202,
        "http://testserver/api/v1/collections/bees/runs/program",
    )
    assert [work().state, work().state] == ["done", "done"]
    chosen = ["--similarity", similarity]
    assert ran("vectors", "search", "bees", "mine", "--tag", "command", "--depth", "4", *chosen).code == 0
    queries, documents = some.write(tmp_path)
    out = tmp_path / "out"
    words = ["search_vectors", str(queries), str(documents), "--k", "4", "--tag", "file", *chosen, "-o", str(out)]
    assert ran(*words).code == 0
    texts = {**{tag: text_of(tag) for tag in ("page", "program", "command")}, "file": out.read_bytes()}
    assert len({text.replace(f" {tag}\n".encode(), b" tag\n") for tag, text in texts.items()}) == 1
    run = Run.objects.get(tag="page")
    assert (run.n_topics, run.n_rows, run.created_by) == (3, 12, people.researcher)


def test_damaged_vectors_are_searched_by_nobody() -> None:
    people, _ = beginning()
    file = path_of(VectorSet.objects.get(side="documents").sha256)
    data = bytearray(file.read_bytes())
    data[-200] ^= 1
    file.chmod(0o600)
    file.write_bytes(data)
    people.client("researcher").post(PAGE, entered())
    job = work()
    assert (job.state, f"the stored file {file.name} is damaged" in job.error) == ("failed", True)
    assert not Run.objects.filter(tag="found").exists()


def test_some_of_the_queries_are_those_that_the_command_draws(tmp_path: Path) -> None:
    people, some = beginning()
    people.client("researcher").post(PAGE, entered(tag="page", sample="2", seed="7"))
    assert work().state == Job.State.DONE
    out = tmp_path / "out"
    chosen = ("--sample", "2", "--seed", "7")
    words = ("search_vectors", *map(str, some.write(tmp_path)), "--k", "4", "--tag", "page", *chosen, "-o", str(out))
    assert ran(*words).code == 0
    assert text_of("page") == out.read_bytes()
    assert ran("vectors", "search", "bees", "mine", "--tag", "command", "--depth", "4", *chosen).code == 0
    assert text_of("command") == out.read_bytes().replace(b" page\n", b" command\n")
    run = Run.objects.get(tag="page")
    assert (run.n_topics, run.origin["sample"]) == (2, {"queries": 2, "seed": 7})
    assert run.description.endswith("the first 4 documents of 2 of 3 queries, drawn by the seed 7")
    assert ran("vectors", "search", "bees", "mine", "--tag", "none", "--sample", "0").code == 2


def test_the_run_says_what_it_was_searched_with_and_keeps_it() -> None:
    people, _ = beginning()
    client = people.client("admin")
    answer = client.post(PAGE, entered(exclude_self="on"))
    job = Job.objects.get(kind="search_vectors")
    assert answer.headers["Location"] == f"/jobs/{job.token}/"
    assert work().state == Job.State.DONE
    queries, documents = VectorSet.objects.get(side="queries"), VectorSet.objects.get(side="documents")
    run = Run.objects.get()
    assert run.origin == {
        "model": "mine",
        "similarity": "cosine",
        "depth": 4,
        "exclude_self": True,
        "queries": {"sha256": queries.sha256},
        "documents": {"sha256": documents.sha256},
    }
    assert AuditEvent.objects.filter(verb="vectors searched", subject="found", actor=people.admin).exists()
    assert SET in client.get("/c/bees/runs/tagged/found").text
    assert "/c/bees/runs/tagged/found" in client.get(f"/jobs/{job.token}/").text
    shown = client.get(SET)
    assert ("/c/bees/runs/tagged/found" in shown.text, "They cannot be deleted." in shown.text) == (True, True)
    client.post("/c/bees/vectors/delete/documents/mine")
    at = reverse("api_vectors_set", args=["bees", "documents", "mine"])
    assert caller(people.admin).delete(at).status_code == 409
    assert ran("vectors", "delete", "bees", "mine", "documents").code == 1
    assert why_run_stays(run) == ""
    run.delete()
    client.post("/c/bees/vectors/delete/documents/mine")
    assert [str(each) for each in VectorSet.objects.all()] == ["mine, queries"]
    assert AuditEvent.objects.filter(verb="vectors deleted", subject="mine, documents").exists()
    assert caller(people.admin).delete(reverse("api_vectors_set", args=["bees", "queries", "mine"])).status_code == 204


def test_a_search_that_is_cancelled_stores_nothing() -> None:
    people, _ = beginning()
    people.client("admin").post(PAGE, entered())
    run = claim_job()
    assert run is not None
    ask_cancel(run.job)
    assert run_job(run).state == Job.State.CANCELLED
    assert not Run.objects.exists()


def test_the_list_takes_the_same_statements_whatever_its_length() -> None:
    people = make_people()
    client = people.client("researcher")
    counts = list[int]()
    for models in (["a"], ["b", "c"]):
        for model in models:
            make_vectors(people.collection, "queries", ["1"], model=model)
        with CaptureQueriesContext(connection) as captured:
            assert len(client.get("/c/bees/vectors/").context["page_obj"]) == len(counts) * 2 + 1
        counts.append(len(captured))
    assert counts[0] == counts[1]


def test_who_sees_and_searches() -> None:
    people, _ = beginning()
    for page in (PAGE, SET, "/c/bees/vectors/"):
        assert people.statuses(page) == RESEARCH_ONLY
    codes = {who: send(client, "post", ADDRESS).status_code for who, client in callers(people).items()}
    assert codes == {"admin": 400, "researcher": 400, "annotator": 403, "outsider": 404, "anonymous": 401}
    at = reverse("api_vectors_set", args=["bees", "documents", "mine"])
    codes = {who: client.delete(at).status_code for who, client in callers(people).items() if who != "admin"}
    assert codes == {"researcher": 403, "annotator": 403, "outsider": 404, "anonymous": 401}
    assert caller(people.researcher).get(at).json()["n_rows"] == 15
    assert ran("vectors", "list", "bees", "--json").facts[0]["model"] == "mine"


@pytest.mark.parametrize(
    ("changes", "fields"),
    [
        ({"tag": "one"}, {"tag"}),
        ({"tag": "a b"}, {"tag"}),
        ({"model": "half"}, {"model"}),
        ({"similarity": "dot"}, {"similarity"}),
        ({"depth": 0}, {"depth"}),
    ],
)
def test_what_cannot_be_searched_is_refused_by_field(changes: dict[str, Any], fields: set[str]) -> None:
    people, some = beginning()
    bring(people.collection, "queries", some.query, some.numbers, model="half")
    make_run(people.collection, "1 Q0 a 1 9 one\n")
    page = people.client("researcher").post(PAGE, entered(**changes))
    assert (page.status_code, set(page.context["form"].errors)) == (422, fields)
    asked = {name: value for name, value in entered(**changes).items() if value != ""}
    answer = send(caller(people.researcher), "post", ADDRESS, asked)
    assert (answer.status_code, refused_fields(answer)) == (400, fields)
    assert not Job.objects.filter(kind="search_vectors").exists()


def test_vectors_that_go_meanwhile_and_zeros_under_a_cosine_fail_the_job_in_words() -> None:
    people, some = beginning()
    client = people.client("admin")
    client.post(PAGE, entered(tag="a"))
    VectorSet.objects.filter(side="queries").delete()
    gone = work()
    assert (gone.state, gone.error) == ("failed", "Vectors are not there any more.")
    zeros = some.document.copy()
    zeros[2] = 0
    bring(people.collection, "queries", some.query, some.numbers, model="with-zero", similarity="inner")
    bring(people.collection, "documents", zeros, some.docnos, model="with-zero", similarity="inner")
    client.post(PAGE, entered(tag="b", model="with-zero", similarity="cosine"))
    failed = work()
    assert (failed.state, "d3 is zero: it has no cosine" in failed.error) == ("failed", True)
