"""Pools where there are no runs, by page, API and command: the same pairs, out of their origin again."""

import io
import json
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.kernel.jobs import claim_job, run_job
from annotation.models import Document, DocumentVersion, Job, Pool
from evaluation.engine.without_runs import Recipe
from evaluation.pooling.steps import without_runs
from evaluation.pooling.steps.without_runs import chosen_pairs
from tests.annotation.callers import RESEARCH, caller, callers
from tests.annotation.roles import RESEARCH_ONLY, People, make_people
from tests.factories import make_document, make_topic

pytestmark = pytest.mark.django_db

PAGE, API = "/c/bees/pools/without-runs", "/api/v1/collections/bees/pools/without-runs"
TEXTS = {"a": "honey of bees", "b": "wax", "c": "bees and honey, honey", "d": "swifts", "e": "<p lang=wax>honey</p>"}


def started() -> People:
    people = make_people()
    make_topic(people.collection, "2", title="wax")
    make_topic(people.collection, "10", title="honey")
    for docno, text in TEXTS.items():
        make_document(people.collection, docno, text=text)
    DocumentVersion.objects.filter(document__docno="e").update(form="html")
    Document.objects.create(collection=people.collection, docno="textless")
    return people


def pairs_of(pool: Pool) -> list[tuple[str, str, int]]:
    rows = pool.pairs.order_by("topic__number", "rank")
    return list(rows.values_list("topic__number", "document__docno", "rank"))


def worked() -> Job:
    run = claim_job()
    assert run is not None
    return run_job(run)


def by_command(*words: str) -> dict[str, Any]:
    out = io.StringIO()
    call_command("pool", "bees", *words, "--json", stdout=out, stderr=io.StringIO())
    answer: dict[str, Any] = json.loads(out.getvalue())
    return answer


@pytest.mark.parametrize(
    ("entered", "words", "expected"),
    [
        ({"way": "all"}, ["--all-pairs"], [(n, d, i) for n in ("10", "2") for i, d in enumerate("abcde", 1)]),
        (
            {"way": "all", "numbers": "2"},
            ["--all-pairs", "--topic", "2"],
            [("2", d, i) for i, d in enumerate("abcde", 1)],
        ),
        ({"way": "bm25", "per_topic": 2}, ["--bm25", "2"], [("10", "c", 1), ("10", "e", 2), ("2", "b", 1)]),
        ({"way": "sample", "per_topic": 2, "seed": 3}, ["--sample", "2", "--seed", "3"], None),
    ],
)
def test_page_api_and_command_make_the_same_pool(
    entered: dict[str, Any], words: list[str], expected: list[tuple[str, str, int]] | None
) -> None:
    people = started()
    answer = people.client("researcher").post(PAGE, {"name": "by page", **entered})
    assert (answer.status_code, worked().state) == (302, "done")
    sent = {"name": "by program", **entered}
    if "numbers" in sent:
        sent["numbers"] = [sent["numbers"]]
    assert caller(people.researcher).post(API, sent, content_type="application/json").status_code == 202
    job = worked()
    assert by_command("rehearsed", *words, "--dry-run")["pairs"] == job.result["pairs"]
    by_command("by command", *words)
    pools = list(Pool.objects.order_by("id"))
    assert [pool.name for pool in pools] == ["by page", "by program", "by command"]
    assert pairs_of(pools[0]) == pairs_of(pools[1]) == pairs_of(pools[2])
    assert pools[0].origin == pools[1].origin == pools[2].origin
    assert expected is None or pairs_of(pools[0]) == expected
    assert pools[1].pk == job.result["pool"]
    assert f'href="/c/bees/pools/{pools[1].pk}/"' in people.client("researcher").get(f"/jobs/{job.token}/").text


@pytest.mark.parametrize("words", [["--all-pairs"], ["--sample", "3"], ["--bm25", "3"]])
def test_the_origin_gives_the_same_pairs_again(words: list[str]) -> None:
    people = started()
    by_command("first", *words)
    pool = Pool.objects.get()
    recipe, numbers = Recipe.of_origin(pool.origin), pool.origin["topics"]
    rows, origin = chosen_pairs(people.collection, recipe, numbers=numbers, report=lambda *_: None)
    assert [(row.number, row.docno) for row in rows] == [pair[:2] for pair in pairs_of(pool)]
    assert origin == pool.origin
    make_document(people.collection, "f", text="new")
    assert (
        chosen_pairs(people.collection, recipe, numbers=numbers, report=lambda *_: None)[1]["texts"] != origin["texts"]
    )


@pytest.mark.parametrize(
    ("entered", "reason"),
    [
        ({"way": "all", "per_topic": 3}, "All pairs take all documents: leave it empty."),
        ({"way": "bm25", "seed": 3}, "Only a random sample is drawn: leave it empty."),
        ({"way": "bm25", "numbers": "2 77"}, "Not in the collection: 77."),
        ({"way": "bm25", "per_topic": 0}, "Ensure this value is greater than or equal to 1."),
        ({"way": "all"}, "10 pairs: 2 topics × 5 documents. At most 9 are made at once"),
        ({"way": "sample", "per_topic": 900}, "10 pairs: 2 topics × 5 documents. At most 9 are made at once"),
    ],
)
def test_what_is_refused_says_why(entered: dict[str, object], reason: str, monkeypatch: pytest.MonkeyPatch) -> None:
    people = started()
    monkeypatch.setattr(without_runs, "MOST_AT_ONCE", 9)
    answer = people.client("admin").post(PAGE, {"name": "x", **entered})
    assert (answer.status_code, reason in answer.text) == (422, True)
    assert not Job.objects.exists()


def test_what_changes_meanwhile_ends_the_job_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    people = started()
    client = people.client("admin")
    client.post(PAGE, {"name": "twice", "way": "all"})
    client.post(PAGE, {"name": "twice", "way": "all"})
    assert [worked().state, worked().error] == ["done", "The collection already has a pool of this name."]
    client.post(PAGE, {"name": "none", "way": "bm25", "numbers": "2"})
    DocumentVersion.objects.update(title="", text="other")
    assert worked().error == "the collection: there is no pair in it"
    client.post(PAGE, {"name": "many", "way": "all"})
    monkeypatch.setattr(without_runs, "MOST_AT_ONCE", 9)
    assert worked().error.startswith("10 pairs: 2 topics × 5 documents.")
    client.post(PAGE, {"name": "stopped", "way": "bm25", "numbers": "2"})
    run = claim_job()
    assert run is not None
    Job.objects.filter(pk=run.job.pk).update(cancel_asked_at=run.job.created_at)
    assert run_job(run).state == "cancelled"
    assert Pool.objects.count() == 1


def test_whoever_comes_from_the_list_has_to_tick_topics() -> None:
    """Else a pool of those ticked would be one of all."""
    client = make_people().client("admin")
    led_to = [client.get(PAGE, {"back": back}).headers["Location"] for back in ("sort=-title&q=bees", "")]
    assert led_to == ["/c/bees/topics/?sort=-title&q=bees", "/c/bees/topics/"]
    assert client.get(PAGE, {"back": "", "numbers": ["1", "2"]}).context["form"]["numbers"].value() == "1 2"


def test_who_may_and_an_empty_collection() -> None:
    people = make_people()
    assert people.statuses(PAGE) == RESEARCH_ONLY
    assert {
        who: client.post(API, {}, content_type="application/json").status_code
        for who, client in callers(people).items()
    } == {
        **RESEARCH,
        "admin": 400,
        "researcher": 400,
    }
    client = people.client("admin")
    assert "A pool needs topics and documents: import them first." in client.get(PAGE).text
    assert client.post(PAGE, {"name": "x", "way": "all"}).status_code == 422
    for words in (["x", "--bm25", "3", "--seed", "1"], ["x", "--all-pairs", "--depth", "3"]):
        with pytest.raises(CommandError) as raised:
            by_command(*words)
        assert raised.value.returncode == 2
