"""A researcher's way through HTTP: from files to the values that were published, a comparison and a report."""

import csv
import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse

from annotation.kernel.jobs import claim_job, run_job
from annotation.models import Role, User
from evaluation.engine.measures import parse_measures
from evaluation.engine.scorer import Averaging
from tests.evaluation.clients import signed_in
from tests.evaluation.management.calling import called
from tests.factories import make_collection, make_member, make_user
from tests.touchstone.client.test_with_app import client_of
from touchstone.client.collection import Collection

pytestmark = [pytest.mark.django_db, pytest.mark.shared]

OURS = {  # trec_eval's name, and ours at its level of relevance; nDCG takes grades as they are at any level
    "recip_rank": "RR{}", "P_10": "P{}@10", "P_100": "P{}@100", "recall_10": "R{}@10", "recall_100": "R{}@100",
    "ndcg_cut_10": "nDCG@10", "ndcg_cut_100": "nDCG@100",
}  # fmt: skip
BEST, OTHER = "idst_bert_p2", "bm25base_p"


def our_name(measure: str, level: str) -> str:
    return OURS[measure].format("" if level == "1" else f"(rel={level})")


@pytest.fixture
def researcher(monkeypatch: pytest.MonkeyPatch) -> User:
    """Of a collection `track`. While a program waits, a worker works."""

    def work(_: float) -> None:
        while job := claim_job():
            run_job(job)

    monkeypatch.setattr("touchstone.client.jobs.sleep", work)
    collection = make_collection(admin=make_user(), slug="track")
    return make_member(collection, role=Role.RESEARCHER)


def brought(researcher: User, qrels: Path, runs: Path) -> tuple[Collection, list[str]]:
    """The collection with both imported, and the tags of its runs."""
    track = client_of(researcher).collection("track")
    track.imports.bring(qrels, kind="qrels", name="nist", publish=True, format="trec").wait()
    for file in sorted(runs.iterdir()):
        track.runs.bring(file, format="trec").wait()
    return track, [run["tag"] for run in track.runs.all()]


def means(track: Collection, averaging: Averaging) -> dict[tuple[str, str], str]:
    """By run and measure, as they are printed."""
    return {
        (each["run"], name): f"{mean['mean']:.4f}"
        for each in track.evaluations.all(snapshot="nist", averaging=averaging)
        for name, mean in each["means"].items()
    }


def test_from_the_files_of_a_track_to_a_report(
    researcher: User, shared_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = shared_data / "dl19"
    with (folder / "nist_official.tsv").open() as stream:
        rows = list(csv.DictReader(stream, delimiter="\t"))
    published = {(row["run"], our_name(row["measure"], row["level"])): row["value"] for row in rows}
    names = sorted({name for _, name in published})
    track, tags = brought(researcher, folder / "qrels.txt", folder / "runs")
    # a level that changes nothing is published twice: 350 values of 12 measures of ours
    assert (len(rows), len(tags), len(published)) == (350, 25, 25 * len(names))
    track.evaluations.evaluate(snapshot="nist", runs=tags, measures=names).wait()
    assert {key: value for key, value in means(track, "complete").items() if key in published} == published
    assert on_the_leaderboard(researcher, names) == published
    in_report = report_of(track, tags, names, tmp_path)
    assert {key: f"{float(value):.4f}" for key, value in in_report.items()} == published
    compared(track, researcher, tmp_path, monkeypatch)


def on_the_leaderboard(researcher: User, names: list[str]) -> dict[tuple[str, str], str]:
    """On the page and in its file, which say the same."""
    client, address = signed_in(researcher), reverse("leaderboard", args=["track"])
    board = client.get(address, {"measure": names}).context["board"]
    heads = [column.name for column in board.heads]
    seen = {(tag, name): cells[heads.index(name)][0] for tag, _, cells in board.lines for name in names}
    rows = csv.DictReader(io.StringIO(client.get(address, {"measure": names, "form": "csv"}).content.decode()))
    assert seen == {(row["run"], name): row[name] for row in rows for name in names}
    return seen


def make_report(track: Collection, path: Path, **asked: Any) -> None:
    job = track.reports.make(snapshot="nist", **asked)
    job.wait()
    (report,) = track.reports.all(job=job.token)
    track.reports.save(report["id"], path)


def report_of(track: Collection, tags: list[str], names: list[str], folder: Path) -> dict[tuple[str, str], str]:
    """The table of means in the report's zip."""
    make_report(track, folder / "report.zip", runs=tags, measures=names)
    with zipfile.ZipFile(folder / "report.zip") as archive:
        rows = list(csv.DictReader(io.StringIO(archive.read("report/tables/means.csv").decode())))
    return {(row["run"], name): row[name] for row in rows for name in names}


def compared(track: Collection, researcher: User, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two runs: page, API, and the report, made again by its own command, conclude the same."""
    (by_api,) = track.evaluations.compare(snapshot="nist", measure=["nDCG@10"], run=[BEST, OTHER])["measures"]
    query = {"snapshot": "nist", "measure": "nDCG@10", "first": BEST, "second": OTHER}
    page = signed_in(researcher).get(reverse("leaderboard_compare", args=["track"]), query)
    assert page.context["conclusion"] == by_api["conclusion"]
    make_report(track, folder / "comparison.zip", runs=[BEST, OTHER], kind="comparison", measures=["nDCG@10"])
    with zipfile.ZipFile(folder / "comparison.zip") as archive:
        archive.extractall(folder)
    monkeypatch.chdir(folder / "report")
    manifest = json.loads(Path("manifest.json").read_text("utf-8"))
    called(*manifest["command"][1:])
    for name in ("report.html", "manifest.json", "tables/comparison.json", "plots/metrics_vs_k.png"):
        assert Path("again", name).read_bytes() == Path(name).read_bytes(), name
    (in_report,) = json.loads(Path("tables/comparison.json").read_text("utf-8"))["measures"]
    report_pair, api_pair = in_report["pairs"][0], by_api["pairs"][0]
    assert (report_pair["first"], report_pair["second"]) == (api_pair["first"], api_pair["second"]) == (BEST, OTHER)
    assert (report_pair["difference"], report_pair["p"]) == (api_pair["difference"], api_pair["p"])


def test_the_values_of_robust03_through_http(researcher: User, shared_data: Path) -> None:
    """Every mean that trec_eval 10 gives, over all topics and over those that a run has."""
    folder = shared_data / "robust03"
    with (folder / "expected" / "summary.tsv").open() as stream:
        rows = list(csv.DictReader(stream, delimiter="\t"))
    ours = {name: str(parse_measures(name)[0]) for name in {row["measure"] for row in rows}}
    track, tags = brought(researcher, folder / "qrels.robust03.txt.gz", folder / "runs")
    modes: tuple[Averaging, ...] = ("complete", "retrieved")
    for mode in modes:
        track.evaluations.evaluate(snapshot="nist", runs=tags, measures=list(ours.values()), averaging=mode).wait()
        own_means = means(track, mode)
        expected = {(row["run"], ours[row["measure"]]): float(row["value"]) for row in rows if row["mode"] == mode}
        assert len(expected) == 225
        assert {key: float(own_means[key]) for key in expected} == expected
