"""Eight new people judge: each joins by a link, finds the batch on the start page and grades what the cards show."""

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from zlib import crc32

import numpy as np

from tests.journeys.campaign.browser import Browser, Page
from tests.journeys.campaign.document_tree import Element
from tests.journeys.campaign.material import Material, Pair, Shown
from tests.journeys.clock import Clock
from touchstone.demo.annotators import BAD, GOOD, Behaviour

BREAK = timedelta(minutes=10, seconds=1)
PASSWORD = "a long walk by the river"
EVERYBODY = (*GOOD, *BAD)


@dataclass(order=True)
class Annotator:
    """`moment`: when they will answer the card before them. `left`: how many more cards they will judge, if limited."""

    moment: datetime
    place: int
    behaviour: Behaviour = field(compare=False)
    material: Material = field(compare=False)
    docnos: Mapping[str, str] = field(compare=False)
    seed: int = field(compare=False)
    left: int | None = field(default=None, compare=False)
    browser: Browser = field(default_factory=Browser, compare=False)
    page: Page = field(init=False, compare=False, repr=False)
    grades: dict[Pair, int] = field(default_factory=dict, compare=False)  # pair → grade
    tokens: dict[str, int] = field(default_factory=dict, compare=False)  # form → grade that was said to be saved
    seconds: list[float] = field(default_factory=list, compare=False)
    n_breaks: int = field(default=0, compare=False)

    def join(self, link: str) -> None:
        """Make an account by the link; the link does not work again."""
        page = self.browser.open(link)
        self.browser.press(
            page,
            "Make the account and join",
            username=self.behaviour.name,
            password1=PASSWORD,
            password2=PASSWORD,
        )
        assert Browser().refused(link) == 404

    def begin(self) -> None:
        page = self.browser.open(self.browser.open("/").link("Judge"))
        self._look(self.browser.press(page, "Start judging"))

    def act(self) -> bool:
        """Answer the card, or come back after a while; False once there is nothing left to do."""
        grades = _grades(self.page)
        if grades is not None:
            return self._grade(grades)
        if "That was the last one" in self.page.words:
            return False
        is_break = "Time for a break" in self.page.words
        assert is_break or "Nothing for you right now" in self.page.words, self.page.words
        self.n_breaks += is_break
        self._come_back()
        return True

    def _come_back(self) -> None:
        page = self.browser.open(_desk(self.page))
        if "Nothing for you right now" not in page.words and "That was the last one" not in page.words:
            page = self.browser.press(page, "Continue")
        self._look(page)

    def _look(self, page: Page) -> None:
        """Take in the page, and how long it will keep the person."""
        self.page = page
        if _grades(page) is not None:
            self.seconds.append(self.behaviour.seconds(self._rng("seconds", len(self.seconds))))
            self.moment += timedelta(seconds=self.seconds[-1])
        elif "That was the last one" not in page.words:
            self.moment += BREAK

    def _grade(self, grades: Element) -> bool:
        if self.left == 0:
            return False
        pair = self._pair_shown()
        grade = self.behaviour.grade(self.material.grade(pair), self._rng(*pair))
        token = next(each.get("value") for each in grades.all("input") if each.get("name") == "token")
        answer = self.browser.send(grades, grade=str(grade), active_ms=int(self.seconds[-1] * 1000))
        assert answer.status == 200, answer.text
        assert f"Saved: {grade} " in answer.words
        assert pair not in self.grades, f"{self.behaviour.name} met {pair} twice"
        self.grades[pair], self.tokens[token] = grade, grade
        if self.left is not None:
            self.left -= 1
        self._look(answer)
        return True

    def _pair_shown(self) -> Pair:
        card, title, text = (self.page.tree.by_id(name) for name in ("card", "document-title", "text"))
        assert card is not None
        assert title is not None
        assert text is not None
        return card.get("data-topic"), self.docnos[Shown(title.words, text.words).key]

    def _rng(self, *about: object) -> np.random.Generator:
        """A stream of chance of its own for each person and matter: the order of the cards changes no grade."""
        return np.random.default_rng([self.seed, self.place, crc32(repr(about).encode())])


def judge_all(people: Sequence[Annotator], clock: Clock) -> None:
    """In the order of time, each at their own pace, until nobody has anything left to do."""
    queue = list(people)
    heapq.heapify(queue)
    while queue:
        person = heapq.heappop(queue)
        clock.go_to(person.moment)
        if person.act():
            heapq.heappush(queue, person)


def _desk(page: Page) -> str:
    """The address of the judging page, whichever of its deeds was answered."""
    return "/".join(page.address.split("/")[:3]) + "/"


def _grades(page: Page) -> Element | None:
    """The buttons of the card in front; None where there is no card."""
    return page.tree.by_id("grades") if page.tree.by_id("document") is not None else None
