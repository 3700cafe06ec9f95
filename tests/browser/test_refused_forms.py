"""A form that was refused has the focus where it is wrong, without any script."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests.annotation.worked_campaign import make_worked
from tests.browser.conftest import Opener
from tests.browser.looks import barriers, shoot
from tests.browser.watcher import Watcher
from tests.factories import make_collection, make_user
from tests.live import Server

pytestmark = pytest.mark.browser


def test_the_focus_is_where_a_refused_form_is_wrong(server: Server, open_context: Opener, watcher: Watcher) -> None:
    watcher.expect("status of 422")
    lead = make_user("lead")
    make_worked(make_collection("bees", admin=lead))
    page = open_context(lead, width=390).new_page()
    page.goto(reverse("gold_set", args=["bees"]))
    page.get_by_label("Topic number").fill("g")
    page.get_by_label("Docno").fill("nowhere")
    page.get_by_label("Grade", exact=True).select_option("1")
    page.get_by_role("button", name="Set gold").press("Enter")
    expect(page.get_by_text("The collection has no document nowhere.")).to_be_visible()
    expect(page.get_by_label("Docno")).to_be_focused()
    shoot(page, "refused-gold-390")
    assert barriers(page) == []
    page.goto(reverse("quality", args=["bees"]) + "?policy=default+v1")
    expect(page.get_by_role("group", name="Batches")).to_be_focused()
    shoot(page, "refused-batches-390")
    assert barriers(page) == []
    stranger = open_context(None, script=False).new_page()
    stranger.goto(reverse("login"))
    stranger.get_by_label("Username").fill("lead")
    stranger.get_by_label("Password").fill("wrong")
    stranger.get_by_label("Password").press("Enter")
    expect(stranger.get_by_role("alert")).to_be_focused()
