"""From a query log to a sampled topic set to a judged batch to a report, through HTTP: a lead's program, three judges,
and what the sample says about all queries of the log."""

import csv
import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from annotation.kernel.jobs import claim_job, run_job
from annotation.models import Role
from tests.annotation.callers import caller
from tests.factories import make_annotators, make_collection, make_member, make_user
from tests.journeys.test_by_programs import MILD, judged_to_the_end
from tests.touchstone.client.test_with_app import client_of
from touchstone.client.collection import Collection

pytestmark = [pytest.mark.django_db, pytest.mark.both("journeys")]

N = 300
LOG = "query\tcount\n" + "".join(f"shoes {i}\t{3000 // i}\n" for i in range(1, N + 1))
ANSWERS = {"total": "24", "minimum": "4", "head": "10", "torso": "60", "seed": "5", "rule": "proportional"}


def is_found(title: str, system: str) -> bool:
    """Whether a system has what is wanted first: one of them wherever the query's number is no multiple of three."""
    return system == "good" or int(title.split()[1]) % 3 > 0


def sampled(shop: Collection, folder: Path) -> dict[str, dict[str, Any]]:
    """The topics by number, once the log is published as a sample."""
    (folder / "log.tsv").write_text(LOG)
    answers: Any = {**ANSWERS, "rounding": "largest_remainder", "number_prefix": "q"}
    work = shop.imports.bring(folder / "log.tsv", kind="queries", **answers)
    checked = work.wait()
    assert (checked["state"], checked["preview"]["counts"]["New"]) == ("checked", 24)
    shop.imports.publish(work.id).wait()
    return {topic["number"]: dict(topic) for topic in shop.experiments.sample()}


def brought(shop: Collection, topics: dict[str, dict[str, Any]], folder: Path) -> None:
    """A right and a wrong document a topic, and two runs that have both."""
    rows = [
        {"docno": f"{number}-{kind}", "title": f"{kind} {topic['title']}", "text": "Text."}
        for number, topic in topics.items()
        for kind in ("right", "wrong")
    ]
    (folder / "docs.jsonl").write_text("\n".join(map(json.dumps, rows)))
    shop.imports.bring(folder / "docs.jsonl", kind="documents", format="jsonl", publish=True).wait()
    for system in ("good", "poor"):
        lines = []
        for number, topic in topics.items():
            order = ("right", "wrong") if is_found(topic["title"], system) else ("wrong", "right")
            lines += [f"{number} Q0 {number}-{kind} 1 {-at} {system}\n" for at, kind in enumerate(order)]
        (folder / f"{system}.run").write_text("".join(lines))
        shop.runs.bring(folder / f"{system}.run", format="trec").wait()


def judged(shop: Collection, pseudonyms: list[str], clients: list[Any]) -> None:
    """The tops of both runs, judged by all three and frozen as the snapshot `first`."""
    shop.pools.make_from_runs(name="tops", runs=["good", "poor"], depth=2)
    draft: Any = {"judgments_per_item": 3, "gold_share": 0, "minimum_seconds": 0, "seed": 1}
    batch = shop.batches.draft(name="one", pool="tops", annotators=pseudonyms, **draft)["token"]
    assert shop.batches.dry_run(batch)["refusals"] == []
    shop.batches.lay_out(batch).wait()
    shop.batches.open(batch)
    n = judged_to_the_end(clients, batch, lambda card: 3 if card["document"]["title"].startswith("right") else 0)
    assert n == 3 * 2 * 24
    shop.batches.close(batch)
    policy = shop.policies.make(name="mild", parameters=MILD)
    shop.snapshots.freeze(name="first", batches=[batch], policy=f"{policy['name']} v{policy['version']}").wait()


def test_from_a_query_log_to_a_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def work(_: float) -> None:
        while job := claim_job():
            run_job(job)

    monkeypatch.setattr("touchstone.client.jobs.sleep", work)
    lead = make_user("lead")
    collection = make_collection("shop", admin=lead)
    annotators = make_annotators(collection, ["A-1", "A-2", "A-3"])
    shop = client_of(lead).collection("shop")
    topics = sampled(shop, tmp_path)
    brought(shop, topics, tmp_path)
    judged(shop, [one.pseudonym for one in annotators], [caller(one.user) for one in annotators if one.user])
    shop.evaluations.evaluate(snapshot="first", runs=["good", "poor"], measures=["P@1"]).wait()
    answer = shop.experiments.estimates(snapshot="first", measure="P@1")
    weight = {number: 1 / topic["probability"] for number, topic in topics.items()}
    assert sum(weight.values()) == pytest.approx(N)
    value = {number: is_found(topic["title"], "poor") for number, topic in topics.items()}
    queries = {one["run"]: one["queries"] for one in answer["estimates"]}
    assert (answer["log"], answer["topics"], queries["good"]["mean"]) == ("log.tsv", 24, 1)
    assert queries["poor"]["mean"] == pytest.approx(sum(weight[n] * value[n] for n in topics) / N)
    assert queries["poor"]["low"] is not None
    assert queries["poor"]["high"] is not None
    assert queries["poor"]["low"] < 2 / 3 < queries["poor"]["high"]  # what all queries of the log would have
    job = shop.reports.make(snapshot="first", runs=["good", "poor"], measures=["P@1"])
    job.wait()
    (report,) = shop.reports.all(job=job.token)
    with zipfile.ZipFile(shop.reports.save(report["id"], tmp_path / "report.zip")) as archive:
        rows = csv.DictReader(io.StringIO(archive.read("report/tables/means.csv").decode()))
        means = {row["run"]: float(row["P@1"]) for row in rows}
        assert "P@1" in archive.read("report/report.html").decode()
    assert means["poor"] == pytest.approx(sum(value.values()) / 24)
    researcher = make_member(collection, role=Role.RESEARCHER)
    described = client_of(researcher).collection("shop").descriptions
    log = "query,count,results\n" + "".join(f"shoes {i},{3000 // i},{i % 4}\n" for i in range(1, N + 1))
    (tmp_path / "results.csv").write_text(log)
    zero = described.recommendations(asked_file=tmp_path / "results.csv").description()
    assert zero["figures"]["zero_results"] == 0.25
