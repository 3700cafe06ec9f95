"""Machine judges beside people, as an admin reads of them and takes a mark back."""

from urllib.parse import urlencode

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from annotation.models import Batch, Collection
from annotation.quality.policy import Policy
from annotation.trust.read.withheld import judged_batches
from annotation.trust.steps.policies import store_policy
from tests.annotation.exchange.steps.import_work import stored
from tests.browser.campaign import make_campaign
from tests.browser.conftest import HEIGHTS, Opener
from tests.browser.looks import barriers, overflow, shoot
from tests.live import Server

pytestmark = pytest.mark.browser
FILE = "query\tdocno\tannotator\tgrade\n1\td1\tlm\t3\n1\td2\tlm\t4\n1\td4\tlm\t4\ng\tG00\tlm\t1\ng\tG01\tlm\t2\n"


def look(page: Page, name: str) -> None:
    page.set_viewport_size({"width": 1280, "height": HEIGHTS[1280]})
    page.emulate_media(color_scheme="light")
    shoot(page, f"{name}-1280")
    assert barriers(page) == []
    page.set_viewport_size({"width": 390, "height": HEIGHTS[390]})
    page.emulate_media(color_scheme="dark")
    shoot(page, f"{name}-390")
    assert barriers(page) == []
    assert overflow(page) <= 0


def test_reading_of_a_machine_and_taking_the_mark_back(
    transactional_db: None, server: Server, open_context: Opener
) -> None:
    campaign = make_campaign()
    collection = Collection.objects.get(slug="birds")
    stored(collection, "judgments", FILE, name="by model", machines="*")
    page = open_context(campaign.session).new_page()
    mild = store_policy(collection, name="mild", parameters=Policy(accuracy_threshold=0.4), actor=None)
    asked = urlencode([("policy", str(mild)), *(("batch", batch.token) for batch in judged_batches(collection))])
    page.goto(f"{reverse('quality_machines', kwargs={'slug': 'birds'})}?{asked}")
    section = page.get_by_role("region", name="Machine judges")
    expect(section.get_by_role("row")).to_have_count(2)
    reading = page.get_by_text("It grades 1.00 steps higher than people on average.")
    expect(reading).to_be_visible()  # of one machine all is open; the summary closes it and opens it again
    page.get_by_text("lm: grade by grade").focus()
    page.keyboard.press("Enter")
    expect(reading).to_be_hidden()
    page.keyboard.press("Enter")
    expect(reading).to_be_visible()
    look(page, "quality-machines")
    section.get_by_role("link", name="lm").click()
    expect(page.get_by_role("heading", name="lm machine judge")).to_be_visible()
    look(page, "annotator-machine")
    token = Batch.objects.get(name="by model").token
    page.goto(reverse("batch_health", kwargs={"slug": "birds", "token": token}))
    expect(page.get_by_text("Of a machine judge (lm) stand here only counts")).to_be_visible()
    look(page, "health-machine")
    page.goto(reverse("batch", kwargs={"slug": "birds", "token": token}))
    look(page, "batch-machine")
    page.get_by_role("link", name="lm").click()
    page.get_by_role("link", name="Mark as a person").click()
    expect(page.get_by_label("Reason")).to_be_visible()
    look(page, "annotator-kind-machine")
    page.get_by_label("Reason").fill("An expert graded this file.")
    page.get_by_role("button", name="Mark as a person").click()
    expect(page.get_by_text("lm is a person now.")).to_be_visible()
    expect(page.get_by_role("link", name="Mark as a machine judge")).to_be_visible()
