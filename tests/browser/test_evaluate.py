"""Choosing runs to evaluate: another snapshot brings its own ticks, and what was typed stays."""

import pytest
from playwright.sync_api import expect

from annotation.models import Collection
from tests.browser.campaign import make_campaign
from tests.browser.conftest import Opener
from tests.browser.looks import barriers
from tests.factories import make_snapshot
from tests.live import Server

pytestmark = pytest.mark.browser


def test_another_snapshot_brings_its_own_ticks(transactional_db: None, server: Server, open_context: Opener) -> None:
    campaign = make_campaign()
    from_file = make_snapshot(Collection.objects.get(slug="birds"), "1 0 a 2\n", name="newer")
    page = open_context(campaign.session).new_page()
    page.goto(f"/c/{from_file.collection.slug}/leaderboard/evaluate")
    ticked = page.locator("input[name=runs]:checked")
    expect(ticked).to_have_count(3)
    page.get_by_label("More measures").fill("P@7")
    page.get_by_label("Snapshot").select_option("first-round")
    expect(ticked).to_have_count(0)  # all are evaluated against it
    expect(page.get_by_label("Snapshot")).to_have_value("first-round")
    expect(page.get_by_label("More measures")).to_have_value("P@7")
    page.get_by_label("Snapshot").press("ArrowUp")
    expect(ticked).to_have_count(3)
    expect(page.get_by_label("Snapshot")).to_be_focused()
    assert barriers(page) == []
