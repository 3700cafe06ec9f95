"""Accounting, as a researcher asks for it and reads it: of a snapshot, and of policies by the ranking of runs."""

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from annotation.kernel.jobs import claim_job, run_job
from annotation.models import Job
from tests.browser.campaign import Campaign, make_campaign
from tests.browser.conftest import HEIGHTS, Opener
from tests.browser.looks import barriers, overflow, shoot
from tests.browser.research import LONG_TAG
from tests.live import Server

pytestmark = pytest.mark.browser


def place(campaign: Campaign, name: str, *parameters: str) -> str:
    return reverse(name, kwargs=campaign.values(name, frozenset(parameters)))


def look(page: Page, name: str) -> None:
    """Wide and light, narrow and dark; what does not fit is scrolled within its table."""
    page.set_viewport_size({"width": 1280, "height": HEIGHTS[1280]})
    shoot(page, f"{name}-1280")
    assert barriers(page) == []
    page.set_viewport_size({"width": 390, "height": HEIGHTS[390]})
    page.emulate_media(color_scheme="dark")
    shoot(page, f"{name}-390")
    assert barriers(page) == []
    assert overflow(page) <= 0
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 1280, "height": HEIGHTS[1280]})


def work(kind: str) -> None:
    claimed = claim_job()
    assert claimed is not None
    assert run_job(claimed).state == "done"
    assert claimed.job.kind == kind


def test_asking_for_and_reading_the_accounting_of_a_snapshot(
    transactional_db: None, server: Server, open_context: Opener
) -> None:
    campaign = make_campaign()
    page = open_context(campaign.session).new_page()
    page.goto(place(campaign, "snapshot", "slug", "pk"))
    page.get_by_role("link", name="Accounting").press("Enter")
    expect(page.get_by_role("heading", name="What was dropped, and why")).to_be_visible()
    page.get_by_role("link", name="Account for runs").press("Enter")
    page.get_by_label("Measures").fill("P@1 AP bpref")
    page.get_by_role("button", name="Account").press("Enter")
    expect(page.get_by_role("status")).to_contain_text("computing")
    work("account_snapshot")
    expect(page.get_by_role("region", name="Results by measure").get_by_role("rowheader")).to_have_count(3)
    page.get_by_role("link", name="bpref", exact=True).press("Enter")
    expect(page.get_by_role("heading", name="bpref")).to_be_visible()
    rows = page.get_by_role("region", name="bpref").get_by_role("rowheader")
    expect(rows).to_have_count(3)
    expect(rows.filter(has_text=LONG_TAG)).to_have_count(1)
    page.locator("summary", has_text="Topic by topic").press("Enter")
    expect(page.locator("figure.diagram svg:visible")).to_have_count(3)
    look(page, "accounting")


def test_asking_for_and_reading_what_policies_do_to_the_ranking(
    transactional_db: None, server: Server, open_context: Opener
) -> None:
    campaign = make_campaign()
    page = open_context(campaign.session).new_page()
    page.goto(place(campaign, "policies", "slug"))
    page.get_by_role("link", name="What they do to the ranking of runs").press("Enter")
    expect(page.get_by_label("Measures")).to_be_visible()
    look(page, "accounting-policies")
    page.get_by_label("Measures").fill("AP")
    page.get_by_role("button", name="Compare").press("Enter")
    expect(page.get_by_role("status")).to_contain_text("computing")
    work("account_policies")
    expect(page.get_by_role("status")).to_have_count(0)
    page.get_by_role("link", name="default v1, trial: median, trial: majority, trial: dawid_skene").press("Enter")
    expect(page.get_by_role("region", name="The policies").get_by_role("rowheader")).to_have_count(4)
    expect(page.get_by_role("region", name="Orders of the runs").get_by_role("rowheader")).to_have_count(6)
    look(page, "accounting-compared")
    assert not Job.objects.filter(state=Job.State.FAILED).exists()
