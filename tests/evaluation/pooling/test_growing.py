"""Pools that grow: the first portion, the next one by page, API, command and worker, and the sample that one is."""

import io
import json
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from annotation.formats.problems import Problems
from annotation.kernel.jobs import claim_job, run_job
from annotation.models import Job, Judgment, Pool, PoolPair
from evaluation.engine.sampled import evaluate_sampled, parse_sampled_measure
from evaluation.formats.prels import parse_stratified
from evaluation.pooling.read import progress_of
from evaluation.pooling.steps.growing import grow, sweep_growing
from evaluation.runs.read import runs_of, stored_run
from tests.annotation.callers import RESEARCH, caller, callers
from tests.annotation.roles import RESEARCH_ONLY, People, make_people
from tests.factories import (
    make_annotator,
    make_batch,
    make_document,
    make_gold,
    make_item,
    make_judgment,
    make_run,
    make_snapshot,
    make_topic,
)

pytestmark = pytest.mark.django_db

ORDERS = {"one": "abcdef", "two": "ghaijk"}  # two has the better documents: g, h, i
RELEVANT = "ghi"
ASKED: dict[str, Any] = {"name": "bee", "method": "max-mean", "depth": 6, "portion": 4}


def started() -> People:
    people = make_people()
    for tag, order in ORDERS.items():
        make_run(people.collection, "".join(f"{n} Q0 {d} 1 {9 - i} {tag}\n" for n in "12" for i, d in enumerate(order)))
    for number in "12":
        make_topic(people.collection, number)
    for docno in "abcdefghijk":
        make_document(people.collection, docno)
    return people


def new(people: People, **asked: Any) -> Pool:
    sent = {**ASKED, "runs": list(ORDERS), **asked}
    address = reverse("api_pooling_new", args=["bees"])
    answer = caller(people.researcher).post(address, sent, content_type="application/json")
    assert answer.status_code == 201, answer.json()
    return Pool.objects.get(pk=answer.json()["id"])


def judge(pool: Pool, *, some: int = 1000) -> None:
    """A batch of the portion whose first pairs are judged: what is relevant is of grade 3."""
    batch = make_batch(pool.collection, [], n_topics=0, n_documents=0, name=f"of {pool.name}", pool=pool)
    annotator = make_annotator(pool.collection)
    for pair in PoolPair.objects.filter(pool=pool).order_by("pk")[:some]:
        make_judgment(make_item(batch, pair.topic, pair.document), annotator, 3 * (pair.document.docno in RELEVANT))


def pairs_of(pool: Pool) -> list[tuple[str, str]]:
    return list(PoolPair.objects.filter(pool=pool).order_by("pk").values_list("topic__number", "document__docno"))


def test_who_may() -> None:
    people = started()
    pool = new(people)
    path = f"/c/bees/pools/{pool.pk}/portion"
    assert people.statuses(path) == people.statuses("/c/bees/pools/growing") == RESEARCH_ONLY
    address = reverse("api_pooling_portion", args=["bees", pool.pk])
    codes = {who: client.get(address).status_code for who, client in callers(people).items()}
    assert codes == RESEARCH


def test_page_api_and_command_propose_and_make_the_same() -> None:
    people = started()
    first = new(people)
    assert (first.name, first.n_pairs, first.origin["n_pool"]) == ("bee 1", 4, 22)
    judge(first)
    client = people.client("researcher")
    path = f"/c/bees/pools/{first.pk}/portion"
    by_page = client.get(path).context["proposed"]
    api = caller(people.researcher).get(reverse("api_pooling_portion", args=["bees", first.pk])).json()
    output = io.StringIO()
    call_command("growing_pool", "show", "bees", "bee", "--json", stdout=output)
    command = json.loads(output.getvalue())
    assert [list(pair) for pair in by_page] == api["pairs"] == command["pairs"]
    assert (api["n_judged"], api["n_chosen"], api["n_pool"]) == (4, 4, 22)
    answer = client.post(path)
    second = Pool.objects.get(name="bee 2")
    assert answer["Location"] == f"/c/bees/pools/{second.pk}/portion"
    assert pairs_of(second) == by_page
    assert (second.origin["n"], second.origin["n_judged"], second.origin["method"]) == (2, 4, "max-mean")
    assert "portion 2 of bee: max-mean, the top 6 of 2 runs" in " ".join(
        client.get(f"/c/bees/pools/{second.pk}/").text.split()
    )


def test_every_judgment_says_by_which_method_in_which_round_and_in_which_place_it_was_asked_for() -> None:
    people = started()
    first = new(people)
    judge(first)
    judge(grow(first, created_by=None))
    reasons = []
    for judgment in Judgment.objects.order_by("pk").select_related("batch__pool", "topic", "document"):
        pool = judgment.batch.pool
        assert pool is not None
        pair = PoolPair.objects.get(pool=pool, topic=judgment.topic, document=judgment.document)
        reasons.append((pool.origin["method"], pool.origin["n"], pool.origin["n_judged"], pair.rank))
    assert reasons == [("max-mean", n, judged, rank) for n, judged in ((1, 0), (2, 4)) for rank in ranks_of(n)]


def ranks_of(portion: int) -> list[int]:
    """Places among the topic's pairs of a portion, in the order of choice."""
    return list(PoolPair.objects.filter(pool__name=f"bee {portion}").order_by("pk").values_list("rank", flat=True))


def test_a_bandit_follows_the_run_that_is_judged_to_be_good() -> None:
    people = started()
    pool = new(people, portion=2)
    judge(pool)
    for _ in range(3):
        pool = grow(pool, created_by=None)
        judge(pool)
    chosen = {docno for _, docno in progress_of(pool).chosen}
    assert set("gh") <= chosen
    assert not set("def") & chosen


def test_gold_counts_as_judged_since_a_batch_lays_it_out_as_gold_alone() -> None:
    people = started()
    pool = new(people, renew=True)
    judge(pool, some=3)
    left = PoolPair.objects.filter(pool=pool).order_by("pk")[3]
    make_gold(make_item(pool.batches.get(), left.topic, left.document), 2)
    progress = progress_of(pool)
    assert (progress.n_waiting, progress.judged[left.topic.number, left.document.docno]) == (0, 2)
    assert sweep_growing() == 1


def test_what_waits_for_a_judgment_is_not_chosen_again_and_teaches_nothing() -> None:
    people = started()
    first = new(people)
    judge(first, some=1)
    second = grow(first, created_by=None)
    assert not set(pairs_of(first)) & set(pairs_of(second))
    assert (progress_of(second).n_waiting, progress_of(second).n_left) == (7, 14)
    for _ in range(4):
        second = grow(second, created_by=None)
    assert progress_of(second).n_left == 0
    answer = caller(people.researcher).post(reverse("api_pooling_portion", args=["bees", first.pk]))
    assert (answer.status_code, "Nothing is left" in answer.text) == (409, True)


def test_the_worker_makes_the_next_portion_once_the_last_one_is_judged() -> None:
    people = started()
    pool = new(people, renew=True)
    still = new(people, name="still", renew=False)
    judge(pool, some=3)
    judge(still)
    assert sweep_growing() == 0
    left = PoolPair.objects.filter(pool=pool).order_by("pk")[3]
    make_judgment(make_item(pool.batches.get(), left.topic, left.document), make_annotator(pool.collection), 0)
    assert (sweep_growing(), sweep_growing()) == (1, 0)
    run = claim_job()
    assert run is not None
    assert run_job(run).state == "done"
    assert Job.objects.get().result == {"pool": "bee 2", "pairs": 4}
    assert (Pool.objects.filter(name="still 2").exists(), sweep_growing()) == (False, 0)


def sample(client: Client, pool: Pool, **query: str) -> Any:
    return client.get(reverse("api_pooling_sample", args=["bees", pool.pk]), {"snapshot": "first", **query})


def test_a_sample_feeds_the_sampled_measures_and_nothing_else_does() -> None:
    people = started()
    first = new(people, name="random", method="stratified", portion=10)
    second = grow(first, created_by=None)
    chosen = pairs_of(first) + pairs_of(second)
    assert len(set(chosen)) == 20
    lines = [f"{n} 0 {d} {2 * (d in RELEVANT)}\n" for n, d in chosen[1:]]
    make_snapshot(people.collection, "".join(lines), name="first")
    answer = sample(caller(people.researcher), second).json()
    assert (answer["missing"], len(answer["rows"])) == (1, 22)
    known = {(n, d): 2 * (d in RELEVANT) for n, d in chosen[1:]}
    assert {(n, d): g for n, d, _, g in answer["rows"] if g >= 0} == known
    output = io.StringIO()
    call_command("growing_pool", "sample", "bees", "random", "first", stdout=output)
    page = people.client("researcher").get(f"/c/bees/pools/{second.pk}/sample", {"snapshot": "first"})
    assert page.text == output.getvalue()
    assert output.getvalue().startswith("# 1 pairs of the sample are not judged here")
    prels = parse_stratified(io.BytesIO(output.getvalue().encode()), Problems("sample"))
    runs = [stored_run(run) for run in runs_of(people.collection)]
    values = [evaluate_sampled(run, prels, [parse_sampled_measure("infNDCG@10")]).mean[0] for run in runs]
    assert values[1] > values[0] == 0  # nothing of the first run is relevant


def test_what_is_no_sample_is_refused_by_name() -> None:
    people = started()
    pool = new(people)
    make_snapshot(people.collection, "1 0 a 1\n", name="first")
    reason = "was chosen by max-mean bandit, which is no random sample"
    answer = sample(caller(people.researcher), pool)
    assert (answer.status_code, reason in answer.text) == (409, True)
    with pytest.raises(CommandError, match=reason):
        call_command("growing_pool", "sample", "bees", "bee", "first")
    page = people.client("researcher").get(f"/c/bees/pools/{pool.pk}/sample", {"snapshot": "first"}, follow=True)
    assert reason in page.text


def test_what_cannot_grow() -> None:
    people = started()
    new(people)
    client = people.client("researcher")
    taken = client.post("/c/bees/pools/growing", {**ASKED, "runs": list(ORDERS)})
    assert (taken.status_code, "already has pools called bee" in taken.text) == (422, True)
    other = Pool.objects.create(collection=people.collection, name="other", origin={"kind": "list"})
    assert client.get(f"/c/bees/pools/{other.pk}/portion").status_code == 404
    assert sample(caller(people.researcher), other, snapshot="none").status_code == 400
    with pytest.raises(CommandError, match="no pool wasp that grows"):
        call_command("growing_pool", "next", "bees", "wasp")
    make_run(people.collection, "1 Q0 unheard 1 9 three\n")
    missing = client.post("/c/bees/pools/growing", {**ASKED, "name": "wasp", "runs": ["one", "three"]})
    assert (missing.status_code, "the collection has no document unheard" in missing.text) == (422, True)
