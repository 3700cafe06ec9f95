"""What is asked of files with grades and of unknown pairs, and what was left aside: by keyboard, on both widths."""

import io
import re

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from annotation.exchange.steps.importing import start_import
from tests.annotation.exchange.steps.import_work import work
from tests.browser.conftest import Opener
from tests.browser.looks import barriers, shoot
from tests.factories import make_collection, make_document, make_snapshot, make_topic, make_user
from tests.live import Server

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("width", [1280, 390])
def test_choices_of_imports(server: Server, open_context: Opener, width: int) -> None:
    lead = make_user("lead", may_create_collections=True)
    collection = make_collection("bees", admin=lead)
    make_topic(collection, "1")
    make_document(collection, "A")
    text = b"1\tA\t16\n" + b"".join(b"1\tZ%d\t2\n" % n for n in range(30))
    record = start_import(
        collection,
        kind="gold",
        stream=io.BytesIO(text),
        filename="gold.tsv",
        created_by=lead,
        grades="2=1, 16=4",
        unknown="skip",
    )
    work()
    page = open_context(lead, width=width).new_page()
    page.goto(reverse("import_detail", args=["bees", record.pk]))
    summary = page.get_by_text("What is left aside")
    summary.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Line 31: the collection has no document Z29")).to_be_visible()
    shoot(page, f"import-aside-{width}")
    assert barriers(page) == []
    snapshot = make_snapshot(collection, "1 0 A 3\n")
    addresses = {
        "import-qrels": reverse("import_new", args=["bees", "qrels"]),
        "import-pairs": reverse("import_new", args=["bees", "pairs"]),
        "gold-file": reverse("gold_file", args=["bees"]),
        "pool-file": reverse("pool_file", args=["bees"]),
        "bring": reverse("collection_bring"),
        "snapshot": reverse("snapshot", args=["bees", snapshot.pk]),
        "exports": reverse("exports", args=["bees"]),
        "topics": reverse("topics", args=["bees"]),
    }
    for name, address in addresses.items():
        page.goto(address)
        expect(page).to_have_title(re.compile("Touchstone"))
        shoot(page, f"{name}-{width}")
        assert barriers(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
