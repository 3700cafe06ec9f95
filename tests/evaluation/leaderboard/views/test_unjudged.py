"""What a run has at its tops and nobody has judged, and the pool that is made of it: by page and API alike."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.kernel.jobs import claim_job, run_job
from annotation.models import Pool, PoolPair
from evaluation.leaderboard.steps.evaluating import ask_evaluation
from evaluation.models import Evaluation
from tests.annotation.callers import RESEARCH, caller, callers
from tests.annotation.refused_fields import refused_fields
from tests.annotation.roles import RESEARCH_ONLY, People, make_people
from tests.factories import make_document, make_run, make_snapshot, make_topic

pytestmark = pytest.mark.django_db

QRELS = "1 0 a 2\n1 0 b 0\n2 0 a 1\n"
RUN = "1 Q0 x 1 9 run\n1 Q0 a 2 8 run\n1 Q0 y 3 7 run\n2 Q0 a 1 9 run\n2 Q0 x 2 8 run\n3 Q0 z 1 9 run\n"
PAIRS = [("1", "x", 1), ("2", "x", 2), ("1", "y", 3)]  # number, docno, rank; topic 3 is not in the qrels


def started(*, texts: bool = True) -> tuple[People, str]:
    people = make_people()
    snapshot = make_snapshot(people.collection, QRELS, name="first")
    run = make_run(people.collection, RUN)
    ask_evaluation(snapshot, [run], measures=[], averaging="complete", created_by=None)
    while job := claim_job():
        assert run_job(job).state == "done"
    for number in "12":
        make_topic(people.collection, number)
    for docno in ("x", "y") if texts else ("x",):
        make_document(people.collection, docno)
    return people, f"/c/bees/evaluations/{Evaluation.objects.get().pk}/unjudged"


def pooled(pool: Pool) -> list[tuple[str, str, int]]:
    pairs = PoolPair.objects.filter(pool=pool).select_related("topic", "document").order_by("topic__number", "rank")
    return [(pair.topic.number, pair.document.docno, pair.rank) for pair in pairs]


def in_api(client: Client, **sent: object) -> Any:
    address = reverse("api_evaluation_pool", args=["bees", Evaluation.objects.get().pk])
    return client.post(address, {"name": "holes", "depth": 10, **sent}, content_type="application/json")


def test_who_sees_it_and_who_makes_a_pool() -> None:
    people, path = started()
    assert people.statuses(path) == RESEARCH_ONLY
    codes = {who: in_api(client, name=f"holes of {who}").status_code for who, client in callers(people).items()}
    assert codes == {who: 201 if code == 200 else code for who, code in RESEARCH.items()}


def test_the_list_is_by_rank_and_to_the_depth() -> None:
    people, path = started()
    client = people.client("researcher")
    rows = client.get(path).context["rows"]
    assert [(row.number, row.docno, row.rank) for row in rows] == PAIRS
    answer = client.get(path, {"depth": "2"})
    assert [(row.number, row.docno, row.rank) for row in answer.context["rows"]] == PAIRS[:2]
    assert answer.context["form"]["depth"].value() == 2
    ids = re.findall(r' id="([^"]+)"', answer.text)
    assert len(ids) == len(set(ids))
    assert "2 documents among the first 2 of each topic" in " ".join(answer.text.split())


def test_page_and_api_make_the_same_pool() -> None:
    people, path = started()
    client = people.client("researcher")
    for name in ("Unjudged: run to 10", "Unjudged: run to 10 2"):
        assert client.get(path).context["form"]["name"].value() == name
        assert client.post(path, {"name": name, "depth": "10"}).status_code == 302
    answer = client.post(path, {"name": "by page", "depth": "10"})
    by_page = Pool.objects.get(name="by page")
    assert (answer.status_code, answer["Location"]) == (302, f"/c/bees/pools/{by_page.pk}/")
    assert in_api(caller(people.researcher), name="by program").status_code == 201
    by_program = Pool.objects.get(name="by program")
    assert pooled(by_page) == pooled(by_program) == [("1", "x", 1), ("1", "y", 2), ("2", "x", 1)]
    assert by_page.origin == {"kind": "unjudged", "depth": 10, "run": "run", "snapshot": "first"}
    text = " ".join(client.get(answer["Location"]).text.split())
    assert "the top 10 of run, what first does not judge" in text


def test_a_document_that_is_not_here_is_named_and_nothing_is_made() -> None:
    people, path = started(texts=False)
    answer = people.client("researcher").post(path, {"name": "holes", "depth": "10"})
    assert answer.status_code == 422
    assert "y" in answer.context["problems"][0].reason
    refused = in_api(caller(people.researcher))
    assert (refused.status_code, refused_fields(refused)) == (400, {"depth"})
    assert not Pool.objects.exists()


@pytest.mark.parametrize(
    ("sent", "field"), [({"depth": 0}, "depth"), ({"depth": 5000}, "depth"), ({"name": ""}, "name")]
)
def test_what_cannot_be_made_is_an_error_of_its_field(sent: dict[str, Any], field: str) -> None:
    people, path = started()
    answer = people.client("researcher").post(path, {"name": "holes", "depth": 10, **sent})
    assert (answer.status_code, set(answer.context["form"].errors)) == (422, {field})
    assert refused_fields(in_api(caller(people.researcher), **sent)) == {field}


def test_a_name_that_is_taken() -> None:
    people, path = started()
    assert in_api(caller(people.researcher)).status_code == 201
    assert refused_fields(in_api(caller(people.researcher))) == {"name"}
    answer = people.client("researcher").post(path, {"name": "holes", "depth": "10"})
    assert set(answer.context["form"].errors) == {"name"}


def test_a_depth_that_is_none_and_a_name_of_none() -> None:
    people, path = started()
    client = people.client("researcher")
    assert client.get(path, {"depth": "x"}).status_code == 422
    assert client.get(path, {"depht": "3"}).text.count("<code>depht</code>") == 1
