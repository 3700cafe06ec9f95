"""Reports of a collection: by page, API and command the same folder, and the printed command makes it again."""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse

from annotation.kernel.jobs import ask_cancel, claim_job, run_job
from annotation.kernel.store import DamagedError, path_of
from annotation.models import AuditEvent, Job, Snapshot
from annotation.trust.read.snapshots import why_snapshot_stays
from evaluation.leaderboard.read.evaluations import evaluations_of
from evaluation.leaderboard.steps.evaluating import ask_evaluation
from evaluation.models import Report, Run
from tests.annotation.callers import caller, callers, send
from tests.annotation.roles import RESEARCH_ONLY, People, make_people
from tests.evaluation.management.calling import called
from tests.factories import make_run, make_snapshot

pytestmark = pytest.mark.django_db

PAGE, ADDRESS = "/c/bees/reports/", reverse("api_reports", args=["bees"])
ORDERS = {"one": "abcd", "two": "bacd", "thr&ee": "dcba"}
TOPICS = range(1, 7)


def beginning() -> People:
    """Six topics in which a is relevant, and b in every second one."""
    people = make_people()
    make_snapshot(people.collection, "".join(f"{n} 0 a 2\n{n} 0 b {n % 2}\n" for n in TOPICS), name="first")
    for tag, order in ORDERS.items():
        make_run(people.collection, "".join(f"{n} Q0 {d} 1 {-i} {tag}\n" for n in TOPICS for i, d in enumerate(order)))
    return people


def entered(**changes: Any) -> dict[str, Any]:
    """As the page's form sends it."""
    usual = {"kind": "evaluation", "snapshot": "first", "averaging": "complete", "runs": list(ORDERS)}
    return {**usual, "measures": "nDCG@2 RR(rel=2)", "correction": "holm", **changes}


def work() -> Job:
    run = claim_job()
    assert run is not None
    job = run_job(run)
    assert job.state == Job.State.DONE, job.error
    return job


def unpacked(data: bytes, folder: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        archive.extractall(folder)
        return {name.removeprefix("report/"): archive.read(name) for name in archive.namelist()}


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def downloaded(people: People, report: int) -> bytes:
    answer = people.client("researcher").get(f"{PAGE}{report}/report.zip")
    return b"".join(answer.streaming_content)  # type: ignore[attr-defined]


def test_who_sees_and_makes_them() -> None:
    people = beginning()
    assert people.statuses(PAGE) == people.statuses(f"{PAGE}new") == RESEARCH_ONLY
    people.client("admin").post(f"{PAGE}new", entered())
    pk = work().result["report"]
    assert people.statuses(f"{PAGE}{pk}/") == people.statuses(f"{PAGE}{pk}/report.zip") == RESEARCH_ONLY
    codes = {who: send(client, "post", ADDRESS).status_code for who, client in callers(people).items()}
    assert codes == {"admin": 400, "researcher": 400, "annotator": 403, "outsider": 404, "anonymous": 401}
    assert people.client("admin").get(f"{PAGE}99/").status_code == 404
    misspelt = send(caller(people.admin), "post", ADDRESS, {"snapshot": "first", "runs": ["one"], "minimum_diff": 0.1})
    assert (misspelt.status_code, misspelt.json()["errors"]) == (400, {"minimum_diff": ["There is no such entry."]})


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"kind": "comparison", "measures": "nDCG@2", "runs": ["one", "thr&ee"], "minimum": "0.1", "title": "Ours"},
        {"kind": "comparison", "measures": "nDCG@2 RR", "seed": "5", "draws": "99"},
        {"kind": "comparison", "measures": "nDCG@2", "baseline": "two", "test": "t", "correction": "bonferroni"},
    ],
)
def test_page_api_and_command_write_the_same(
    asked: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = beginning()
    answer = people.client("researcher").post(f"{PAGE}new", entered(**asked))
    job = Job.objects.get()
    assert answer.headers["Location"] == f"/jobs/{job.token}/"
    pk = work().result["report"]
    assert f"{PAGE}{pk}/" in people.client("researcher").get(f"/jobs/{job.token}/").text
    data = downloaded(people, pk)
    report = unpacked(data, tmp_path)
    manifest = json.loads(report["manifest.json"])
    monkeypatch.chdir(tmp_path / "report")
    called(*manifest["command"][1:])
    assert contents(tmp_path / "report" / "again") == report
    sent = entered(**asked)
    sent["measures"] = sent["measures"].split()
    sent |= {name: json.loads(sent[name]) for name in ("minimum", "seed", "draws") if name in sent}
    answer = send(caller(people.researcher), "post", ADDRESS, sent)
    assert answer.status_code == 202, answer.json()
    assert work().result["report"] == pk  # not made twice
    (line,) = send(caller(people.researcher), "get", ADDRESS).json()["results"]
    assert (line["id"], line["runs"], line["measures"]) == (pk, sorted(sent["runs"]), sent["measures"])
    file = send(caller(people.researcher), "get", reverse("api_report_file", args=["bees", pk]))
    assert b"".join(file.streaming_content) == data
    assert send(caller(people.researcher), "get", reverse("api_report", args=["bees", pk])).json() == line


@pytest.mark.parametrize("runs", [["one", "two"], ["two", "one"]])
def test_two_runs_are_compared_in_the_order_asked(runs: list[str], tmp_path: Path) -> None:
    people = beginning()
    people.client("admin").post(f"{PAGE}new", entered(kind="comparison", measures="nDCG@2", runs=runs))
    report = unpacked(downloaded(people, work().result["report"]), tmp_path)
    (pair,) = json.loads(report["tables/comparison.json"])["measures"][0]["pairs"]
    assert [pair["first"], pair["second"]] == runs
    page = report["report.html"].decode()
    assert f"Comparison of {runs[0]} and {runs[1]} against" in page
    assert "<dt>judged only</dt><dd>no</dd>" in page
    assert "<dt>depth</dt><dd>all documents of a topic</dd>" in page


def test_a_report_that_is_cancelled_stores_nothing() -> None:
    people = beginning()
    people.client("researcher").post(f"{PAGE}new", entered())
    run = claim_job()
    assert run is not None
    ask_cancel(run.job)
    assert run_job(run).state == Job.State.CANCELLED
    assert not Report.objects.exists()


@pytest.mark.parametrize("at", ["Evaluating", "Comparing by", "Drawing"])
def test_a_report_can_be_cancelled_at_each_of_its_steps(at: str, monkeypatch: pytest.MonkeyPatch) -> None:
    people = beginning()
    people.client("researcher").post(f"{PAGE}new", entered(kind="comparison"))
    monkeypatch.setattr("annotation.kernel.jobs.attempt.REPORT_AFTER", -1.0)
    run = claim_job()
    assert run is not None
    seen = list[str]()

    def watch(_done: int, _total: int, message: str) -> None:
        seen.append(message)
        if message.startswith(at):
            ask_cancel(run.job)

    run.watch = watch
    assert run_job(run).state == Job.State.CANCELLED
    assert seen[-1].startswith(at)
    assert not Report.objects.exists()


def test_its_numbers_are_those_of_the_leaderboard(tmp_path: Path) -> None:
    people = beginning()
    snapshot = Snapshot.objects.get()
    ask_evaluation(snapshot, Run.objects.all(), averaging="complete", measures=["nDCG@2"], created_by=None)
    work()
    people.client("admin").post(f"{PAGE}new", entered())
    report = unpacked(downloaded(people, work().result["report"]), tmp_path)
    means = {each["run"]: each["mean"] for each in json.loads(report["tables/means.json"])}
    stored = {each.run.tag: each.means["nDCG@2"]["mean"] for each in evaluations_of(people.collection)}
    assert {tag: mean["nDCG@2"] for tag, mean in means.items()} == stored
    manifest = json.loads(report["manifest.json"])
    assert manifest["facts"]["SHA-256 of the qrels"] == snapshot.qrels_sha256
    assert AuditEvent.objects.filter(verb="report asked for", actor=people.admin).exists()
    assert why_snapshot_stays(snapshot) == "Evaluations, accountings or reports rest on it."


def test_the_page_is_let_through_by_the_hash_of_its_style() -> None:
    people = beginning()
    people.client("admin").post(f"{PAGE}new", entered(title="<i>Ours</i>"))
    pk = work().result["report"]
    answer = people.client("researcher").get(f"{PAGE}{pk}/")
    policy = answer.headers["Content-Security-Policy"]
    assert ("default-src 'none'" in policy, "style-src 'sha256-" in policy, "unsafe" in policy) == (True, True, False)
    assert "<h1>&lt;i&gt;Ours&lt;/i&gt;</h1>" in answer.text
    shown = people.client("researcher").get(PAGE).text
    assert f'href="{PAGE}{pk}/">&lt;i&gt;Ours&lt;/i&gt;</a>' in shown
    path_of(sha := Report.objects.get().sha256).chmod(0o600)
    path_of(sha).write_bytes(b"damaged")
    for each in (f"{PAGE}{pk}/", f"{PAGE}{pk}/report.zip"):
        with pytest.raises(DamagedError, match=sha):
            people.client("researcher").get(each)


def test_a_report_whose_file_is_gone_for_good_is_not_asked_for_again() -> None:
    people = beginning()
    people.client("admin").post(f"{PAGE}new", entered())
    pk = work().result["report"]
    path_of(sha := Report.objects.get().sha256).unlink()
    client = people.client("researcher")
    client.raise_request_exception = False
    for address in (f"{PAGE}{pk}/", f"{PAGE}{pk}/report.zip", reverse("api_report_file", args=["bees", pk])):
        answer = client.get(address)
        assert (answer.status_code, answer.headers.get("Retry-After"), sha in answer.text) == (500, None, True), address


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        ({"measures": "nDGC@10"}, "nDGC@10"),
        ({"kind": "comparison", "runs": ["one"]}, "Choose two runs or more."),
        ({"kind": "comparison", "measures": "GMAP"}, "geometric means"),
        ({"kind": "comparison", "runs": ["one", "two"], "baseline": "thr&ee"}, "is none of the runs"),
        ({"minimum": "-1"}, "is above 0"),
        ({"runs": []}, "This field is required."),
    ],
)
def test_what_is_refused(asked: dict[str, Any], reason: str) -> None:
    people = beginning()
    answer = people.client("admin").post(f"{PAGE}new", entered(**asked))
    assert (answer.status_code, reason in answer.text) == (422, True)
    assert not Job.objects.exists()


def test_the_form_begins_with_what_the_address_says() -> None:
    people = beginning()
    shown = people.client("admin").get(f"{PAGE}new", {"kind": "comparison", "runs": ["two", "one"], "measures": "AP"})
    boxes = [part for part in shown.text.split("<input") if 'name="runs"' in part]
    ticked = [(box.partition('value="')[2].partition('"')[0], "checked" in box) for box in boxes]
    assert ticked == [("two", True), ("one", True), ("thr&amp;ee", False)]
    assert '<option value="comparison" selected>' in shown.text
