"""From the table of all annotators to the page of one, as an admin goes."""

import re
from pathlib import Path

import numpy as np
import pytest
from defusedxml import ElementTree
from django.urls import reverse
from matplotlib.image import imread
from playwright.sync_api import expect

from annotation.models import Annotator, Judgment
from annotation.trust.steps.pausing import pause_annotator, resume_annotator
from tests.browser.campaign import make_campaign
from tests.browser.conftest import HEIGHTS, Opener
from tests.browser.looks import barriers, overflow, shoot
from tests.live import Server

pytestmark = pytest.mark.browser
LIGHT_ACCENT = "rgb(11, 90, 105)"  # --accent of tokens.css


def test_from_the_table_to_a_person(transactional_db: None, server: Server, open_context: Opener) -> None:
    campaign = make_campaign()
    Judgment.objects.filter(annotator__pseudonym="Birch").update(active_ms=8000)
    birch = Annotator.objects.get(pseudonym="Birch")
    pause_annotator(birch, reason="Answers in 1.1 s (median of 60).", actor=None, rule="speed", told="Please wait.")
    resume_annotator(birch, reason="A fast reader", actor=None)
    page = open_context(campaign.session).new_page()
    page.set_viewport_size({"width": 1280, "height": HEIGHTS[1280]})
    page.goto(
        reverse("quality_annotators", kwargs=campaign.values("quality_annotators", frozenset({"slug"})))
        + "?sort=-leniency"
    )
    table = page.get_by_role("region", name="Annotators", exact=True)
    expect(table.get_by_role("columnheader", name="Leniency")).to_have_attribute("aria-sort", "descending")
    shoot(page, "annotators-table-1280")
    table.get_by_role("link", name="Birch", exact=True).click()
    expect(page.get_by_role("heading", name="Birch", level=1)).to_be_visible()
    expect(page.get_by_role("region", name="What else stands out")).to_contain_text(
        "less accurate in the course of the work"
    )
    expect(page.locator("figure.diagram svg:visible")).to_have_count(1)
    history = page.get_by_role("region", name="History").get_by_role("listitem")
    expect(history.first).to_contain_text("UTC by a command: A fast reader")
    expect(history.last).to_contain_text("UTC by the rule “Speed”: Answers in 1.1 s (median of 60).")
    parts = page.get_by_role("navigation", name="Parts of this page")
    parts.get_by_role("link", name="Over time").click()
    expect(page.locator("figure.diagram svg:visible")).to_have_count(1)
    assert barriers(page) == []
    parts.get_by_role("link", name="On gold").click()
    expect(page.locator("figure.diagram svg:visible")).to_have_count(1)
    gold = page.get_by_role("region", name="On gold", exact=True).get_by_role("row", name="Right by accepted grades")
    expect(gold.get_by_role("cell").first).to_have_text("67 %")
    parts.get_by_role("link", name="Work").click()
    expect(page.get_by_role("heading", name="What they judged")).to_be_visible()
    shoot(page, "annotator-1280")
    assert barriers(page) == []
    page.set_viewport_size({"width": 390, "height": HEIGHTS[390]})
    page.emulate_media(color_scheme="dark")
    shoot(page, "annotator-390")
    page.reload()
    expect(page.locator("figure.diagram svg:visible")).to_have_count(1)
    expect(
        page.locator("figure.diagram svg:visible").get_by_text("Right by accepted grades", exact=True)
    ).to_be_visible()
    page.emulate_media(color_scheme="dark")
    assert barriers(page) == []
    assert overflow(page) <= 0
    page.get_by_role("link", name="Quality").last.click()
    expect(page.get_by_role("heading", name="Quality", level=1)).to_be_visible()
    page.goto(reverse("audit", kwargs=campaign.values("audit", frozenset({"slug"}))))
    expect(page.get_by_role("region", name="Audit")).to_contain_text("ended: Answers in 1.1 s (median of 60).")
    assert overflow(page) <= 0
    shoot(page, "audit-390")


def test_a_plot_is_saved_as_on_light_paper(
    transactional_db: None, server: Server, open_context: Opener, tmp_path: Path
) -> None:
    campaign = make_campaign()
    page = open_context(campaign.session, dark=True).new_page()
    page.goto(reverse("annotator", kwargs=campaign.values("annotator", frozenset({"slug"})) | {"pseudonym": "Birch"}))
    figure = page.locator("figure.diagram")
    for kind in ("SVG", "PNG"):
        with page.expect_download() as saving:
            figure.get_by_role("button", name=kind).press("Enter")
        assert saving.value.suggested_filename == f"shares-with-their-intervals.{kind.lower()}"
        saving.value.save_as(tmp_path / kind)
    drawing = ElementTree.parse(tmp_path / "SVG").getroot()
    dots = drawing.findall(".//{http://www.w3.org/2000/svg}circle")
    assert len(dots) == figure.locator("svg.wide circle").count() > 0
    assert {dot.get("fill") for dot in dots} == {LIGHT_ACCENT}
    picture = imread(tmp_path / "PNG", format="png")
    assert picture.shape[:2] == (3 * float(drawing.get("height", 0)), 3 * float(drawing.get("width", 0)))
    accent = np.array([int(part) / 255 for part in re.findall(r"\d+", LIGHT_ACCENT)])
    assert (np.abs(picture[:, :, :3] - accent).max(axis=2) < 0.01).sum() > 50 * len(dots)
    assert picture[0, 0, :3].tolist() == [1, 1, 1]
