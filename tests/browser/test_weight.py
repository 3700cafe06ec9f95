"""What the judging page costs to fetch: everything for the first card and those that wait, and what one more brings."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Opener
from tests.browser.desk import Desk, make_reading, user_of
from touchstone.demo.content import demo_documents

pytestmark = pytest.mark.browser

FIRST_PAGE = 150_000  # bytes, with headers
NEXT_CARD = 15_000
TEXT = 3_000


class Scale:
    """Bytes as they come over the wire, headers included, by address."""

    def __init__(self, page: Page) -> None:
        self._addresses: dict[str, str] = {}
        self._arrived: list[tuple[str, int]] = []
        wire = page.context.new_cdp_session(page)
        wire.on("Network.responseReceived", self._name)
        wire.on("Network.loadingFinished", self._weigh)
        wire.send("Network.enable")

    def _name(self, event: dict[str, dict[str, str]]) -> None:
        self._addresses[str(event["requestId"])] = event["response"]["url"]

    def _weigh(self, event: dict[str, float]) -> None:
        address = self._addresses.get(str(event["requestId"]), "")
        self._arrived.append((address, int(event["encodedDataLength"])))

    def empty(self) -> list[tuple[str, int]]:
        arrived, self._arrived = self._arrived, []
        return arrived


def texts() -> Iterator[str]:
    """Prose of 3,000 characters, no two alike: what compresses as documents do."""
    prose = "\n\n".join(document.text for document in demo_documents())
    for start in range(0, len(prose) - TEXT, TEXT):
        yield prose[start : start + TEXT]


def test_the_first_page_and_the_next_card_are_light(open_context: Opener) -> None:
    batch = make_reading(12)
    for item, text in zip(batch.items.all(), texts(), strict=False):
        item.document.versions.update(text=text)
    desk = Desk(open_context(user_of(batch)).new_page(), batch)
    desk.open()
    desk.begin()
    scale = Scale(desk.page)
    desk.page.context.new_cdp_session(desk.page).send("Network.clearBrowserCache")
    desk.page.reload()
    desk.page.wait_for_load_state("networkidle")
    first = scale.empty()
    assert len(first) > 20, "the sheets and scripts came, too"
    assert sum(n for _, n in first) <= FIRST_PAGE, first
    desk.grade(3)
    desk.page.wait_for_load_state("networkidle")
    (answer,) = [n for address, n in scale.empty() if address.endswith("/grade")]
    assert TEXT < answer <= NEXT_CARD
