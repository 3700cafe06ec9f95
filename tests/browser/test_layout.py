"""Laying a batch out from its dry run, by keyboard: a job with progress, which can be cancelled."""

import pytest
from playwright.sync_api import expect

from annotation.models import Batch, Job
from tests.annotation.campaign import make_campaign
from tests.browser.conftest import Opener
from tests.browser.test_accounting import look, work
from tests.factories import make_collection, make_user
from tests.live import Server

pytestmark = pytest.mark.browser


def test_a_layout_is_cancelled_and_then_done(transactional_db: None, server: Server, open_context: Opener) -> None:
    admin = make_user()
    collection = make_collection(admin=admin)
    batch = make_campaign(collection, n_topics=2).draft()
    page = open_context(admin).new_page()
    dry_run = f"/c/{collection.slug}/batches/{batch.token}/dry-run"
    page.goto(dry_run)
    page.get_by_role("button", name="Lay out").press("Enter")
    expect(page.get_by_text("Waits for its turn")).to_be_visible()
    look(page, "layout-waits")
    page.goto(dry_run)
    expect(page.get_by_text("This batch is being laid out.")).to_be_visible()
    expect(page.get_by_role("button", name="Lay out")).to_have_count(0)
    look(page, "layout-under-way")
    page.get_by_role("link", name="See the job").press("Enter")
    page.get_by_role("button", name="Cancel this job").press("Enter")
    page.get_by_role("link", name="See the dry run").press("Enter")
    page.get_by_role("button", name="Lay out").press("Enter")
    expect(page.get_by_text("Waits for its turn")).to_be_visible()
    work("lay_out")
    expect(page.get_by_text("pairs laid out.")).to_be_visible()
    look(page, "layout-done")
    page.get_by_role("link", name="See the batch").press("Enter")
    expect(page.get_by_role("button", name="Open", exact=True)).to_be_visible()
    assert Batch.objects.get().state == Batch.State.LAID_OUT
    assert list(Job.objects.order_by("pk").values_list("state", flat=True)) == ["cancelled", "done"]
