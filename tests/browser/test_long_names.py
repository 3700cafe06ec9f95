"""Names without a blank, as files may have them: no page is wider for them."""

import pytest

from annotation.models import Import, Job, Pool
from evaluation.models import Run
from tests.browser.campaign import Campaign, make_campaign
from tests.browser.conftest import HEIGHTS, Opener
from tests.browser.looks import overflow, shoot
from tests.browser.test_pages import address
from tests.live import Server

pytestmark = pytest.mark.browser
NAME = f"{'judgments' * 26}.jsonl"
SHOWING = [
    "import_detail", "imports", "collection_bring", "arrival", "batches", "batch", "pool", "snapshot", "run", "runs",
    "jobs", "collection", "pools", "gold",
]  # fmt: skip


@pytest.fixture
def campaign(transactional_db: None, server: Server) -> Campaign:
    campaign = make_campaign()
    Import.objects.update(filename=NAME)
    Run.objects.update(filename=NAME)
    Pool.objects.update(origin={"kind": "file", "filename": NAME, "sha256": "0" * 64})
    for job in Job.objects.filter(payload__has_key="filename"):
        job.payload["filename"] = NAME
        job.save(update_fields=["payload"])
    return campaign


def test_a_file_name_of_240_letters_widens_no_page(
    campaign: Campaign, open_context: Opener, subtests: pytest.Subtests
) -> None:
    page = open_context(campaign.session).new_page()
    for name in SHOWING:
        page.goto(address(campaign, name))
        for width, height in HEIGHTS.items():
            with subtests.test(name, width=width):
                page.set_viewport_size({"width": width, "height": height})
                assert overflow(page) <= 0
                shoot(page, f"long-{name}-{width}")
