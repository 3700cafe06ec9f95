"""Runs of a real track compared, two and many, and a run fused, by keyboard."""

import gzip
from pathlib import Path

import pytest
from playwright.sync_api import expect

from annotation.kernel.jobs import claim_job, run_job
from annotation.models import Collection, Role
from evaluation.leaderboard.steps.evaluating import ask_evaluation
from evaluation.models import Run
from tests.browser.conftest import Opener
from tests.browser.test_accounting import look, work
from tests.factories import make_collection, make_member, make_run, make_snapshot, make_user
from tests.live import Server

pytestmark = [pytest.mark.browser, pytest.mark.shared]


def evaluated(shared_data: Path, n: int) -> tuple[Collection, list[Run]]:
    """So many runs of a real track, evaluated."""
    collection, folder = make_collection(admin=make_user()), shared_data / "dl19"
    snapshot = make_snapshot(collection, (folder / "qrels.txt").read_text("utf-8"), name="nist")
    files = sorted((folder / "runs").iterdir())[:n]
    runs = [make_run(collection, gzip.decompress(file.read_bytes()).decode()) for file in files]
    ask_evaluation(snapshot, runs, averaging="complete", measures=[], created_by=None)
    work("evaluate_runs")
    return collection, runs


def test_many_runs_are_compared(
    transactional_db: None, server: Server, open_context: Opener, shared_data: Path
) -> None:
    collection, runs = evaluated(shared_data, 25)
    page = open_context(make_member(collection, role=Role.RESEARCHER)).new_page()
    page.goto(f"/c/{collection.slug}/leaderboard/")
    page.get_by_role("link", name="Compare many runs").press("Enter")
    expect(page.locator(".conclusion")).to_contain_text("of 300 pairs of 25 runs can be told apart")
    expect(page.get_by_role("region", name="Runs", exact=True).get_by_role("rowheader")).to_have_count(25)
    expect(page.locator("svg.triangle.wide rect")).to_have_count(300)
    look(page, "comparing-many")
    page.get_by_label("Test", exact=False).first.select_option("t")
    page.get_by_label("Level").fill("0.01")
    page.get_by_label("Level").press("Enter")
    expect(page.locator(".conclusion")).to_contain_text("at the level of 0.01 (paired t-test, Holm's correction")
    page.locator("summary", has_text="Runs: ").press("Enter")
    for run in runs[:3]:
        page.get_by_label(run.tag, exact=True).press("Space")
    page.get_by_role("button", name="Compare").press("Enter")
    expect(page.get_by_role("region", name="Runs", exact=True).get_by_role("rowheader")).to_have_count(3)
    look(page, "comparing-three")


def test_two_runs_are_compared_and_a_run_is_fused(
    transactional_db: None, server: Server, open_context: Opener, shared_data: Path
) -> None:
    collection, runs = evaluated(shared_data, 9)
    page = open_context(make_member(collection, role=Role.RESEARCHER)).new_page()
    page.goto(f"/c/{collection.slug}/leaderboard/")
    page.get_by_role("link", name="Compare two runs").press("Enter")
    expect(page.get_by_role("heading", name="In words")).to_be_visible()
    page.get_by_label("Smallest difference that would matter").fill("0.03")
    page.get_by_label("Smallest difference that would matter").press("Enter")
    expect(page.locator(".conclusion")).to_contain_text("topics, if differences vary as here")
    expect(page.locator("svg.differences rect")).to_have_count(43)
    look(page, "comparing")
    page.get_by_role("link", name="Runs", exact=True).press("Enter")
    page.get_by_role("link", name="Fuse runs").press("Enter")
    page.get_by_label("Tag").fill("fused")
    for run in runs[:3]:
        page.get_by_label(run.tag, exact=True).press("Space")
    look(page, "fusing")
    page.get_by_role("button", name="Fuse").press("Enter")
    expect(page.get_by_role("heading", name="Fuse runs")).to_be_visible()
    claimed = claim_job()
    assert claimed is not None
    assert run_job(claimed).state == "done"
    page.get_by_role("link", name="See the run").press("Enter")
    expect(page.get_by_role("heading", name="Made from")).to_be_visible()
    look(page, "fused")
    assert Run.objects.get(tag="fused").n_topics == 43
