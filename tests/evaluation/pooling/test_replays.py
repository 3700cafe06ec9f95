"""Replays of ways to choose judgments through all three doors: the same figures by page, API and command."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse

from annotation.kernel.jobs import ask_cancel, claim_job, run_job
from annotation.models import Collection, Job, Snapshot
from evaluation.engine.run import to_trec
from evaluation.models import PoolingReplay, Run
from evaluation.pooling.pages.replays import replay_words
from evaluation.runs.read import why_run_stays
from tests.annotation.callers import RESEARCH, caller, callers
from tests.annotation.roles import RESEARCH_ONLY, People, make_people
from tests.evaluation.engine.adaptive.test_replay import QRELS, RUNS
from tests.evaluation.management.calling import called
from tests.factories import make_run, make_snapshot

pytestmark = pytest.mark.django_db

PAGE, ADDRESS = "/c/bees/pools/replays/", reverse("api_pooling_replays", args=["bees"])
METHODS = ["depth", "max-mean", "stratified"]
ENTRIES: dict[str, Any] = {"snapshot": "first", "methods": METHODS, "measure": "ndcg_cut_5", "depth": 6, "rel": 2}
ENTRIES |= {"n_seeds": 2, "unlisted": "zero", "leave_out": True}
FORM = {**ENTRIES, "runs": [run.tag for run in RUNS]}
COMMAND = ("--methods", *METHODS, "-m", "nDCG@5", "--depth", "6", "--rel", "2", "--seeds", "2", "--unlisted", "zero")


def test_ways_that_come_to_the_same_are_named_together() -> None:
    values = {"depth": 1.0, "rrf": 0.99996, "max-mean": 0.8}
    row = {"pool": "all runs", "budget": 0.3, "judged": 30, "tau_b_sd": 0.1}
    (sentence,) = replay_words({"rows": [{**row, "method": name, "tau_b": tau} for name, tau in values.items()]})
    assert "depth-k and fused order, τ-b 1.000 each; farthest from it by max-mean bandit, τ-b 0.800 ± 0.100" in sentence


def texts() -> dict[str, str]:
    """Of the first topic, ten documents are not judged."""
    rows = list(zip(QRELS.topic.tolist(), QRELS.docno, QRELS.grade.tolist(), strict=True))[10:]
    qrels = "".join(f"{QRELS.numbers[t]} 0 {docno} {grade}\n" for t, docno, grade in rows)
    return {"qrels": qrels} | {run.tag: b"".join(to_trec(run)).decode() for run in RUNS}


def started() -> People:
    people = make_people()
    for name, text in texts().items():
        if name == "qrels":
            make_snapshot(people.collection, text, name="first")
        else:
            make_run(people.collection, text)
    return people


def worked() -> Job:
    claimed = claim_job()
    assert claimed is not None
    return run_job(claimed)


def sent(people: People, entries: dict[str, Any]) -> Any:
    return caller(people.researcher).post(ADDRESS, json.dumps(entries), content_type="application/json")


def replayed(people: People) -> dict[str, Any]:
    """Asked for by the API, done by the worker, read by the API."""
    answer = sent(people, ENTRIES)
    assert answer.status_code == 202, answer.content
    assert worked().state == Job.State.DONE
    program = caller(people.researcher)
    (line,) = program.get(answer.json()["replays_url"]).json()["results"]
    whole: dict[str, Any] = program.get(line["url"]).json()
    return whole


def test_page_file_api_and_command_say_the_same(tmp_path: Path) -> None:
    people = started()
    whole = replayed(people)
    for name, text in texts().items():
        (tmp_path / name).write_text(text)
    files = [tmp_path / name for name in ("qrels", *sorted(run.tag for run in RUNS))]
    command = json.loads(called("pooling_replay", *files, *COMMAND, "--leave-out-run", "--json")[0])
    assert whole["replayed"] == command
    assert (command["n_unknown"] > 0, {row["pool"] for row in command["rows"]}) == (
        True,
        {"all runs", "one run left out"},
    )
    client, page = people.client("researcher"), f"{PAGE}{whole['id']}/"
    assert client.get(f"{page}file", {"form": "json"}).json() == command
    called("pooling_replay", *files, *COMMAND, "--leave-out-run", "--out", tmp_path / "out")
    assert client.get(f"{page}file").content == (tmp_path / "out" / "replay.csv").read_bytes()
    assert client.get(f"{page}file", {"form": "xls"}).status_code == 404


def test_the_page_shows_each_figure_of_each_way() -> None:
    people = started()
    whole = replayed(people)
    answer = people.client("researcher").get(f"{PAGE}{whole['id']}/")
    rows = whole["replayed"]["rows"]
    parts = answer.context["parts"]
    assert [part.pool for part in parts] == ["all runs", "one run left out"]
    for part in parts:
        of_pool = [row for row in rows if row["pool"] == part.pool]
        cells = [cell for _, some in part.table.rows for cell in some]
        assert [value for value, _ in cells] == [f"{row['tau_b']:.3f}" for row in of_pool]
        assert [spread for _, spread in cells] == [f"± {row['tau_b_sd']:.3f}" for row in of_pool]
        assert part.table.judged == [row["judged"] for row in of_pool[:10]]
        figures = ["tau_b", "tau_ap", "ap_error", "found", "moved"][: 4 + (part.pool == "one run left out")]
        for plot, name in zip([part.first, *part.plots], figures, strict=True):
            drawn = [y for each in plot.plot.paths for y in each.path.y]
            assert drawn == [row[name] for row in of_pool if row[name] is not None]
    here = [row for row in rows[:30] if row["budget"] == 0.3]
    for one in (max, min):
        row = one(here, key=lambda row: row["tau_b"])
        assert f"τ-b {row['tau_b']:.3f} ± {row['tau_b_sd']:.3f}" in answer.context["said"][1]
    assert (
        "-m &#x27;nDCG@5&#x27; --depth 6 --rel 2 --seeds 2 --unlisted zero --methods depth max-mean stratified "
        "--leave-out-run</code>"
    ) in answer.text
    assert f'href="{PAGE}{whole["id"]}/"' in people.client("admin").get(PAGE).text


def test_asked_again_nothing_is_replayed_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    people = started()
    whole = replayed(people)
    monkeypatch.setattr("evaluation.pooling.steps.replaying.replay", None)
    client = people.client("researcher")
    assert client.post(PAGE, FORM).status_code == 302
    job = worked()
    assert (job.state, job.result["replay"]) == (Job.State.DONE, whole["id"])
    assert f'href="{PAGE}{whole["id"]}/"' in client.get(f"/jobs/{job.token}/").text
    monkeypatch.undo()
    for changed in ({"n_seeds": 1}, {"methods": ["rrf"]}, {"runs": FORM["runs"][:3]}):
        client.post(PAGE, {**FORM, **changed})
        assert worked().state == Job.State.DONE
    assert PoolingReplay.objects.count() == 4


def test_a_run_that_is_replayed_stays_and_one_that_is_gone_refuses_the_job() -> None:
    people = started()
    client = people.client("researcher")
    client.post(PAGE, {**FORM, "runs": FORM["runs"][:3]})
    assert worked().state == Job.State.DONE
    first, *_, last = Run.objects.order_by("tag")
    assert ("replay" in why_run_stays(first), why_run_stays(last)) == (True, "")
    client.post(PAGE, FORM)
    last.delete()
    assert worked().error == "A run is not there any more."
    Snapshot.objects.update(qrels_sha256=make_snapshot(people.collection, "99 0 x 1\n").qrels_sha256)
    client.post(PAGE, {**FORM, "runs": FORM["runs"][:3]})
    assert worked().error.endswith(".")
    assert PoolingReplay.objects.count() == 1


def test_a_cancelled_replay_leaves_nothing() -> None:
    people = started()
    people.client("researcher").post(PAGE, FORM)
    claimed = claim_job()
    assert claimed is not None
    ask_cancel(claimed.job)
    assert (run_job(claimed).state, PoolingReplay.objects.count()) == (Job.State.CANCELLED, 0)


def test_a_replay_can_be_cancelled_within_a_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    people = started()
    people.client("researcher").post(PAGE, {**FORM, "methods": ["max-mean"], "n_seeds": 1, "leave_out": ""})
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
    done, total = seen[-1]
    assert 0 < done < total


def test_what_would_take_a_worker_for_hours_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    people = started()
    monkeypatch.setattr("evaluation.pooling.steps.replaying.MOST_SECONDS", 0.0)
    people.client("researcher").post(PAGE, FORM)
    job = worked()
    assert job.state == Job.State.FAILED
    assert "minutes, and 0 are the most: choose fewer runs, ways or draws, or a smaller depth." in job.error


WRONG: tuple[tuple[dict[str, Any], str], ...] = (
    ({"runs": FORM["runs"][:2]}, "An order of runs needs three or more."),
    ({"measure": "P@5"}, "Stratified has no estimate of P@5"),
    ({"measure": "zebra"}, "zebra"),
    ({"methods": ["luck"]}, "luck"),
    ({"snapshot": "none"}, "Select a valid choice"),
    ({"n_seeds": 0}, "greater than or equal to 1"),
    ({"n_seeds": 201}, "less than or equal to 200"),
    ({"unlisted": "guess"}, "guess"),
)


def test_a_question_of_no_sense_is_refused_by_api_and_page() -> None:
    people = started()
    client = people.client("researcher")
    for changed, reason in WRONG:
        answer = sent(people, {**ENTRIES, **changed})
        assert answer.status_code == 400
        assert reason in json.dumps(answer.json()["errors"])
        assert client.post(PAGE, {**FORM, **changed}).status_code == 422
    assert not Job.objects.exists()


def test_all_runs_and_ways_are_replayed_unless_named() -> None:
    people = started()
    assert sent(people, {"snapshot": "first"}).status_code == 202
    asked = Job.objects.get().payload["asked"]
    assert (asked["measure"], asked["depth"], asked["n_seeds"], len(asked["methods"])) == ("nDCG@10", 10, 20, 7)
    assert len(Job.objects.get().payload["runs"]) == len(RUNS)


def test_of_another_collection_there_is_nothing() -> None:
    people = started()
    other = Collection.objects.create(slug="wasps", name="Wasps")
    strange = PoolingReplay.objects.create(
        collection=other,
        snapshot=make_snapshot(other, "1 0 a 1\n"),
        key="0" * 64,
        result={},
        made_at=people.collection.created_at,
    )
    for address in (f"{PAGE}{strange.pk}/", f"{PAGE}{strange.pk}/file"):
        assert people.client("researcher").get(address).status_code == 404
    assert caller(people.researcher).get(f"{ADDRESS}/{strange.pk}").status_code == 404


def test_who_may_and_what_stands_there_without_runs() -> None:
    people = started()
    pk = replayed(people)["id"]
    for address in (PAGE, f"{PAGE}{pk}/", f"{PAGE}{pk}/file"):
        assert people.statuses(address) == RESEARCH_ONLY
    for address in (ADDRESS, reverse("api_pooling_replay", args=["bees", pk])):
        assert {who: client.get(address).status_code for who, client in callers(people).items()} == RESEARCH
    client = people.client("researcher")
    client.post(PAGE, {**FORM, "n_seeds": 1})
    assert client.get(PAGE, headers={"HX-Request": "true"}).status_code == 200
    worked()
    assert client.get(PAGE, headers={"HX-Request": "true"}).headers["HX-Refresh"] == "true"
    PoolingReplay.objects.all().delete()
    Run.objects.filter(tag__in=FORM["runs"][:2]).delete()
    assert "Nothing to replay yet" in client.get(PAGE).text
