"""A batch worth looking at, and a person at the judging page with both hands on the keyboard."""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from math import ceil

from playwright.sync_api import BrowserContext, Error, Locator, Page, Route, expect

from annotation.models import Annotator, Assignment, Batch, Item, Judgment, Pool, User
from tests.browser.conftest import PATIENCE_MS
from tests.factories import (
    PRIME,
    make_annotator,
    make_collection,
    make_document,
    make_item,
    make_participation,
    make_topic,
)
from tests.live import Server

SENTENCE = "Swifts sleep on the wing, and their nests are built from whatever the wind carries past them. "
SLIP = 0.5  # seconds
PATIENCE = PATIENCE_MS / 1000
AT_ONCE = """codes => { for (const code of codes) document.activeElement.dispatchEvent(
    new KeyboardEvent("keydown", { code, key: code.at(-1), bubbles: true, cancelable: true })) }"""
TITLES = ["Where do swifts sleep", "Nests of city birds", "How far migrating birds fly"]


@cache
def module_of(name: str) -> str:
    """JavaScript for a module of the judging page as the page has it: by the name under which it was served."""
    assert Server.statics is not None, "there is no server"
    names = json.loads((Server.statics / "staticfiles.json").read_text("utf-8"))["paths"]
    return f'import(location.origin + "/static/{names[f"js/judge/{name}.js"]}")'


def is_sent() -> str:
    """JavaScript: whether nothing waits to be sent."""
    return f"{module_of('queue')}.then((queue) => !queue.next())"


def make_reading(n_documents: int = 3, *, n_topics: int = 1, n_people: int = 1, **settings: object) -> Batch:
    """An open batch with long documents and topics told in full; one judgment an item, no minimum time."""
    collection = make_collection()
    documents = [
        make_document(collection, f"D{n}", title=f"Document {n}", text=f"{SENTENCE * 12}\n" * 12)
        for n in range(n_documents)
    ]
    topics = [
        make_topic(
            collection,
            str(n + 1),
            title=TITLES[n],
            description="What is known about the sleep of swifts and other birds that live in the air?",
            narrative="Relevant is what tells how, where or how long birds sleep in flight. " * 2,
        )
        for n in range(n_topics)
    ]
    batch = Batch.objects.create(
        **{
            "collection": collection,
            "name": "Birds, first round",
            "pool": Pool.objects.create(collection=collection, name="Pool", n_pairs=n_topics * n_documents),
            "scale": collection.scale,
            "state": Batch.State.OPEN,
            "judgments_per_item": 1,
            "minimum_seconds": 0,
            "seed": 1,
            "n_expected": n_topics * n_documents * n_people,
            **settings,
        }
    )
    for block, topic in enumerate(topics):
        for number, document in enumerate(documents):
            make_item(batch, topic, document, block=block, shuffle=pow(48271, 100 * block + number + 2, PRIME))
    for place in range(n_people):
        make_participation(batch, make_annotator(collection), salt=pow(69621, place + 3, PRIME))
    return batch


def person_of(batch: Batch) -> Annotator:
    return batch.participations.earliest("pk").annotator


def user_of(batch: Batch) -> User:
    user = person_of(batch).user
    assert user is not None
    return user


def grades_in(batch: Batch) -> list[int]:
    """Every grade written, revisions too, in the order of writing."""
    return list(Judgment.objects.filter(batch=batch).order_by("pk").values_list("grade", flat=True))


@dataclass
class Door:
    """What answers the deeds of a page: the server, or for a while a status of our choice, or nobody until it opens.

    It stands there before the page is opened: put up while a page is in use, it may miss the next request.
    """

    status: int | None = None
    body: str = "no"
    is_shut: bool = False
    waiting: list[Route] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)  # the body of each request, in their order

    @classmethod
    def before(cls, page: Page, deed: str = "grade") -> "Door":
        door = cls()
        page.route(f"**/{deed}", door._answer)
        return door

    def open(self) -> None:
        """Let in what waits, and whatever comes from now on."""
        self.is_shut = False
        for route in self.waiting:
            route.continue_()
        self.waiting.clear()

    def _answer(self, route: Route) -> None:
        self.asked.append(route.request.post_data or "")
        if self.is_shut:
            self.waiting.append(route)
        elif self.status is None:
            route.continue_()
        else:
            route.fulfill(status=self.status, body=self.body, content_type="text/html")


@dataclass
class Desk:
    """The judging page as its user has it.

    A press within 500 ms of a card's coming in is a slip of the finger to the page, so a quick test waits as long. With
    `hasty`, the clocks of the context's pages are put forward instead: for tests in which no time is measured.
    """

    page: Page
    batch: Batch
    hasty: bool = False
    _turned: float = 0.0

    @classmethod
    def at(cls, context: BrowserContext, batch: Batch, *, started: bool = True, hasty: bool = False) -> "Desk":
        """Open the page and wait for its keys; with `started`, press the start button by Enter first."""
        if hasty:
            context.clock.install()
        desk = cls(context.new_page(), batch, hasty)
        desk.open()
        if started:
            desk.begin()
        else:
            desk.ready()
        return desk

    @property
    def path(self) -> str:
        return f"/judge/{self.batch.token}/"

    def open(self) -> None:
        self.page.goto(self.path)

    def begin(self) -> None:
        start = self.page.get_by_role("button", name="Start judging")
        start.focus()
        self.page.keyboard.press("Enter")
        self.ready()

    def ready(self) -> None:
        """The keys are heard and the next card is there, if there is one to have. It may have come in this moment."""
        expect(self.page.locator("#grades")).to_be_visible()
        self.until(f"document.readyState === 'complete' && {is_sent()}")
        self._turned = time.monotonic()

    @property
    def waiting(self) -> list[str]:
        """The tokens of the cards that the page holds ahead, in their order."""
        return list(self.page.evaluate(f"{module_of('cards')}.then((cards) => cards.ahead())"))

    @property
    def next(self) -> str:
        """The first of those that wait; empty where none does."""
        return next(iter(self.waiting), "")

    def press(self, *keys: str) -> None:
        self.look()
        for key in keys:
            self.page.keyboard.press(key)

    def strike(self, *digits: int) -> None:
        """Digits hit at the same instant, which no two presses from outside can promise on a busy machine."""
        self.look()
        self.page.evaluate(AT_ONCE, [f"Digit{digit}" for digit in digits])

    def stop_clock(self) -> None:
        """Load the page anew, and let its time stand still from then on: it goes on by `page.clock.run_for` alone."""
        self.page.clock.install()
        self.page.reload()
        self.ready()
        self.page.clock.pause_at(self.page.evaluate("Date.now() + 60_000"))

    def look(self) -> None:
        """Take the time to see the card that has just come in."""
        left = self._turned + SLIP - time.monotonic()
        if self.hasty and self._turned:  # the page's clock is late on a busy machine: what passed here did not there
            self.page.clock.fast_forward(ceil(SLIP * 1000))
            self._turned = 0.0
        elif left > 0:
            self.page.wait_for_timeout(left * 1000)

    def numpad(self, digit: int) -> None:
        """A key of the number pad with NumLock on, which `keyboard.press` does not know."""
        self.look()
        wire = self.page.context.new_cdp_session(self.page)
        key = {"key": str(digit), "code": f"Numpad{digit}", "windowsVirtualKeyCode": 96 + digit, "isKeypad": True}
        wire.send("Input.dispatchKeyEvent", {"type": "keyDown", "text": str(digit), **key})
        wire.send("Input.dispatchKeyEvent", {"type": "keyUp", **key})
        wire.detach()

    @property
    def token(self) -> str:
        """The form on the screen; empty where there is no card."""
        return self.page.locator("#card").get_attribute("data-token") or ""

    @property
    def title(self) -> str:
        """The document on the screen."""
        return self.page.locator("#document-title").inner_text()

    def item(self) -> Item:
        return Assignment.objects.get(cards__token=self.token).item

    def grade(self, digit: int) -> Item:
        """Press the key, wait until it is saved and the next card or page is there; gives the item graded."""
        item = self.item()
        self.press_and_go_on(str(digit))
        expect(self.status).to_contain_text(f"Saved: {digit} ")
        return item

    def press_and_go_on(self, key: str) -> None:
        """Press a key that brings another card."""
        before = self.token
        self.press(key)
        self.gone(before)

    def gone(self, token: str) -> None:
        """The card with this token has left the screen."""
        expect(self.page.locator(f'#card:not([data-token="{token}"])')).to_be_visible()
        self._turned = time.monotonic()

    def all_sent(self) -> None:
        """Whatever was pressed by now has been answered: a deed joins the queue within the press itself."""
        self.until(is_sent())

    def let_go(self) -> None:
        """Send a skip or a "later" that is held, as the page does when it is put aside."""
        self.page.evaluate(f"{module_of('send')}.then((send) => {{ send.letGo(); }})")

    @property
    def trouble(self) -> Locator:
        """The line of what has not been saved yet."""
        return self.page.locator("#trouble-text")

    @property
    def status(self) -> Locator:
        """The line that says what became of the last deed."""
        return self.page.locator("#card .status, #bar:not([hidden]) .status")

    def until(self, fact: str) -> None:
        """Wait until the JavaScript expression is true. (`wait_for_function` needs eval, which the page forbids.)"""
        wait_for(self.page, lambda: self._holds(fact), fact)

    def _holds(self, fact: str) -> bool:
        """Not on a page that is just being left."""
        try:
            return bool(self.page.evaluate(fact))
        except Error as gone:
            if "context was destroyed" in gone.message or "navigation" in gone.message:
                return False
            raise


def wait_for(page: Page, happened: Callable[[], bool], what: str) -> None:
    """Wait for something outside the page, which goes on meanwhile."""
    deadline = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < deadline, f"never came true: {what}"
        page.wait_for_timeout(20)
