"""What to judge next by page, API, command and library: one list; and the pool that is made of it."""

import io
import json
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils.http import urlencode

import touchstone as ts
from annotation.kernel.jobs import ask_cancel, claim_job, run_job
from annotation.models import Job, Pool, PoolPair
from annotation.text.counted import with_sign
from evaluation.leaderboard.steps.evaluating import ask_evaluation
from evaluation.models import RankedPairs, Run
from evaluation.pooling.steps.next_pairs import LONG, RANK
from tests.annotation.callers import RESEARCH, caller, callers
from tests.annotation.roles import RESEARCH_ONLY, People, make_people
from tests.factories import make_document, make_run, make_snapshot, make_topic

pytestmark = pytest.mark.django_db

PAGE = "/c/bees/pools/next"
QRELS = "1 0 a 2\n1 0 b 0\n2 0 a 1\n2 0 c 0\n3 0 a 0\n3 0 b 1\n"
ORDERS = {"one": "axbyc", "two": "xaycb", "six": "cybxa"}
RUNS = {
    tag: "".join(f"{n} Q0 {d} 1 {9 - i} {tag}\n" for n in "123" for i, d in enumerate(order))
    for tag, order in ORDERS.items()
}


def started(*, texts: bool = True) -> People:
    people = make_people()
    make_snapshot(people.collection, QRELS, name="first")
    for text in RUNS.values():
        make_run(people.collection, text)
    for number in "123":
        make_topic(people.collection, number)
    for docno in "abcxy" if texts else "abc":
        make_document(people.collection, docno)
    return people


def command(folder: Path, tags: tuple[str, ...], **options: Any) -> dict[str, Any]:
    (folder / "qrels").write_text(QRELS)
    for tag in tags:
        (folder / tag).write_text(RUNS[tag])
    output = io.StringIO()
    files = [str(folder / name) for name in ("qrels", *tags)]
    call_command("judge_next", *files, format="json", stdout=output, stderr=io.StringIO(), **options)
    answer: dict[str, Any] = json.loads(output.getvalue())
    return answer


def in_api(client: Client, **query: Any) -> Any:
    return client.get(reverse("api_pooling_next", args=["bees"]), {"snapshot": "first", **query})


def test_who_asks_and_who_makes_a_pool() -> None:
    people = started()
    assert people.statuses(PAGE) == RESEARCH_ONLY
    address, sent = reverse("api_pooling_next", args=["bees"]), {"snapshot": "first", "measure": "RR"}
    codes = {
        who: client.post(address, {**sent, "name": who}, content_type="application/json").status_code
        for who, client in callers(people).items()
    }
    assert codes == {who: 201 if code == 200 else code for who, code in RESEARCH.items()}


@pytest.mark.parametrize("tags", [("one", "two"), ("one", "two", "six")])
def test_page_file_api_command_and_library_say_the_same(tags: tuple[str, ...], tmp_path: Path) -> None:
    people = started()
    by_command = command(tmp_path, tags, measure="nDCG@3", depth=4, best=3, pairs=6)
    pair = {"run": list(tags)} if len(tags) == 2 else {"best": 3}
    api = in_api(caller(people.researcher), measure="nDCG@3", depth=4, pairs=6, **pair)
    asked = ts.judge_next(
        {n: {d: int(g) for m, _, d, g in map(str.split, QRELS.splitlines()) if m == n} for n in "123"},
        [str(tmp_path / tag) for tag in tags],
        "nDCG@3",
        depth=4,
        best=3,
        n=6,
    )
    assert [one["expected"] for one in api.json()["pairs"]] == [one.expected for one in asked.pairs]
    in_page: dict[str, Any] = {"first": tags[0], "second": tags[1]} if len(tags) == 2 else {"best": "3"}
    query = {"snapshot": "first", "measure": "nDCG@3", "depth": "4", "pairs": "6", **in_page}
    client = people.client("researcher")
    page = client.get(PAGE, query)
    assert page.status_code == 200
    assert [(row.pair.number, row.pair.docno, row.pair.expected) for row in page.context["rows"]] == [
        (one["number"], one["docno"], one["expected"]) for one in api.json()["pairs"]
    ]
    assert [list(row.at_grades) for row in page.context["rows"]] == [
        [with_sign(change, ".5f") for change in one["changes"]] for one in api.json()["pairs"]
    ]
    assert all(f">{change}</td>" in page.text for row in page.context["rows"] for change in row.at_grades)
    assert json.loads(client.get(PAGE, {**query, "form": "json"}).text) == api.json()
    first = api.json()["pairs"][0]
    for kind, name in (("topics", "number"), ("documents", "docno")):
        assert f'href="/c/bees/{kind}/{first[name]}"' in page.text
    assert by_command == api.json()


def test_one_click_makes_the_pool_that_the_api_makes() -> None:
    people = started()
    client = people.client("researcher")
    asked = {"snapshot": "first", "measure": "RR", "depth": "3", "pairs": "4", "best": "5"}
    proposed = client.get(PAGE, {**asked, "first": "one", "second": "two"}).context["wish"]
    assert proposed["name"].value() == "Next: one or two by RR"
    answer = client.post(PAGE, {**asked, "first": "one", "second": "two", "name": "by page"})
    by_page = Pool.objects.get(name="by page")
    assert (answer.status_code, answer["Location"]) == (302, f"/c/bees/pools/{by_page.pk}/")
    sent = {"snapshot": "first", "measure": "RR", "depth": 3, "pairs": 4, "run": ["one", "two"], "name": "by program"}
    address = reverse("api_pooling_next", args=["bees"])
    assert caller(people.researcher).post(address, sent, content_type="application/json").status_code == 201
    call_command(
        *("leaderboard", "judge-next", "bees", "first", "by command", "--run", "one", "--run", "two"),
        *("-m", "RR", "--depth", "3", "--pairs", "4"),
        stdout=io.StringIO(),
    )
    pools = [_pairs(name) for name in ("by page", "by program", "by command")]
    assert pools[0] == pools[1] == pools[2]
    assert len(pools[0]) == by_page.n_pairs == 4
    assert by_page.origin == {
        "kind": "next", "runs": ["one", "two"], "measure": "RR", "depth": 3, "snapshot": "first",
    }  # fmt: skip
    text = " ".join(client.get(answer["Location"]).text.split())
    assert "from what would tell most about one and two in RR, by first" in text
    again = client.post(PAGE, {**asked, "first": "one", "second": "two", "name": "by page"})
    assert (again.status_code, again.context["wish"].errors["name"]) == (
        422, ["The collection already has a pool of this name."],
    )  # fmt: skip


def _pairs(name: str) -> list[tuple[str, str, int]]:
    pairs = PoolPair.objects.filter(pool__name=name).order_by("topic__number", "rank")
    return list(pairs.values_list("topic__number", "document__docno", "rank"))


def test_documents_without_a_text_are_named() -> None:
    client = started(texts=False).client("researcher")
    answer = client.post(
        PAGE, {"snapshot": "first", "measure": "RR", "depth": "3", "pairs": "4", "best": "5", "name": "p"}
    )
    assert (answer.status_code, Pool.objects.count()) == (422, 0)
    assert "the collection has no document x" in answer.text


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"first": "one"}, "second"),
        ({"first": "one", "second": "one"}, "second"),
        ({"measure": "nDGC"}, "measure"),
        ({"measure": "GMAP"}, "__all__"),
        ({"depth": "0"}, "depth"),
        ({"best": "1"}, "best"),
        ({"snapshot": "none"}, "snapshot"),
    ],
)
def test_what_cannot_be_asked(query: dict[str, str], field: str) -> None:
    answer = started().client("researcher").get(PAGE, query)
    assert (answer.status_code, list(answer.context["form"].errors)) == (422, [field])


def test_what_the_api_refuses() -> None:
    client = caller(started().researcher)
    for query, field in (
        ({"run": ["one"]}, "run"),
        ({"run": ["one", "none"]}, "second"),
        ({"measure": "GMAP"}, "non_field_errors"),
        ({"colour": "red"}, "colour"),
    ):
        answer = in_api(client, **query)
        assert (answer.status_code, list(answer.json()["errors"])) == (400, [field])


def test_nothing_to_tell_apart_yet() -> None:
    people = make_people()
    answer = people.client("researcher").get(PAGE)
    assert (answer.status_code, answer.context["ranked"]) == (200, None)
    assert "Nothing to tell apart yet" in answer.text


def test_where_all_is_judged_the_page_leads_to_the_comparison_and_deeper() -> None:
    people = started()
    full = make_snapshot(people.collection, "".join(f"{n} 0 {d} 1\n" for n in "123" for d in "abcxy"), name="full")
    client = people.client("researcher")
    asked = {"snapshot": "full", "measure": "RR", "depth": "3"}

    def deed(**query: str) -> str:
        page = client.get(PAGE, {**asked, **query})
        assert page.context["ranked"].n_unjudged == 0
        assert "depth=6" in page.text
        assert f'href="{page.context["deed_url"]}"' in unescape(page.text)
        assert client.get(page.context["deed_url"]).status_code == 200
        return str(page.context["deed_url"])

    assert deed() == "/c/bees/leaderboard/evaluate?snapshot=full&averaging=complete&measures=RR"
    runs = list(Run.objects.filter(collection=people.collection))
    ask_evaluation(full, runs, averaging="complete", measures=("RR",), created_by=None)
    worked("done")
    assert deed() == "/c/bees/leaderboard/compare-many?snapshot=full&averaging=complete&measure=RR"
    two = deed(first="one", second="six")
    assert two == "/c/bees/leaderboard/compare?snapshot=full&averaging=complete&measure=RR&first=one&second=six"
    assert client.get(two).context["pair"].first == "one"


def asked_long(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """A question that is too long to be answered at once."""
    monkeypatch.setattr("evaluation.pooling.steps.next_pairs.AT_ONCE", 10)
    return {"snapshot": "first", "measure": "nDCG@3", "depth": 4, "pairs": 6, "best": 3}


def worked(state: str) -> Job:
    claimed = claim_job()
    assert claimed is not None
    job = run_job(claimed)
    assert job.state == state, job.error
    return job


def test_what_takes_long_is_ranked_in_a_job_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    people = started()
    asked = asked_long(monkeypatch)
    client, program = people.client("researcher"), caller(people.researcher)
    page = client.get(PAGE, asked)
    assert "Rank them" in page.text
    assert "The pairs" not in page.text
    refused = in_api(program, **asked)
    assert (refused.status_code, LONG in json.dumps(refused.json())) == (400, True)
    address = f"{PAGE}?{urlencode(asked)}"
    assert client.post(address, {"rank": "1"})["Location"] == address
    assert client.post(address, {"rank": "1"}).status_code == 302
    assert Job.objects.filter(kind=RANK).count() == 1, "it was on its way"
    polled = {"HX-Request": "true"}
    assert client.get(address, headers=polled).status_code == 204
    job = worked(Job.State.DONE)
    assert client.get(address, headers=polled)["HX-Refresh"] == "true"
    api = in_api(program, **asked).json()
    assert api == command(tmp_path, tuple(ORDERS), measure="nDCG@3", depth=4, best=3, pairs=6)
    assert json.loads(client.get(PAGE, {**asked, "form": "json"}).text) == api
    led = client.get(f"/jobs/{job.token}/").text.partition('id="job-pairs"')[2].partition('href="')[2].partition('"')[0]
    assert json.loads(client.get(unescape(led) + "&form=json").text) == api
    for other in ({"measure": "AP"}, {"depth": 3}, {"pairs": 5}, {"best": 2}):
        assert "Rank them" in client.get(PAGE, {**asked, **other}).text, "another question"
    monkeypatch.setattr("evaluation.pooling.steps.next_pairs.ranked_pairs", None)
    sent = {**asked, "best": 3}
    answer = program.post(reverse("api_pooling_next_ranking", args=["bees"]), sent, content_type="application/json")
    assert answer.status_code == 202
    worked(Job.State.DONE)
    assert program.get(answer.json()["next_url"]).json() == api
    assert RankedPairs.objects.count() == 1
    assert client.post(PAGE, {**asked, "name": "kept"}).status_code == 302
    assert Pool.objects.get(name="kept").n_pairs == 6


def test_a_ranking_can_be_cancelled_and_says_why_it_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    people = started()
    asked = asked_long(monkeypatch)
    address = f"{PAGE}?{urlencode(asked)}"
    client = people.client("researcher")
    client.post(address, {"rank": "1"})
    monkeypatch.setattr("annotation.kernel.jobs.attempt.REPORT_AFTER", -1.0)
    claimed = claim_job()
    assert claimed is not None
    seen = list[tuple[int, int]]()

    def watch(done: int, total: int, message: str) -> None:
        seen.append((done, total))
        if done:
            ask_cancel(claimed.job)

    claimed.watch = watch
    assert run_job(claimed).state == Job.State.CANCELLED
    assert 0 < seen[-1][0] < seen[-1][1]
    assert not RankedPairs.objects.exists()
    client.post(address, {"rank": "1"})
    monkeypatch.setattr("evaluation.pooling.steps.next_pairs.MOST_ROWS", 10)
    assert worked(Job.State.FAILED).error == "Too much to look at: take fewer runs or a smaller depth."
    assert "Too much to look at" in client.get(address).text
    client.post(address, {"rank": "1"})
    Run.objects.get(tag="six").delete()
    assert worked(Job.State.FAILED).error == "A run is not there any more."


def test_a_command_waits_as_long_as_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    started()
    asked_long(monkeypatch)
    call_command("leaderboard", "judge-next", "bees", "first", "by command", "--depth", "3", stdout=io.StringIO())
    assert Pool.objects.get().n_pairs > 0


def test_many_runs_take_long_even_to_see_which_are_best(monkeypatch: pytest.MonkeyPatch) -> None:
    client = started().client("researcher")
    monkeypatch.setattr("evaluation.pooling.read.MOST_READ", 10)
    asked = {"snapshot": "first", "measure": "RR"}
    assert "Rank them" in client.get(PAGE, asked).text
    assert "Rank them" not in client.get(PAGE, {**asked, "first": "one", "second": "two"}).text
